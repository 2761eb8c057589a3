/**
 * The neutral call: what travels from a client edge to a server edge, and what comes back.
 * It holds everything that belongs to a call, so nothing between the edges keeps a session, an era or a transport.
 */

import type { CancelSignal } from '../async/cancel-token.ts';
import type { JsonObject } from '../json/json.ts';
import type { RawJson } from '../json/raw-json.ts';
import type { RpcError } from '../rpc/rpc.ts';
import type { CacheHint } from './cache-hint.ts';
import type { Answer, Question } from './question.ts';
import type { TaskNews, TaskWish } from './task.ts';

/** The caller: one object per session, or per request of a client without a session. */
export interface Client {
  readonly name: string;
  /** The name the client gives itself; undefined when it gives none. */
  readonly version?: string | undefined;
  /** The identity behind the client, as far as it is known: what is kept for one identity is never given to another. */
  readonly principal: string;
  /** Set for a client of the handshake era, which stays connected from call to call and can be asked in between. */
  readonly session?: ClientSession;
  /** What a client without a session declares with this request, as far as it can be passed on to servers. */
  readonly capabilities?: JsonObject | undefined;
}

/**
 * Identifies the client of a request: by its session, or without one by its identity and the name it gives itself, over any
 * number of connections.
 */
export function identityOf(client: Client): Client | string {
  return client.session === undefined
    ? JSON.stringify([client.principal, client.name, client.version ?? null])
    : client;
}

/** The same, for clients with the same capabilities, as a server is told of them. */
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
  /** What the client declared when it connected, as far as it can be passed on to servers. */
  readonly capabilities: JsonObject;
  /** Set when the client wants log messages, down to this level. */
  readonly logLevel?: LogLevel | undefined;
  /** Asks the client outside of any call. */
  ask(question: Question, signal: CancelSignal): Promise<Answer>;
  /** Tells the client something that does not belong to a call. */
  tell(method: string, params: JsonObject): void;
  onRootsChanged(listener: () => void): () => void;
  onClose(listener: () => void): () => void;
}

const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.includes(value as LogLevel);
}

/** Whether a client that asked for `threshold` wants a message of `level`. */
export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** What the client of a call can do, and wants, while the call lasts. */
export interface ClientFeatures {
  /** What the client can do for a server, as far as it can be passed on: see `relayable`. */
  readonly capabilities: JsonObject;
  /** The client accepts the questions of a server as an answer and repeats the call with its own answers: see `inputRequired`. */
  readonly takesQuestions: boolean;
  /** The client can ask its user, who sits at this machine, to open an address. */
  readonly opensUrls: boolean;
  /** Set when the client wants the log messages of the call, down to this level. */
  readonly logLevel: LogLevel | undefined;
}

/** The additions of a call that continues after it was answered with questions. */
export interface Resume {
  /** The client's answers, and the state that came with the questions, byte for byte. */
  readonly round?: Round | undefined;
  /** The user agreed to open an address for this call: the call waits for the sign-in that began then. */
  readonly awaitsUrl: boolean;
}

export interface CallTask {
  /** Run as a task, where the server has tasks of the handshake era: the client asked for one, or the tool wants it. */
  readonly wish?: TaskWish | undefined;
  /**
   * Called when the call becomes a task, and with each report on that task. The outcome of the call is still the end of the task.
   */
  onTask?(news: TaskNews): void;
}

/** All members are always there, so that all calls have one hidden class: a call is copied several times on its way, by spread. */
export interface Call {
  readonly method: string;
  /** The parameters that the client sent, without those that belong to its own hop (era metadata, progress token). */
  readonly params: JsonObject;
  readonly client: Client;
  readonly features: ClientFeatures;
  readonly resume: Resume | undefined;
  readonly task: CallTask | undefined;
  /** Cancelled, disconnected or given up: all the same here. */
  readonly signal: CancelSignal;
  readonly wantsProgress: boolean;
  /** Progress (without a token: each hop has its own) and log messages of this call, in order, before its answer. */
  notify(method: 'notifications/progress' | 'notifications/message', params: JsonObject): void;
  /**
   * Asks the client that made this call. Never rejects: when the client cannot be asked, or does not answer, the outcome is an
   * error that the server may be told. `signal` withdraws the question.
   */
  ask(question: Question, signal?: CancelSignal): Promise<Answer>;
}

/** A call as its server gets it. */
export interface ServerCall extends Call {
  /** The annotations of its tool where a person has set them: they count more than what the server says of itself. */
  readonly hints?: JsonObject;
}

export interface Round {
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
}

/** How a request ends on any transport. */
export type Outcome = { readonly result: RawJson } | { readonly error: RpcError };

/**
 * How a call ends. `hint` says how long the result may be cached; `inputRequired` holds questions of a server (`inputRequests`,
 * `requestState`) for a client that accepts them as an answer.
 */
export type CallOutcome = (Outcome & { readonly hint?: CacheHint }) | { readonly inputRequired: RawJson };
