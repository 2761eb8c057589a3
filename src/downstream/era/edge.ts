/** What a server edge is: one era's way to shake hands with a server and to put a neutral call on its wire. */
import type { CacheHint } from '../../base/call/cache-hint.ts';
import type { Call, CallOutcome, LogLevel, Outcome, Round } from '../../base/call/call.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { FollowTask } from '../tasks/drive-task.ts';

export type Era = 'legacy' | 'modern';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  /** For people, where the server says so. */
  readonly title?: string;
  readonly description?: string;
}

export interface ServerEdge {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly info: ServerInfo;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** Ids of the Workbenches that it is or leads to, when it is one. */
  readonly reaches: readonly string[];
  /** Whether completion may be asked for. */
  readonly completes: boolean;
  /** The connection is a session: the server was told at its beginning who its client is and what it can do. */
  readonly isSession: boolean;
  /** The server asks by its answers, in rounds, and never by a request of its own. */
  readonly asksInAnswers: boolean;
  /** The server sends log messages for calls that want them, and no others. */
  readonly logsForCallsOnly: boolean;
  /** What goes on the wire for a request of ours; `token` is set when progress is wanted, `call` for a client's call. */
  toParams(params: JsonObject, options: ParamOptions): JsonObject;
  /** What the server says of the task that it made of a call, when that is its answer. */
  findTask(outcome: Outcome, call: Call): JsonObject | undefined;
  readonly followTask: FollowTask;
  /** The answer to a call, without the era's own decoration. */
  toOutcome(outcome: Outcome, call: Call): CallOutcome;
  /** How long a page of a list may be kept, as the server says with it. */
  listHint(page: JsonObject): CacheHint;
  /** Asks the server to tell when its lists change, where that has to be asked for. */
  watchLists(): void;
  /** Asks for the announcements of a resource; `all` is what is watched from now on. Only where the server offers it. */
  subscribe(uri: string, all: readonly string[]): Promise<Outcome>;
  unsubscribe(uri: string, all: readonly string[]): void;
  /** The server says what it will announce, where it says so. */
  acknowledged(params: JsonObject): void;
  /** Makes the server send log messages down to this level, where that is a state of the connection. */
  ensureLogLevel(level: LogLevel): void;
  /** Tells the server that the roots of its client have changed, where it was promised that. */
  rootsChanged(): void;
}

export interface ParamOptions {
  readonly token?: number | undefined;
  readonly call?: Call;
  /** What is answered to the questions of the round before. */
  readonly round?: Round | undefined;
}

/** How we introduce ourselves to servers. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}
