/** What a server edge is: one era's way to shake hands with a server and to put a neutral call on its wire. */
import type { LogLevel, Outcome } from '../base/call.ts';
import type { JsonObject } from '../base/json.ts';

export type Era = 'legacy' | 'modern';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

export interface ServerEdge {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly info: ServerInfo;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** Whether completion may be asked for. */
  readonly completes: boolean;
  /** What goes on the wire for a request of ours; `token` is set when progress is wanted, `method` for a client's call. */
  toParams(params: JsonObject, options: ParamOptions): JsonObject;
  /** The answer to a method, without the era's own decoration. */
  toOutcome(outcome: Outcome, method: string): Outcome;
  /** Asks the server to tell when its lists change, where that has to be asked for. */
  watchLists(): void;
  /** Makes the server send log messages down to this level, where that is a state of the connection. */
  ensureLogLevel(level: LogLevel): void;
}

export interface ParamOptions {
  readonly method?: string;
  readonly token?: number;
  readonly logLevel?: LogLevel | undefined;
}

/** How we introduce ourselves to servers. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}
