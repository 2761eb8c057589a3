/**
 * The transport of revision 2024-11-05: one long stream per client, and POSTs whose answers come on it. The stream is the
 * session: when it ends, everything that was asked on it is cancelled.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { Payload } from '../../base/payload.ts';
import { rpcCode, rpcError } from '../../base/rpc.ts';
import type { StopSignal } from '../../base/stop.ts';
import { answerRequest } from '../answer.ts';
import { findReturn } from '../find-return.ts';
import { createLegacyEdge, type LegacyEdge } from '../legacy.ts';
import type { Message, Request } from '../message.ts';
import { createOpenRequests, type OpenRequests } from '../requests.ts';
import { takeMessage } from '../take-message.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { acceptsEvents, eventsType } from './content.ts';
import { type EventStream, openEventStream, type StreamGround } from './event-stream.ts';
import type { Inbound } from './inbound.ts';
import { busy, refuse, sendEmpty, toRefusal } from './refusal.ts';
import { toMessagesUrl } from './route.ts';
import { createSessions, type Lasting, toPlaceKey } from './sessions.ts';

export interface OldSseOptions extends StreamGround {
  readonly identity: { readonly name: string; readonly version: string };
  readonly log: Log;
  readonly tasks: TaskStore;
}

export interface OldSseService {
  open(inbound: Inbound): void;
  post(message: Message, sessionId: string, inbound: Omit<Inbound, 'front'>): void;
  /** Ends the questions: an answer can come no more. */
  endWaiting(): void;
  idle(): Promise<void>;
  close(): void;
}

interface Conversation extends Lasting {
  silence(): void;
  readonly requests: OpenRequests;
  take(message: Message): void;
}

export function createOldSseService(options: OldSseOptions): OldSseService {
  const { limits, clock } = options;
  const sessions = createSessions<Conversation>(limits, clock);

  return {
    open(inbound) {
      const { request, response } = inbound;
      if (!acceptsEvents(request.headers.accept)) {
        refuse(response, toRefusal(406, `Accept ${eventsType}.`));
        return;
      }
      let stream: EventStream | undefined;
      const session = sessions.add(inbound.place, () =>
        createConversation(inbound, options, {
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
      if (session === undefined) refuse(inbound.response, toRefusal(404, 'There is no such session (any more).'));
      else {
        sendEmpty(inbound.response, 202);
        session.take(message);
      }
    },
    endWaiting() {
      for (const session of sessions.all()) session.silence();
    },
    idle: async () => void (await Promise.all(sessions.all().map(({ requests }) => requests.idle()))),
    close: sessions.close,
  };
}

function createConversation(
  { front, place }: Pick<Inbound, 'front' | 'place'>,
  { identity, log, clock, limits, tasks }: OldSseOptions,
  { send, end }: { send(text: string): void; end(): void },
): Conversation {
  const requests = createOpenRequests(limits.requestsPerClient);
  let edge: LegacyEdge | undefined;
  const handle = (request: Request, signal: StopSignal) => {
    const returning = findReturn(front, request);
    if (returning !== undefined) return { error: returning };
    if (request.method !== 'initialize' && edge !== undefined) return edge.request(request, { signal, send });
    if (request.method === 'ping') return { result: Payload.of({}) };
    if (request.method !== 'initialize') return { error: rpcError(rpcCode.invalidRequest, notYet) };
    edge?.close();
    const opened = createLegacyEdge({ front, identity, send, clock, tasks, principal: toPlaceKey(place) }, request);
    edge = opened.edge;
    return opened.answer;
  };
  return {
    id: randomBytes(32).toString('base64url'),
    // It lasts exactly as long as its stream.
    busy: true,
    requests,
    silence: () => edge?.silence(),
    take(message) {
      const answer = (request: Request) => answerRequest(request, { requests, log, handle });
      void takeMessage(message, { requests, edge, answer })?.then((text) => text !== undefined && send(String(text)));
    },
    close() {
      requests.cancelAll();
      edge?.close();
      end();
    },
  };
}

const notYet = "Send 'initialize' first.";
