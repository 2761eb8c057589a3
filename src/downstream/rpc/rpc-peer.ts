/**
 * One JSON-RPC conversation with a server: our own ids out, answers and notifications in, each answered exactly once.
 * Knows nothing of eras, processes or MCP methods except that progress belongs to the request whose id is its token, and that
 * the side that made a request may take it back.
 */

import { InFlightMap } from '../../base/async/in-flight-map.ts';
import type { Outcome } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember, type Json, type JsonObject } from '../../base/json/json.ts';
import { notificationText, requestLine, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import {
  classifyLine,
  classifyMessage,
  findAnswered,
  type LineRules,
  type ServerMessage,
  toOwnId,
} from './classify-line.ts';
import { type AnswerRequest, createServerRequests, type ServerRequests } from './server-requests.ts';
import type { Outgoing } from './transport.ts';

/** What the transport of a conversation does for it. */
export interface PeerHandlers {
  /** Where ids are counted over several conversations. */
  newId?(): number;
  /** Name of the server, for messages. */
  readonly server?: string;
  /** Tells later what comes of it, never while it sends. */
  send(message: Outgoing): void;
  /** Takes a request of ours back by the means of the transport; false when it has none and the server must be told. */
  takeBack?(id: number): boolean;
  /** A line is not a JSON-RPC message. */
  onNoise(line: string): void;
  /** Values in one message; a message with more is not parsed. */
  readonly maxValues?: number;
  /** Something came that does not answer a request of ours. */
  onUnasked?(length: number): void;
}

/** Hears what a server says by itself. `stream` is the request of ours on whose own stream it came, where the transport has such streams. */
export interface PeerListener {
  notified(method: string, params: JsonObject, stream: number | undefined): void;
  /** Answers a request of the server. */
  readonly asked: AnswerRequest;
  /** Whether a notification would be left out: called before the line is parsed. */
  refuses(method: string): boolean;
}

export interface PendingRequest {
  readonly id: number;
  readonly outcome: Promise<Outcome>;
  /** Forgets the request without telling the server: a late answer is dropped. */
  abandon(): void;
  /** Forgets it and tells the server. */
  cancel(reason: string): void;
}

/** Waits for an answer: hears of one of both ends, once, and never before `open` has returned. */
export interface Pending {
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
  onProgress?(params: JsonObject): void;
}

export class RpcPeer {
  readonly #handlers: PeerHandlers;
  readonly #rules: LineRules;
  readonly #pending = new InFlightMap<number, Pending>();
  readonly #asked: ServerRequests;
  readonly #over = new AbortController();
  #listener: PeerListener;
  #lastId = 0;
  /** The line that is being read has ended a request. */
  #answered = false;
  #failure: Error | undefined;

  constructor(handlers: PeerHandlers, listener: PeerListener) {
    this.#handlers = handlers;
    this.#listener = listener;
    this.#rules = {
      who: handlers.server === undefined ? 'The server' : `Server '${handlers.server}'`,
      maxValues: handlers.maxValues ?? Number.POSITIVE_INFINITY,
      refuses: (method) => this.#listener.refuses(method),
    };
    this.#asked = createServerRequests({
      answer: (...request) => this.#listener.asked(...request),
      send: (line) => handlers.send({ line }),
    });
  }

  /** What the server is called at the beginning of a sentence. */
  get who(): string {
    return this.#rules.who;
  }

  /** From now on this one hears what the server says by itself. */
  attach(listener: PeerListener): void {
    this.#listener = listener;
  }

  /** `params` may depend on the id, because a progress token is the id of its request. */
  request(method: string, params: (id: number) => JsonObject): PendingRequest {
    let pending!: Pending;
    const outcome = new Promise<Outcome>((resolve, reject) => {
      pending = { resolve, reject };
    });
    const id = this.newId();
    this.open(id, method, params(id), pending);
    return {
      id,
      outcome,
      abandon: () => void this.#abandon(id),
      cancel: (reason) => this.cancel(id, reason),
    };
  }

  /** For a request that will be opened: its params may depend on it. */
  newId(): number {
    return this.#handlers.newId?.() ?? ++this.#lastId;
  }

  /** The same without a promise, for calls: there are so many that it counts. Throws when the params are nested too deep to be written. */
  open(id: number, method: string, params: JsonObject, pending: Pending): void {
    const failure = this.#failure;
    if (failure !== undefined) {
      queueMicrotask(() => pending.reject(failure));
      return;
    }
    const line = requestLine(id, method, params);
    this.#pending.set(id, pending);
    this.#handlers.send({ line, id, method, params });
  }

  /** Forgets a request and tells the server. */
  cancel(id: number, reason: string): void {
    if (!this.#abandon(id)) this.notify('notifications/cancelled', { requestId: id, reason });
  }

  /** Gives whether the server knows of it by the means of the transport. */
  #abandon(id: number): boolean {
    this.#pending.delete(id);
    return this.#handlers.takeBack?.(id) === true;
  }

  notify(method: string, params: JsonObject): void {
    if (this.#failure === undefined) this.#handlers.send({ line: notificationText(method, params), method, params });
  }

  /** Ended with the conversation. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** The conversation is over: everything unanswered fails, and so does everything asked later. */
  fail(error: Error): void {
    this.#failure ??= error;
    const open = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of open) pending.reject(error);
    this.#asked.forget();
    this.#over.abort();
  }

  /** The server has forgotten what it asked: no answer is sent any more. */
  forgetAsked(): void {
    this.#asked.forget();
  }

  /** Whether a request of ours is still unanswered and wanted. */
  awaits(id: number): boolean {
    return this.#pending.has(id);
  }

  /** The answer to a request, told by the transport itself. */
  settle(id: number, outcome: Outcome): void {
    this.#settle(id, outcome);
  }

  /** A request could not be carried, or its answer not be had. */
  reject(id: number, error: Error): void {
    this.#pending.delete(id)?.reject(error);
  }

  /** An answer was lost on its way: the request it belonged to fails, when the message says by how it began and ended which one that is. */
  lose(head: string, error: Error, tail = ''): void {
    const named = findAnswered(head, tail);
    const id = named === null ? this.#findOnly() : named;
    if (id !== undefined) this.reject(id, error);
  }

  #findOnly(): number | undefined {
    const [only, ...others] = this.#pending;
    return others.length === 0 ? only?.[0] : undefined;
  }

  /**
   * One line from the server; `stream` as for the listener. Never throws: a message that cannot be handled (nested too
   * deep to be passed on, say) counts as noise.
   */
  receive(line: string, stream?: number): void {
    this.#answered = false;
    try {
      this.#take(line, stream);
    } catch {
      this.#handlers.onNoise(line);
    }
    if (!this.#answered) this.#handlers.onUnasked?.(line.length);
  }

  #take(line: string, stream: number | undefined): void {
    const found = classifyLine(line, this.#rules);
    if (found.is === 'batch')
      for (const part of found.parts) this.#dispatch(classifyMessage(part, JSON.stringify(part), this.who), stream);
    else if (found.is === 'excess') this.#excess(line, stream);
    else if (found.is === 'broken answer') {
      this.#handlers.onNoise(line);
      this.#broken(found.id);
    } else if (found.is !== 'refused') this.#dispatch(found, stream);
  }

  #dispatch(message: ServerMessage, stream: number | undefined): void {
    if (message.is === 'answer') this.#settle(message.id, message.outcome);
    else if (message.is === 'notification') this.#notified(message.method, message.params, stream);
    else if (message.is === 'request')
      this.#asked.take({ id: message.id, method: message.method, params: message.params, stream });
    else if (message.is === 'noise') this.#handlers.onNoise(message.text);
  }

  #excess(line: string, stream: number | undefined): void {
    const { who, maxValues } = this.#rules;
    const message = `${who} sent a message with more than ${maxValues} values; it was not read.`;
    const failure = new WorkbenchError('WB1317', message);
    if (stream === undefined) this.lose(line, failure, line);
    else this.reject(stream, failure);
  }

  /** Like any answer that says nothing, a broken one ends its request now and not at the time limit. */
  #broken(id: number | undefined): void {
    const error = rpcError(rpcCode.internal, `${this.who} sent an answer that is cut off or not valid JSON.`);
    // A server that ends in the middle of a line fails all its requests at once, and says more by it.
    queueMicrotask(() => this.#settle(id, { error }));
  }

  #settle(id: number | undefined, outcome: Outcome): void {
    const pending = id === undefined ? undefined : this.#pending.delete(id);
    if (pending === undefined) return;
    pending.resolve(outcome);
    // Last of all: what comes of it may be heard as well.
    this.#answered = true;
  }

  #notified(method: string, params: JsonObject, stream: number | undefined): void {
    if (method === 'notifications/cancelled') {
      this.#asked.withdraw(findMember(params, 'requestId'));
      return;
    }
    const pending =
      method === 'notifications/progress' ? this.#findPending(findMember(params, 'progressToken')) : undefined;
    if (pending !== undefined) pending.onProgress?.(params);
    else this.#listener.notified(method, params, stream);
  }

  #findPending(token: Json | undefined): Pending | undefined {
    const id = toOwnId(token);
    return id === undefined ? undefined : this.#pending.get(id);
  }
}
