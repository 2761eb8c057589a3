/**
 * Streamable HTTP of the handshake era. Begins a new session, once and unnoticed by clients, when the server has lost it; resumes
 * streams where they broke off; reads announcements on a stream of their own.
 */
import { within } from '../../base/async/clock.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { notificationText, requestText } from '../../base/rpc/rpc.ts';
import type { Outgoing } from '../rpc/transport.ts';
import type { HttpAnswer } from './client.ts';
import { lostAnswer, toStatusFailure } from './failure.ts';
import { bothTypes, failRequest, type HttpChannel, type HttpChannelContext, saysUnknown } from './http-channel.ts';
import { keepStream } from './keep-stream.ts';
import { dropBody, readBodyText } from './read-body.ts';
import { type ResponseSink, readResponse, responseSinkOf } from './read-response.ts';
import { resume } from './resume.ts';
import { findRpcError, isModernError } from './rpc-answer.ts';
import { findSessionId, findSessionVersion, type HttpSession, noSession, sessionHeaders } from './session.ts';

const maxErrorBytes = 1024 * 1024;
const farewellMs = 1_000;
const takenBackMs = 5_000;

export interface LegacyChannelOptions {
  /** Tries an older transport for `initialize` and everything after it; false when the server does not have it. */
  fallBack?(message: Outgoing): Promise<boolean>;
}

export class LegacyChannel implements HttpChannel {
  readonly #context: HttpChannelContext;
  readonly #options: LegacyChannelOptions;
  readonly #closed = new AbortController();
  #session: HttpSession = noSession;
  /** Settled when requests may be sent: after `notifications/initialized` has arrived. */
  #ready: Promise<void> = Promise.resolve();
  /** What a new session has to be told again. */
  #initialize: JsonObject = {};
  #logLevel: JsonObject | undefined;
  #renewals = 0;
  #announcements: AbortController | undefined;
  readonly #open = new Map<number, AbortController>();
  /** Notifications on their way to the server, such as that a call is cancelled. */
  readonly #telling = new Set<Promise<void>>();
  #closing = false;

  constructor(context: HttpChannelContext, options: LegacyChannelOptions = {}) {
    this.#context = context;
    this.#options = options;
  }

  send(message: Outgoing): void {
    const { method, params = {} } = message;
    if (method === 'initialize') {
      this.#initialize = params;
      this.#run(message, this.#begin(message));
    } else if (method === 'notifications/initialized') {
      this.#ready = this.#introduce(String(message.line));
      this.#run(message, this.#ready);
    } else {
      if (method === 'logging/setLevel') this.#logLevel = params;
      this.#run(message, this.#exchange(message));
    }
  }

