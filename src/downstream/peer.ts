/**
 * One JSON-RPC conversation with a server: our own ids out, answers and notifications in, each answered exactly once.
 * Knows nothing of eras, processes or MCP methods except that progress belongs to the request whose id is its token, and that
 * whoever asked may take a request back.
 */
import type { Outcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { findMember, isObject, type Json, type JsonObject } from '../base/json.ts';
import { findExcess } from '../base/json-bounds.ts';
import { findOuterId } from '../base/leading-id.ts';
import { longText } from '../base/long-text.ts';
import { OpenMap } from '../base/open-map.ts';
import { Payload } from '../base/payload.ts';
import { isRpcId, notificationText, requestLine, rpcCode, rpcError } from '../base/rpc.ts';
import { splitAnswer } from './answer.ts';
import type { Outgoing } from './carrier.ts';
import { answeredId, answersFirst, leadingMethod, looksLikeMessage } from './line-shapes.ts';
import { type AnswerRequest, createServerRequests, type ServerRequests } from './server-requests.ts';

export interface PeerHandlers {
  /** Where ids are counted over several conversations. */
  newId?(): number;
  /** Name of the server, for messages. */
  readonly server?: string;
  /** What comes of it is told later, never while it is sent. */
  send(message: Outgoing): void;
  /** Takes a request of ours back by the means of the transport; false when it has none and the server must be told. */
  takeBack?(id: number): boolean;
  /** `stream` is the request on whose own stream the notification came, where the transport has such streams. */
  onNotification(method: string, params: JsonObject, stream: number | undefined): void;
  /** A request of the server. */
  readonly onRequest: AnswerRequest;
  /** A line that is no JSON-RPC message. */
  onNoise(line: string): void;
  /** Values in one message; one with more is not parsed. */
  readonly maxValues?: number;
  /** Whether a notification would be left out: asked before it is parsed. */
  refuses?(method: string): boolean;
  /** Something came that answers no request of ours. */
  onUnasked?(length: number): void;
}

export interface Exchange {
  readonly id: number;
  readonly outcome: Promise<Outcome>;
  /** Forgets the request without telling the server: a late answer is dropped. */
  abandon(): void;
  /** Forgets it and tells the server. */
  cancel(reason: string): void;
}

/** Whoever waits for an answer: hears of one of both ends, once, and never before `open` has returned. */
export interface Pending {
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
  onProgress?(params: JsonObject): void;
}

export class Peer {
  readonly #handlers: PeerHandlers;
  readonly #pending = new OpenMap<number, Pending>();
  readonly #asked: ServerRequests;
  readonly #over = new AbortController();
  #lastId = 0;
  /** The line that is being read has ended a request. */
  #answered = false;
  #failure: Error | undefined;

  /** How the server is called at the beginning of a sentence. */
  readonly who: string;

  constructor(handlers: PeerHandlers) {
    this.#handlers = handlers;
    this.#asked = createServerRequests({ answer: handlers.onRequest, send: (line) => handlers.send({ line }) });
    this.who = handlers.server === undefined ? 'The server' : `Server '${handlers.server}'`;
  }

  /** `params` may depend on the id, because a progress token is the id of its request. */
  request(method: string, params: (id: number) => JsonObject): Exchange {
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

  /** The same for whoever makes so many that a promise and its functions count. Throws when the params are nested too deep to be written. */
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
    this.#pending.take(id);
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

  /** The server has forgotten what it asked: nobody is to answer that any more. */
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
    this.#pending.take(id)?.reject(error);
  }

  /** An answer was lost on its way: the request it belonged to fails, when that can be told by how it began and ended. */
  lose(head: string, error: Error, tail = ''): void {
    const named = answeredId.exec(head)?.[1] ?? (answersFirst.test(head) ? findOuterId('', tail) : null);
    const id = named === null ? this.#findOnly() : toOwnId(named);
    if (id !== undefined) this.reject(id, error);
  }

  #findOnly(): number | undefined {
    const [only, ...others] = this.#pending;
    return others.length === 0 ? only?.[0] : undefined;
  }

  /**
   * One line from the server; `stream` as in `onNotification`. Never throws: a message that cannot be handled (nested too
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
    const { maxValues = Number.POSITIVE_INFINITY } = this.#handlers;
    const excess =
      line.length < longText || !looksLikeMessage.test(line) ? undefined : findExcess(line, { values: maxValues });
    if (excess !== undefined) {
      const message = `${this.who} sent a message with more than ${maxValues} values; it was not read.`;
      const failure = new WorkbenchError('WB1317', message);
      if (stream === undefined) this.lose(line, failure, line);
      else this.reject(stream, failure);
      return;
    }
    const answer = splitAnswer(line);
    if (answer !== undefined) {
      this.#settle(answer.id, { result: answer.result });
      return;
    }
    const told = leadingMethod.exec(line)?.[1];
    if (told !== undefined && this.#handlers.refuses?.(told) === true) return;
    // What is no message seldom begins like one, and a parser that fails is slow.
    if (!looksLikeMessage.test(line)) {
      this.#handlers.onNoise(line);
      return;
    }
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      this.#handlers.onNoise(line);
      this.#broken(line);
      return;
    }
    if (Array.isArray(message)) for (const part of message) this.#dispatch(part, JSON.stringify(part), stream);
    else this.#dispatch(message, line, stream);
  }

  #dispatch(message: Json, line: string, stream: number | undefined): void {
    if (!isObject(message)) {
      this.#handlers.onNoise(line);
      return;
    }
    const id = findMember(message, 'id');
    const method = findMember(message, 'method');
    if (typeof method === 'string') {
      const params = findMember(message, 'params');
      if (id === undefined) this.#notified(method, isObject(params) ? params : {}, stream);
      else if (isRpcId(id)) this.#asked.take({ id, method, params, stream });
      return;
    }
    if (typeof id === 'string' || typeof id === 'number') this.#settle(toOwnId(id), toOutcome(message, line, this.who));
    else this.#handlers.onNoise(line);
  }

  /** There will be no more of a broken answer: like any that says nothing, it ends its request now and not at the time limit. */
  #broken(line: string): void {
    const named = answeredId.exec(line)?.[1];
    if (named === undefined) return;
    const error = rpcError(rpcCode.internal, `${this.who} sent an answer that is cut off or no valid JSON.`);
    // A server that ends in the middle of a line fails all its requests at once, and says more by it.
    queueMicrotask(() => this.#settle(toOwnId(named), { error }));
  }

  #settle(id: number | undefined, outcome: Outcome): void {
    const pending = id === undefined ? undefined : this.#pending.take(id);
    if (pending === undefined) return;
    pending.resolve(outcome);
    // Last of all: what comes of it may be heard as well.
    this.#answered = true;
  }

  #notified(method: string, params: JsonObject, stream: number | undefined): void {
    if (method === 'notifications/progress') {
      const id = toOwnId(findMember(params, 'progressToken'));
      const pending = id === undefined ? undefined : this.#pending.get(id);
      if (pending !== undefined) pending.onProgress?.(params);
      else this.#handlers.onNotification(method, params, stream);
    } else if (method === 'notifications/cancelled') this.#asked.withdraw(findMember(params, 'requestId'));
    else this.#handlers.onNotification(method, params, stream);
  }
}

const integer = /^[1-9]\d{0,14}$/;

/** Some servers answer with the id as the other JSON type; ours are integers, so both spellings are one. */
function toOwnId(id: Json | undefined): number | undefined {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && integer.test(id) ? Number(id) : undefined;
}

/** An answer that is neither a result nor an error still ends its request, at once rather than at the time limit. */
function toOutcome(message: JsonObject, text: string, who: string): Outcome {
  const error = findMember(message, 'error');
  if (isObject(error)) {
    const code = findMember(error, 'code');
    const text = findMember(error, 'message');
    return {
      error: {
        ...error,
        code: Number.isInteger(code) ? (code as number) : rpcCode.internal,
        message: typeof text === 'string' ? text : `${who} reported an error without a message.`,
      },
    };
  }
  const result = Payload.ofText(text, message).find('result');
  if (result !== undefined) return { result };
  return {
    error: rpcError(rpcCode.internal, `${who} sent an answer that has neither a result object nor an error.`),
  };
}
