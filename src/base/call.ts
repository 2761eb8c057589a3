/**
 * The neutral call: what travels from a client edge to a server edge, and what comes back.
 * Everything that belongs to a call is in it, so nothing between the edges keeps a session, an era or a transport.
 */
import type { CacheHint } from './cache-hint.ts';
import type { JsonObject } from './json.ts';
import type { Payload } from './payload.ts';
import type { Answer, Question } from './question.ts';
import type { RpcError } from './rpc.ts';
import type { StopSignal } from './stop.ts';
import type { TaskNews, TaskWish } from './task.ts';

/** Who calls: one object for each session, or for each request of a client that has none. */
export interface Client {
  readonly name: string;
  /** As it says itself; undefined when it says nothing. */
  readonly version?: string | undefined;
  /** Who stands behind it, as far as that is known: what is kept for one is never given to another. */
  readonly principal: string;
  /** Set for a client of the handshake era, which stays connected from call to call and can be asked in between. */
  readonly session?: ClientSession;
  /** What a client without a session says that it can do, with this request, as far as it can be passed on to servers. */
  readonly capabilities?: JsonObject | undefined;
}

/**
 * What makes two requests those of one client: its session; without one, who stands behind it and how it calls itself, over
 * however many connections it comes.
 */
export function identityOf(client: Client): Client | string {
  return client.session === undefined
    ? JSON.stringify([client.principal, client.name, client.version ?? null])
    : client;
}

/** What makes two requests those of one client that can do the same, as a server is told of it. */
export function ownKeyOf(client: Client): Client | string {
  const identity = identityOf(client);
  return typeof identity === 'string' ? JSON.stringify([identity, capabilitiesOf(client)]) : identity;
}

export function sameClient(one: Client, other: Client): boolean {
  return one === other || identityOf(one) === identityOf(other);
}

/** What a client can do for a server, as far as it can be passed on. */
export function capabilitiesOf({ session, capabilities }: Client): JsonObject {
  return session?.capabilities ?? capabilities ?? {};
}

export interface ClientSession {
  /** What it declared when it connected, as far as it can be passed on to servers. */
  readonly capabilities: JsonObject;
  /** Set when it wants log messages, down to this level. */
  readonly logLevel?: LogLevel | undefined;
  /** Asks outside of any call. */
  ask(question: Question, signal: StopSignal): Promise<Answer>;
  /** Tells the client something that belongs to no call. */
  tell(method: string, params: JsonObject): void;
  onRootsChanged(listener: () => void): () => void;
  onClose(listener: () => void): () => void;
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
  /** What the client can do for a server during this call, as far as it can be passed on: see `relayable`. */
  readonly capabilities: JsonObject;
  /** The client takes the questions of a server as an answer and repeats the call with what it was told: see `inputRequired`. */
  readonly takesQuestions: boolean;
  /** What the client answered to the questions of an earlier round, and the state that came with them, byte for byte. */
  readonly round?: Round | undefined;
  /** Cancelled, disconnected or given up: one thing. */
  readonly signal: StopSignal;
  readonly wantsProgress: boolean;
  /** Run as a task, where the server has tasks of the handshake era: the client asked for one, or the tool wants it. */
  readonly task?: TaskWish | undefined;
  /** The call has become a task, and whenever it is told how that is doing; what it ends with is still the outcome of the call. */
  readonly onTask?: ((news: TaskNews) => void) | undefined;
  /** The client can ask its user, who sits at this machine, to open an address. */
  readonly opensUrls?: boolean | undefined;
  /** The user was asked to for this very call and agreed: what was begun then is waited for. */
  readonly awaitsUrl?: boolean | undefined;
  /** Set when the client wants the log messages of this call, down to this level. */
  readonly logLevel?: LogLevel | undefined;
  /** Progress (without a token: each hop has its own) and log messages of this call, in order, before its answer. */
  notify(method: 'notifications/progress' | 'notifications/message', params: JsonObject): void;
  /**
   * Asks whoever made this call, and nobody else. Never rejects: what cannot be asked, or is not answered, is an error that
   * the server may be told. `signal` takes the question back.
   */
  ask(question: Question, signal?: StopSignal): Promise<Answer>;
}

/**
 * The same call with some parts of its own. Written out, as in `toCall`, so that all calls are objects of one shape: a call is copied
 * at several places on its way, and a spread of an object with optional members takes ten times as long.
 */
export function withParts(call: Call, parts: Partial<Pick<Call, 'params' | 'notify' | 'ask'>>): Call {
  return {
    method: call.method,
    params: parts.params ?? call.params,
    client: call.client,
    capabilities: call.capabilities,
    takesQuestions: call.takesQuestions,
    round: call.round,
    signal: call.signal,
    wantsProgress: call.wantsProgress,
    task: call.task,
    onTask: call.onTask,
    opensUrls: call.opensUrls,
    awaitsUrl: call.awaitsUrl,
    logLevel: call.logLevel,
    notify: parts.notify ?? call.notify,
    ask: parts.ask ?? call.ask,
  };
}

export interface Round {
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
}

/** How a request ends on any wire. */
export type Outcome = { readonly result: Payload } | { readonly error: RpcError };

/** How a call ends; `hint` says how long what was read may be kept; with `inputRequired`, questions of a server (`inputRequests`, `requestState`), for a client that takes them as an answer. */
export type CallOutcome = (Outcome & { readonly hint?: CacheHint }) | { readonly inputRequired: Payload };