  /** A request goes on at the server when its stream is closed: the server has to be told, and gets some time to answer. */
  takeBack(id: number): boolean {
    const control = this.#open.get(id);
    if (control !== undefined) this.#context.clock.after(takenBackMs, () => control.abort());
    return false;
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    const { endpoint, clock } = this.#context;
    for (const control of this.#open.values()) control.abort();
    this.#announcements?.abort();
    // A server may go on with a call that it was not told to cancel, with or without a session.
    if (this.#telling.size > 0) await within(clock, farewellMs, Promise.all(this.#telling));
    this.#closed.abort();
    if (this.#session.id === undefined) return;
    const limit = new AbortController();
    const stopTimer = clock.after(farewellMs, () => limit.abort());
    const headers = sessionHeaders(this.#session);
    // A server that refuses this ends the session in its own time.
    await endpoint.ask({ method: 'DELETE', headers, signal: limit.signal }).then(dropBody, () => {});
    stopTimer();
  }

  #run(message: Outgoing, done: Promise<void>): void {
    const over = done.catch((error: unknown) => {
      if (!this.#closing) failRequest(this.#context, message, error);
    });
    if (message.id !== undefined) return;
    this.#telling.add(over);
    void over.then(() => this.#telling.delete(over));
  }

  #post(body: string, session: HttpSession, signal = this.#closed.signal): Promise<HttpAnswer> {
    return this.#context.endpoint.ask({
      method: 'POST',
      headers: [['content-type', 'application/json'], ['accept', bothTypes], ...sessionHeaders(session)],
      body,
      signal,
    });
  }

  async #begin(message: Outgoing): Promise<void> {
    const { peer, endpoint } = this.#context;
    const id = message.id as number;
    this.#session = noSession;
    const answer = await this.#post(String(message.line), noSession);
    if (answer.status < 300) {
      await this.#hearSession(answer, responseSinkOf(this.#context, id));
      return;
    }
    const error = findRpcError((await readBodyText(answer, maxErrorBytes)) ?? '');
    const mayBeOlder = saysUnknown(answer.status) && (error === undefined || !isModernError(error));
    if (mayBeOlder && (await this.#options.fallBack?.(message)) === true) return;
    if (error === undefined) throw toStatusFailure({ server: endpoint.server, url: answer.url }, answer.status);
    peer.settle(id, { error });
  }

  /** The session is set before the hearer gets the message, because its next message already belongs to the session. */
  async #hearSession(answer: HttpAnswer, hearer: ResponseSink): Promise<void> {
    const id = findSessionId(answer);
    const receive = (text: string) => {
      const version = findSessionVersion(text);
      if (version !== undefined) this.#session = { id, version };
      hearer.receive(text);
    };
    const unanswered = await readResponse(this.#context, answer, { ...hearer, receive });
    if (unanswered !== undefined) throw lostAnswer(this.#context.endpoint.server);
  }

  async #introduce(line: string): Promise<void> {
    dropBody(await this.#post(line, this.#session));
    this.#announcements?.abort();
    this.#announcements = new AbortController();
    void this.#hearAnnouncements(this.#session, this.#announcements.signal);
  }

  async #exchange(message: Outgoing): Promise<void> {
    const { id } = message;
    if (id === undefined) return this.#carry(message, this.#closed.signal);
    const control = new AbortController();
    if (this.#closed.signal.aborted) control.abort();
    this.#open.set(id, control);
    try {
      await this.#carry(message, control.signal);
    } finally {
      this.#open.delete(id);
    }
  }

  async #carry(message: Outgoing, signal: AbortSignal): Promise<void> {
    const asked = this.#session;
    await this.#ready;
    let session = this.#session;
    // Our answer belongs to the session in which the server asked; another session may use the same id for another question.
    if (message.method === undefined && session !== asked) return;
    let answer = await this.#post(String(message.line), session, signal);
    if (answer.status === 404 && session.id !== undefined) {
      dropBody(answer);
      // A message without an id belonged to the lost session.
      if (message.id === undefined) return;
      await this.#renew(session);
      session = this.#session;
      answer = await this.#post(String(message.line), session, signal);
      if (answer.status === 404) {
        dropBody(answer);
        throw sessionLost(this.#context.endpoint.server);
      }
    }
    if (message.id === undefined) dropBody(answer);
    else await this.#hear(message.id, answer, session, signal);
  }

  async #hear(id: number, answer: HttpAnswer, session: HttpSession, signal: AbortSignal): Promise<void> {
    const { endpoint, peer } = this.#context;
    if (answer.status >= 300) {
      const error = findRpcError((await readBodyText(answer, maxErrorBytes)) ?? '');
      if (error === undefined) throw toStatusFailure({ server: endpoint.server, url: answer.url }, answer.status);
      peer.settle(id, { error });
      return;
    }
    const hearer = responseSinkOf(this.#context, id);
    const unanswered = await readResponse(this.#context, answer, hearer);
    if (unanswered === undefined) return;
    const open = (lastEventId: string) => this.#get(session, lastEventId, signal);
    await resume(this.#context, { position: unanswered, hearer, signal, open });
  }

  #get(session: HttpSession, lastEventId: string | undefined, signal: AbortSignal): Promise<HttpAnswer> {
    const resumed: [string, string][] = lastEventId === undefined ? [] : [['last-event-id', lastEventId]];
    const headers: [string, string][] = [['accept', 'text/event-stream'], ...sessionHeaders(session), ...resumed];
    return this.#context.endpoint.ask({ method: 'GET', headers, signal });
  }

  async #hearAnnouncements(session: HttpSession, signal: AbortSignal): Promise<void> {
    const { clock, pace, peer, onListAnnounced, log } = this.#context;
    let heard = false;
    await keepStream({
      clock,
      pace,
      maxAnswerBytes: this.#context.maxAnswerBytes,
      signal,
      open: async (lastEventId) => {
        const answer = await this.#get(session, lastEventId, signal);
        if (answer.status === 200 && answer.type === 'text/event-stream') {
          heard = true;
          return answer;
        }
        dropBody(answer);
        // A server that had this stream and does not know us any more has lost the session, say by a restart.
        if (heard && answer.status === 404 && session.id !== undefined) void this.#renew(session).catch(() => {});
        else log.debug('server has no stream of announcements', { status: answer.status });
        return undefined;
      },
      onMessage: (text) => peer.receive(text),
      onReopened: onListAnnounced,
    });
  }

  /** Many calls may find the same session lost; the first begins the new one, and all wait for it. */
  #renew(lost: HttpSession): Promise<void> {
    if (this.#session !== lost) return this.#ready;
    this.#session = noSession;
    this.#context.peer.forgetAsked();
    this.#ready = this.#beginAgain();
    this.#ready.catch((error: unknown) => {
      const failure = error instanceof WorkbenchError ? error : sessionLost(this.#context.endpoint.server);
      if (!this.#closing) this.#context.onLost(failure);
    });
    return this.#ready;
  }

  async #beginAgain(): Promise<void> {
    const { endpoint, log, onListAnnounced } = this.#context;
    log.info('session lost, beginning another one', {});
    const id = `again-${++this.#renewals}`;
    const answer = await this.#post(requestText(id, 'initialize', this.#initialize), noSession);
    if (answer.status >= 300) {
      dropBody(answer);
      throw toStatusFailure({ server: endpoint.server, url: answer.url }, answer.status);
    }
    const hearer = expectResult(id);
    await this.#hearSession(answer, hearer);
    if (!hearer.succeeded() || this.#session.version === undefined) throw sessionLost(endpoint.server);
    await this.#introduce(notificationText('notifications/initialized', {}));
    if (this.#logLevel !== undefined)
      dropBody(await this.#post(requestText(`${id}-level`, 'logging/setLevel', this.#logLevel), this.#session));
    onListAnnounced();
  }
}

/** Waits for the answer to a request that the peer does not know. */
function expectResult(id: string): ResponseSink & { succeeded(): boolean } {
  let state: 'waiting' | 'succeeded' | 'failed' = 'waiting';
  return {
    receive(text) {
      try {
        const message = JSON.parse(text) as { readonly id?: Json } & JsonObject;
        if (message.id !== id) return;
        state = findObject(message, 'result') === undefined ? 'failed' : 'succeeded';
      } catch {
        // This is not a message: the answer is still to come.
      }
    },
    awaits: () => state === 'waiting',
    succeeded: () => state === 'succeeded',
  };
}

function sessionLost(server: string): WorkbenchError {
  return new WorkbenchError(
    'WB1010',
    `Server '${server}' lost its session and did not keep a new one; the call was not made.`,
    {
      fix: 'Try again; if it happens every time, the server cannot keep a session: report it to its maker.',
    },
  );
}
