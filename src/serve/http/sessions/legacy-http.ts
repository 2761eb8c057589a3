/** The handshake era over HTTP: sessions, POSTs into them, the general stream, resumption, and the end by DELETE. */

import type { FairShare } from '../../../base/async/fair-share.ts';
import { errorText, resultText } from '../../../base/rpc/rpc.ts';
import type { Log } from '../../../base/text/log.ts';
import { joinAnswers } from '../../conversation/batch.ts';
import type { Message, Request } from '../../conversation/message.ts';
import { findReturn } from '../../edge/find-return.ts';
import { legacyVersions } from '../../legacy/legacy.ts';
import type { TaskStore } from '../../tasks/task-store.ts';
import { acceptsEvents, eventsType } from '../request/content.ts';
import { type EventStream, openEventStream, type StreamContext } from '../request/event-stream.ts';
import { headerOf, type Inbound } from '../request/inbound.ts';
import { busy, type HttpRefusal, refuse, retryLater, sendEmpty, sendJson, toHttpRefusal } from '../request/refusal.ts';
import { createReply } from '../request/reply.ts';
import { LegacySession } from './legacy-session.ts';
import { createSessions, toPlaceKey } from './sessions.ts';

export interface LegacyOptions extends StreamContext {
  readonly identity: { readonly name: string; readonly version: string };
  readonly log: Log;
  readonly tasks: TaskStore;
  /** What all sessions keep so that broken streams can be resumed, by owner. */
  readonly buffered: FairShare;
}

export interface LegacyService {
  post(body: { readonly batch: boolean; readonly messages: readonly Message[] }, inbound: Inbound): Promise<void>;
  get(inbound: Inbound): void;
  delete(inbound: Inbound): void;
  /** Ends the streams that no request waits on, and the questions: an answer can come no more. */
  endWaiting(): void;
  idle(): Promise<void>;
  close(): void;
}

const sessionHeader = 'mcp-session-id';

export function createLegacyService(options: LegacyOptions): LegacyService {
  const { identity, log, limits, clock, tasks } = options;
  const sessions = createSessions<LegacySession>(limits, clock);

  const initialize = (request: Request, { front, place, response }: Inbound) => {
    const returning = findReturn(front, request);
    if (returning !== undefined) {
      sendJson(response, errorText(request.id, returning));
      return;
    }
    const principal = toPlaceKey(place);
    const made = sessions.add(
      place,
      () =>
        new LegacySession({
          ...{ front, identity, initialize: request, principal, clock, log, limits, tasks },
          kept: { room: options.buffered, owner: place.owner },
        }),
    );
    if (made === undefined) {
      refuse(response, { ...busy('Too many sessions are open. Try again in a moment.'), id: request.id });
      return;
    }
    const { answer, id } = made;
    const text = 'error' in answer ? errorText(request.id, answer.error) : resultText(request.id, answer.result);
    sendJson(response, text, { headers: { [sessionHeader]: id } });
  };

  /** The session a request names, or why it has none. */
  const resolve = (inbound: Inbound): LegacySession | HttpRefusal => {
    const version = headerOf(inbound, 'mcp-protocol-version');
    if (version !== undefined && !legacyVersions.includes(version))
      return toHttpRefusal(
        400,
        `This protocol version is not spoken in sessions. Use one of: ${legacyVersions.join(', ')}.`,
      );
    const id = headerOf(inbound, sessionHeader);
    if (id === undefined)
      return toHttpRefusal(400, "Send 'initialize' first, then the header Mcp-Session-Id with every request.");
    return (
      sessions.find(id, inbound.place) ?? toHttpRefusal(404, "There is no such session (any more). Send 'initialize'.")
    );
  };

  const answer = async (
    session: LegacySession,
    { batch, messages }: { readonly batch: boolean; readonly messages: readonly Message[] },
    { place, response }: Inbound,
  ) => {
    const { prime, carry } = session.openChannel();
    const reply = createReply(response, options, place.owner, prime);
    const channel = carry(reply);
    const [only] = messages;
    const receive = (message: Message) => session.receive(message, channel.push);
    const single = batch || only === undefined ? undefined : await receive(only);
    const texts = batch ? await joinAnswers(messages, receive) : single === undefined ? [] : [single.text];
    const [first] = texts;
    const isRefused = single?.fault === 'busy';
    // Once it has become a stream, the client may have to get an answer again after the stream broke.
    if (reply.streaming) for (const text of texts) channel.push(String(text));
    else if (first !== undefined)
      reply.finish(
        batch ? `[${texts.join(',')}]` : String(first),
        isRefused ? { status: 503, headers: retryLater } : {},
      );
    channel.end();
  };

  return {
    async post(body, inbound) {
      const [message] = body.messages;
      if (!body.batch && message?.kind === 'request' && message.method === 'initialize') {
        initialize(message, inbound);
        return;
      }
      const session = resolve(inbound);
      if (!(session instanceof LegacySession)) {
        const id = !body.batch && message?.kind === 'request' ? message.id : null;
        refuse(inbound.response, { ...session, id });
      } else if (body.batch && !session.takesBatches)
        refuse(inbound.response, toHttpRefusal(400, 'Batches are not part of the protocol version in use.'));
      else await answer(session, body, inbound);
    },
    get(inbound) {
      const { request, response } = inbound;
      if (!acceptsEvents(request.headers.accept)) {
        refuse(response, toHttpRefusal(406, `Accept ${eventsType}.`));
        return;
      }
      const session = resolve(inbound);
      if (!(session instanceof LegacySession)) refuse(response, session);
      else if (session.crowded) refuse(response, busy('Too many streams of this session are open.'));
      else openStanding(session, inbound);
    },
    delete(inbound) {
      const session = resolve(inbound);
      if (!(session instanceof LegacySession)) refuse(inbound.response, session);
      else {
        sessions.remove(session);
        sendEmpty(inbound.response, 204);
      }
    },
    endWaiting() {
      for (const session of sessions.all()) session.endWaiting();
    },
    idle: async () => void (await Promise.all(sessions.all().map(({ requests }) => requests.idle()))),
    close: sessions.close,
  };

  function openStanding(session: LegacySession, inbound: Inbound): void {
    const { response } = inbound;
    let stream: EventStream | undefined;
    let full = false;
    const attachment = session.attach(headerOf(inbound, 'last-event-id'), () => {
      stream = openEventStream(response, options, inbound.place.owner);
      full = stream === undefined;
      return stream;
    });
    if (full) refuse(response, busy('Too many streams are open. Try again in a moment.'));
    else if (attachment === 'taken') refuse(response, toHttpRefusal(409, 'This session has its stream already.'));
    else if (attachment === 'unknown')
      refuse(response, toHttpRefusal(400, 'What followed this event is no longer kept. Repeat the request.'));
    else response.on('close', () => stream !== undefined && session.detach(stream));
  }
}
