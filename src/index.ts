/** The library: every public name, nothing else. */
import type { Readable, Writable } from 'node:stream';
import { WorkbenchError } from './base/errors.ts';
import { isLoopback } from './base/loopback.ts';
import { workbenchName } from './base/trail.ts';
import type { Config, Mode } from './config/config.ts';
import { toRefusal } from './config/refusal.ts';
import type { SignIns, SignInsOptions } from './downstream/oauth/sign-ins.ts';
import { createFront } from './front/create-front.ts';
import type { Front } from './front/front.ts';
import { createScopedFronts } from './front/scoped-fronts.ts';
import { type Authenticator, openAuthenticator } from './serve/http/authenticator.ts';
import type { HttpLimits } from './serve/http/limits.ts';
import { findToolboxName } from './serve/http/route.ts';
import type { HttpService } from './serve/http/serve-http.ts';
import { refuseStdio as refuseWith } from './serve/refuse-stdio.ts';
import { type StdioService, serveStdio as serveFrontStdio } from './serve/stdio.ts';
import { version } from './version.ts';
import { scopeBench } from './workbench/bench.ts';
import type { WorkbenchOptions } from './workbench/options.ts';
import { Workbench } from './workbench/workbench.ts';

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
export {
  type Authenticator,
  type AuthVerdict,
  createTokenAuthenticator,
  openAuthenticator,
  type Principal,
} from './serve/http/authenticator.ts';
export { judgeNames, longestName, type NameFault } from './toolbox/client-limits.ts';
export type { Address } from './toolbox/toolbox.ts';
export type { CallRecord, Observer } from './workbench/observer.ts';
export type { Reload } from './workbench/reload.ts';
export type { ServerStatus } from './workbench/server-status.ts';
export type { ToolProgress, ToolRequest } from './workbench/tool-request.ts';
export type { EntryView as Entry, ToolboxView as Toolbox } from './workbench/toolbox-view.ts';
export type { HttpLimits, HttpService, StdioService };
export { version, Workbench };

const ourName = workbenchName;

/** A workbench over a configuration. Nothing is started before it is needed; the caller closes it. */
export function createWorkbench(options: Omit<WorkbenchOptions, 'identity'>): Workbench {
  return new Workbench({ ...options, identity: { name: ourName, version } });
}

/** Signing in to the servers of a configuration, for the person at this machine. */
export async function openSignIns(options: SignInsOptions): Promise<SignIns> {
  const { createSignIns } = await import('./downstream/oauth/sign-ins.ts');
  return createSignIns(options);
}

/** Opens an address that a sign-in has shown; resolves to whether a browser could be started. */
export async function openBrowser(url: URL): Promise<boolean> {
  const { openBrowser: open } = await import('./net/open-browser.ts');
  return open(url, process.platform);
}

export interface ServeOptions {
  readonly workbench: Workbench;
  readonly input: Readable;
  readonly output: Writable;
  /** How the server presents itself to clients. */
  readonly name?: string;
  readonly version?: string;
  /** Replaces the value in the configuration of the workbench. */
  readonly mode?: Mode;
  readonly separator?: string;
}

/**
 * Serves one client over a pair of streams, by default in the mode of the workbench's configuration. Can be called for any number
 * of clients of one workbench; then call `workbench.admit('many')` first.
 */
export function serveStdio(options: ServeOptions): StdioService {
  const { workbench, input, output } = options;
  const identity = { name: options.name ?? ourName, version: options.version ?? version };
  const { limits } = workbench.config;
  workbench.admit('one');
  const front = frontOf(workbench, options);
  return serveFrontStdio({
    ...{ front, identity, input, output, log: workbench.log },
    maxMessageBytes: limits.requestBytes,
    maxMessageValues: limits.requestValues,
    maxRequests: limits.requestsPerClient,
    maxPendingBytes: limits.pendingBytes,
  });
}

export interface RefuseOptions extends Pick<ServeOptions, 'input' | 'output'> {
  /** Why nothing can be served. */
  readonly error: WorkbenchError;
}

/** Tells the client of a pair of streams why it cannot be served, in answer to its first request; resolves when that is done. */
export function refuseStdio({ error, ...options }: RefuseOptions): Promise<void> {
  return refuseWith({ ...options, error: toRefusal(error) });
}

/** Clients with the same view share its parts. */
const fronts = new WeakMap<Workbench, Map<string, Front>>();

function frontOf(workbench: Workbench, { mode, separator }: Pick<ServeOptions, 'mode' | 'separator'>): Front {
  const known = fronts.get(workbench) ?? new Map<string, Front>();
  fronts.set(workbench, known);
  const key = JSON.stringify([mode ?? null, separator ?? null]);
  const front = known.get(key) ?? createFront(scopeBench(workbench, { mode, separator }));
  known.set(key, front);
  return front;
}

