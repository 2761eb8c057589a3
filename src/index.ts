/** The library: every public name, nothing else. */
export type { Client } from './base/call.ts';
export { type ErrorCode, type ErrorEntry, errorTable, exitCode, WorkbenchError } from './base/errors.ts';
export type { Json, JsonObject } from './base/json.ts';
export { createLog, type Log, type LogRecord, type Severity, toJsonLine, toPlainLine } from './base/log.ts';
export { nearestNames } from './base/nearest.ts';
export { type OwnProgram, stateOwnProgram, toOwnCommand, toOwnName } from './base/own-command.ts';
export { toPrintable } from './base/printable.ts';
export { createRedactor, type Redactor } from './base/redact.ts';
export type { Config, Mode, ServerDefinition, ToolboxDefinition } from './config/config.ts';
export { ConfigError } from './config/config-error.ts';
export { findConfigHere as findConfigFile } from './config/disk.ts';
export { type LeftOut, type LeftOutItem, type LeftOutServer, listLeftOut } from './config/left-out.ts';
export { loadConfig } from './config/load.ts';
export { parseConfig, parseConfigValue } from './config/parse.ts';
export { stateDir } from './config/paths.ts';
export type { Problem } from './config/problem.ts';
export { checkSeparator } from './config/separator.ts';
export { type ConfigWatch, type ConfigWatchOptions, watchConfig } from './config/watch.ts';
export type { LoginOptions, SignInRequest } from './downstream/oauth/login.ts';
export type { LogoutOutcome } from './downstream/oauth/logout.ts';
export type { SignInStatus, SignIns } from './downstream/oauth/sign-ins.ts';
export { findRunning, type RunningServer, type RunningWorkbench } from './downstream/running/find-running.ts';
export { type KeptRecord, keepRecord as keepRunningRecord } from './downstream/running/keep-record.ts';
export type { Serving } from './downstream/running/record.ts';
export { type StopOptions, type StopOutcome, stopRunning } from './downstream/running/stop-running.ts';
export { createWorkbench } from './library/create-workbench.ts';
export { type ServeHttpOptions, serveHttp, usualHttpPort } from './library/serve-http.ts';
export { type RefuseOptions, refuseStdio, type ServeOptions, serveStdio } from './library/serve-stdio.ts';
export { openBrowser, openSignIns } from './library/sign-ins.ts';
export {
  type Authenticator,
  type AuthVerdict,
  createTokenAuthenticator,
  openAuthenticator,
  type Principal,
} from './serve/http/authenticator.ts';
export type { HttpLimits } from './serve/http/limits.ts';
export type { HttpService } from './serve/http/serve-http.ts';
export type { StdioService } from './serve/stdio.ts';
export { judgeNames, longestName, type NameFault } from './toolbox/client-limits.ts';
export type { Address } from './toolbox/toolbox.ts';
export { version } from './version.ts';
export type { CallRecord, Observer } from './workbench/observer.ts';
export type { Reload } from './workbench/reload.ts';
export type { ServerStatus } from './workbench/server-status.ts';
export type { ToolProgress, ToolRequest } from './workbench/tool-request.ts';
export type { EntryView as Entry, ToolboxView as Toolbox } from './workbench/toolbox-view.ts';
export { Workbench } from './workbench/workbench.ts';
