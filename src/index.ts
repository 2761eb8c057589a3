/** The library: every public name, nothing else. */
export type { Client } from './base/call/call.ts';
export { type ErrorCode, type ErrorEntry, errorTable, exitCode, WorkbenchError } from './base/errors/errors.ts';
export type { Json, JsonObject } from './base/json/json.ts';
export { createLog, type Log, type LogRecord, type Severity, toJsonLine, toPlainLine } from './base/text/log.ts';
export { nearestNames } from './base/text/nearest.ts';
export { type OwnProgram, stateOwnProgram, toOwnCommand, toOwnName } from './base/text/own-command.ts';
export { toPrintable } from './base/text/printable.ts';
export { createRedactor, type Redactor } from './base/text/redact.ts';
export { ConfigError } from './config/document/config-error.ts';
export type { Problem } from './config/document/problem.ts';
export { loadConfig } from './config/file/load.ts';
export { type ConfigWatch, type ConfigWatchOptions, watchConfig } from './config/file/watch.ts';
export type { Config, Mode, ServerDefinition, ToolboxDefinition } from './config/model/config.ts';
export { type LeftOut, type LeftOutItem, type LeftOutServer, listLeftOut } from './config/model/left-out.ts';
export { checkSeparator } from './config/model/separator.ts';
export { parseConfig, parseConfigValue } from './config/read/parse.ts';
export { findConfigHere as findConfigFile } from './config/source/disk.ts';
export { stateDir } from './config/source/paths.ts';
export type { LoginOptions, SignInRequest } from './downstream/oauth/login.ts';
export type { LogoutOutcome } from './downstream/oauth/logout.ts';
export type { SignInStatus, SignIns } from './downstream/oauth/sign-ins.ts';
export { findRunning, type RunningServer, type RunningWorkbench } from './downstream/running/find-running.ts';
export type { Serving } from './downstream/running/record.ts';
export { type KeptRecord, writeRunRecord as keepRunningRecord } from './downstream/running/run-record.ts';
export { type StopOptions, type StopOutcome, stopRunning } from './downstream/running/stop-running.ts';
export { isClientId, listClientIds } from './front/surface/identify-client.ts';
export { type ClientReport, type ClientsReport, reportClients } from './front/surface/report-clients.ts';
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
} from './serve/http/auth/authenticator.ts';
export type { HttpLimits } from './serve/http/limits.ts';
export type { HttpService } from './serve/http/serve-http.ts';
export type { StdioService } from './serve/stdio.ts';
export { judgeNames, longestName, type NameFault } from './toolbox/client-limits.ts';
export { toPortableSchema } from './toolbox/portable-schema.ts';
export type { Change as ToolChange } from './toolbox/shape/shaped.ts';
export type { Address } from './toolbox/toolbox.ts';
export { version } from './version.ts';
export type { CallRecord, Observer } from './workbench/calls/observer.ts';
export type { ToolProgress, ToolRequest } from './workbench/calls/tool-request.ts';
export type { Reload } from './workbench/reload/reload.ts';
export type { ServerStatus } from './workbench/reports/server-status.ts';
export type { HiddenTool, ReshapedTool, ShapeProblem } from './workbench/reports/shape-view.ts';
export type { EntryView as Entry, ToolboxView as Toolbox } from './workbench/reports/toolbox-view.ts';
export { Workbench } from './workbench/workbench.ts';