export interface ServeHttpOptions {
  readonly workbench: Workbench;
  /**
   * Who may connect: `createTokenAuthenticator`, `openAuthenticator` (on this machine only), or one of your own; or a function
   * that returns it for the port in use, so that a token for one port is not valid on another. Without it: every client with a
   * token that `auth` of the configuration accepts.
   */
  readonly authenticator?: Authenticator | ((port: number) => Authenticator);
  /** How the server presents itself to clients. */
  readonly name?: string;
  readonly version?: string;
  /** This option and the following ones replace what `http` of the configuration says; lists are added to it. */
  readonly host?: string;
  /** The only port that is tried; without it 3917, or the next free one where no token is for another port. */
  readonly port?: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly sse?: boolean;
  readonly limits?: Partial<HttpLimits>;
}

/** Where `serveHttp` listens by default. */
export const usualHttpPort = 3917;

/** Serves any number of clients over HTTP: everything at `/mcp`, each toolbox at `/mcp/<toolbox>`. The caller closes it. */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpService> {
  const { workbench } = options;
  const { http, leftOut } = workbench.config;
  // The rules for who may connect, or what they may use, have mistakes.
  if (leftOut?.closesHttp === true) throw leftOut.error;
  const port = options.port ?? http.port;
  workbench.admit('many');
  const findFront = createScopedFronts(workbench);
  const isReady = watchReadiness(workbench);
  const { serveHttp: serveFronts } = await import('./serve/http/serve-http.ts');
  return serveFronts({
    findFront: (path, { toolboxes }) => findFront({ toolbox: findToolboxName(path), allowed: toolboxes }),
    isReady,
    identity: { name: options.name ?? ourName, version: options.version ?? version },
    log: workbench.log,
    host: options.host ?? http.host,
    port: port ?? usualHttpPort,
    portFixed: port !== undefined || isOneForAllPorts(options.authenticator),
    authenticator: options.authenticator ?? (await createConfiguredAuthenticator(workbench, options.host ?? http.host)),
    allowedHosts: [...publicHosts(http.publicUrl), ...http.allowedHosts, ...(options.allowedHosts ?? [])],
    allowedOrigins: [...http.allowedOrigins, ...(options.allowedOrigins ?? [])],
    sse: options.sse ?? http.sse,
    limits: { bodyBytes: http.maxBodyBytes, ...toHttpLimits(workbench.config), ...options.limits },
  });
}

function toHttpLimits({ limits }: Config): Partial<HttpLimits> {
  return {
    bodyValues: limits.requestValues,
    requestsPerClient: limits.requestsPerClient,
    connections: limits.httpConnections,
    sessions: limits.httpSessions,
    sessionIdleMs: limits.httpSessionIdleMs,
    streams: limits.httpStreams,
    streamsPerSession: limits.httpStreamsPerSession,
    pendingBytes: limits.pendingBytes,
  };
}

/**
 * Resolves when clients can be sent here: the servers that are needed from the beginning have had their time to start. A caller
 * that waits for this has them started, otherwise the first client does, so that the servers can be told what that client can do.
 * A server that is started later, or again, holds up only its own calls.
 */
function watchReadiness(workbench: Workbench): () => boolean {
  const isUnknown = () => workbench.servers().some(({ state }) => state === 'configured' || state === 'starting');
  let ready = workbench.config.mode !== 'flat' || !isUnknown();
  let begun = ready;
  return () => {
    ready ||= !isUnknown();
    if (!ready && !begun) {
      begun = true;
      workbench.startMissing();
      void workbench.settled().then(() => {
        ready = true;
      });
    }
    return ready;
  };
}

/** A client sends our token to the port it knows: if another program has that port, the token must not open the next one. */
function isOneForAllPorts(authenticator: ServeHttpOptions['authenticator']): boolean {
  return typeof authenticator === 'object' && authenticator !== openAuthenticator;
}

async function createConfiguredAuthenticator(workbench: Workbench, host: string): Promise<Authenticator> {
  const { config, log } = workbench;
  if (config.auth === undefined)
    throw new WorkbenchError(
      'WB1901',
      'Clients could not authenticate: there is neither an authenticator nor "auth".',
      {
        fix: 'Pass an authenticator to serveHttp, or add "auth" to the configuration.',
      },
    );
  const { createIssuerAuthenticator } = await import('./serve/http/issuer-authenticator.ts');
  const { publicUrl } = config.http;
  if (publicUrl === undefined && !isLoopback(host))
    throw new WorkbenchError(
      'WB1314',
      `The address that tokens for ${host} are issued for is not known: "publicUrl" is missing.`,
    );
  return createIssuerAuthenticator({
    ...config.auth,
    publicUrl,
    toolboxes: () => workbench.config.toolboxes.keys(),
    log,
  });
}

function publicHosts(publicUrl: string | undefined): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).host];
}
