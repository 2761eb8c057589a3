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

/** What the client of a call can do, and wants, while the call lasts. */
export interface ClientFeatures {
  /** What it can do for a server, as far as it can be passed on: see `relayable`. */
  readonly capabilities: JsonObject;
  /** It takes the questions of a server as an answer and repeats the call with what it was told: see `inputRequired`. */
  readonly takesQuestions: boolean;
  /** It can ask its user, who sits at this machine, to open an address. */
  readonly opensUrls: boolean;
  /** Set when it wants the log messages of the call, down to this level. */
  readonly logLevel: LogLevel | undefined;
}

/** With what a call goes on that was answered with questions before. */
export interface Resume {
  /** The client's answers, and the state that came with the questions, byte for byte. */
  readonly round?: Round | undefined;
  /** The user agreed to open an address for this very call: what began then is waited for. */
  readonly awaitsUrl: boolean;
}

export interface CallTask {
  /** Run as a task, where the server has tasks of the handshake era: the client asked for one, or the tool wants it. */
  readonly wish?: TaskWish | undefined;
  /** The call has become a task, and whenever there is news of it. The outcome of the call is still what the task ends with. */
  onTask?(news: TaskNews): void;
}

/** All members are always there, so that all calls have one hidden class: a call is copied several times on its way, by spread. */
export interface Call {
  readonly method: string;
  /** As the client sent them, without what belongs to its own hop (era metadata, progress token). */
  readonly params: JsonObject;
  readonly client: Client;
  readonly features: ClientFeatures;
  readonly resume: Resume | undefined;
  readonly task: CallTask | undefined;
  /** Cancelled, disconnected or given up: one thing. */
  readonly signal: StopSignal;
  readonly wantsProgress: boolean;
  /** Progress (without a token: each hop has its own) and log messages of this call, in order, before its answer. */
  notify(method: 'notifications/progress' | 'notifications/message', params: JsonObject): void;
  /**
   * Asks the client that made this call. Never rejects: where the client cannot be asked, or does not answer, the outcome is an
   * error that the server may be told. `signal` takes the question back.
   */
  ask(question: Question, signal?: StopSignal): Promise<Answer>;
}

export interface Round {
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
}

/** How a request ends on any wire. */
export type Outcome = { readonly result: Payload } | { readonly error: RpcError };

/** How a call ends; `hint` says how long what was read may be kept; with `inputRequired`, questions of a server (`inputRequests`, `requestState`), for a client that takes them as an answer. */
export type CallOutcome = (Outcome & { readonly hint?: CacheHint }) | { readonly inputRequired: Payload };
