/**
 * The transport of revision 2024-11-05: one long stream per client, and POSTs whose answers come on it. The stream is the
 * session: when it ends, everything that was asked on it is cancelled.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../../base/text/log.ts';
import { Conversation } from '../../conversation/conversation.ts';
import type { Message } from '../../conversation/message.ts';
import { createEras, type Eras } from '../../eras.ts';
import type { TaskStore } from '../../tasks/task-store.ts';
import { acceptsEvents, eventsType } from '../request/content.ts';
import { type EventStream, openEventStream, type StreamContext } from '../request/event-stream.ts';
import type { Inbound } from '../request/inbound.ts';
import { busy, refuse, sendEmpty, toHttpRefusal } from '../request/refusal.ts';
import { toMessagesUrl } from '../request/route.ts';
import { createSessions, type HeldSession, toPlaceKey } from './sessions.ts';

export interface OldSseOptions extends StreamContext {
  readonly identity: { readonly name: string; readonly version: string };
  readonly log: Log;
  readonly tasks: TaskStore;
}

export interface OldSseService {
  open(inbound: Inbound): void;
  post(message: Message, sessionId: string, inbound: Omit<Inbound, 'front'>): void;
  /** Ends the questions: answers can no longer come. */
  endWaiting(): void;
  idle(): Promise<void>;
  close(): void;
}

/** One client; it lasts exactly as long as its stream. */
interface OldSession extends HeldSession {
  readonly conversation: Conversation;
  readonly edges: Eras;
  send(text: string): void;
}

export function createOldSseService(options: OldSseOptions): OldSseService {
  const { limits, clock } = options;
  const sessions = createSessions<OldSession>(limits, clock);

  return {
    open(inbound) {
      const { request, response } = inbound;
      if (!acceptsEvents(request.headers.accept)) {
        refuse(response, toHttpRefusal(406, `Accept ${eventsType}.`));
        return;
      }
      let stream: EventStream | undefined;
      const session = sessions.add(inbound.place, () =>
        openSession(inbound, options, {
          send: (data) => stream?.send({ data }),
          end: () => stream?.end(),
        }),
      );
      stream = session === undefined ? undefined : openEventStream(response, options, inbound.place.owner);
      if (session === undefined || stream === undefined) {
        if (session !== undefined) sessions.remove(session);
        refuse(response, busy('Too many streams are open. Try again in a moment.'));
        return;
      }
      response.on('close', () => sessions.remove(session));
      stream.send({ event: 'endpoint', data: toMessagesUrl(inbound.place.path, session.id) });
    },
    post(message, sessionId, inbound) {
      const session = sessions.find(sessionId, inbound.place);
      if (session === undefined) refuse(inbound.response, toHttpRefusal(404, 'There is no such session (any more).'));
      else {
        sendEmpty(inbound.response, 202);
        const { conversation, send } = session;
        void conversation.receive(message, session).then((answered) => answered && send(String(answered.text)));
      }
    },
    endWaiting() {
      for (const { edges } of sessions.all()) edges.legacy?.silence();
    },
    idle: async () => void (await Promise.all(sessions.all().map(({ conversation }) => conversation.requests.idle()))),
    close: sessions.close,
  };
}

function openSession(
  { front, place }: Pick<Inbound, 'front' | 'place'>,
  { identity, log, clock, limits, tasks }: OldSseOptions,
  { send, end }: { send(text: string): void; end(): void },
): OldSession {
  const edges = createEras({
    legacy: { front, identity, send, clock, tasks, principal: toPlaceKey(place) },
    explainEarly: () => "Send 'initialize' first.",
  });
  const conversation = new Conversation({ log, maxRequests: limits.requestsPerClient, edges });
  return {
    id: randomBytes(32).toString('base64url'),
    busy: true,
    conversation,
    edges,
    send,
    close() {
      conversation.requests.cancelAll();
      edges.close();
      end();
    },
  };
}
