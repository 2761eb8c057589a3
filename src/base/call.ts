/**
 * The neutral call: what travels from a client edge to a server edge, and what comes back.
 * Everything that belongs to a call is in it, so nothing between the edges keeps a session, an era or a transport.
 */
import type { JsonObject } from './json.ts';
import type { Payload } from './payload.ts';
import type { RpcError } from './rpc.ts';

/** Who calls. One object per connected client: identity is the object itself. */
export interface Client {
  readonly name: string;
}

export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.includes(value as LogLevel);
}

/** Whether a message of `level` is wanted by someone who asked for `threshold` and worse. */
export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

export interface Call {
  readonly method: string;
  /** As the client sent them, without what belongs to its own hop (era metadata, progress token). */
  readonly params: JsonObject;
  readonly client: Client;
  /** Cancelled, disconnected or given up: one thing. */
  readonly signal: AbortSignal;
  readonly wantsProgress: boolean;
  /** The client can ask its user, who sits at this machine, to open an address. */
  readonly opensUrls?: boolean;
  /** The user was asked to for this very call and agreed: what was begun then is waited for. */
  readonly awaitsUrl?: boolean;
  /** Set when the client wants the log messages of this call, down to this level. */
  readonly logLevel?: LogLevel;
  /** Progress (without a token: each hop has its own) and log messages of this call, in order, before its answer. */
  notify(method: 'notifications/progress' | 'notifications/message', params: JsonObject): void;
}

export type Outcome = { readonly result: Payload } | { readonly error: RpcError };
