/** The library: every public name, nothing else. */
import type { Readable, Writable } from 'node:stream';
import { createFront } from './front/create-front.ts';
import { type StdioService, serveStdio as serveFrontStdio } from './serve/stdio.ts';
import { version } from './version.ts';
import { Workbench, type WorkbenchOptions } from './workbench/workbench.ts';

export { type ErrorCode, type ErrorEntry, errorTable, exitCode, WorkbenchError } from './base/errors.ts';
export type { Json, JsonObject } from './base/json.ts';
export { createLog, type Log, type LogRecord, type Severity, toJsonLine, toPlainLine } from './base/log.ts';
export { nearestNames } from './base/nearest.ts';
export { toPrintable } from './base/printable.ts';
export { createRedactor, type Redactor } from './base/redact.ts';
export type { Config, Mode, ServerDefinition, ToolboxDefinition } from './config/config.ts';
export { ConfigError } from './config/config-error.ts';
export { loadConfig } from './config/load.ts';
export { parseConfig, parseConfigValue } from './config/parse.ts';
export { findConfigFile, stateDir } from './config/paths.ts';
export type { Problem } from './config/problem.ts';
export { checkSeparator } from './config/separator.ts';
export type { Address } from './toolbox/toolbox.ts';
export type { ServerStatus } from './workbench/server-status.ts';
export type { ToolProgress, ToolRequest } from './workbench/tool-request.ts';
export type { EntryView as Entry, ToolboxView as Toolbox } from './workbench/toolbox-view.ts';
export type { StdioService };
export { version, Workbench };

const ourName = 'mcp-workbench';

/** A workbench over a configuration. Nothing is started before it is needed; the caller closes it. */
export function createWorkbench(options: Omit<WorkbenchOptions, 'identity'>): Workbench {
  return new Workbench({ ...options, identity: { name: ourName, version } });
}

export interface ServeOptions {
  readonly workbench: Workbench;
  readonly input: Readable;
  readonly output: Writable;
  /** How the server presents itself to clients. */
  readonly name?: string;
  readonly version?: string;
}

/** Serves one client over a pair of streams, in the mode of the workbench's configuration. */
export function serveStdio(options: ServeOptions): StdioService {
  const { workbench, input, output } = options;
  const identity = { name: options.name ?? ourName, version: options.version ?? version };
  return serveFrontStdio({ front: createFront(workbench), identity, input, output, log: workbench.log });
}
