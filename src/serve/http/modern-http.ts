/** The stateless era over HTTP: every POST is complete in itself, and closing its answer cancels it. */

import { createKeyedSemaphore } from '../../base/async/semaphore.ts';
import type { Client } from '../../base/call/call.ts';
import { findString } from '../../base/json/json.ts';
import { errorText, type RpcError, rpcCode } from '../../base/rpc/rpc.ts';
import type { Log } from '../../base/text/log.ts';
import type { Front, FrontSession } from '../../front/front.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { Request } from '../conversation/message.ts';
import type { ClientEdge } from '../edge/edge.ts';
import { findReturn } from '../edge/find-return.ts';
import { toModernClient } from '../edge/modern-client.ts';
import { createModernEdge, findMetaFault, modernClient } from '../modern/modern.ts';
import { createParkedCalls } from '../modern/parked-calls.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { type EventStream, openEventStream, type StreamContext } from './request/event-stream.ts';
import { findHeaderFault, findParamFault } from './request/header-rules.ts';
import type { Inbound } from './request/inbound.ts';
import { busy, refuse, retryLater, sendJson } from './request/refusal.ts';
import { createReply } from './request/reply.ts';
import { toPlaceKey } from './sessions/sessions.ts';

export interface ModernOptions extends StreamContext {
  readonly identity: { readonly name: string; readonly version: string };
  readonly log: Log;
  readonly tasks: TaskStore;
}

export interface ModernService {
  handle(request: Request, inbound: Inbound): Promise<void>;
  /** Ends the listen streams, each with its result, and the calls that wait for an answer, which can no longer come. */
  endWaiting(): void;
  idle(): Promise<void>;
  close(): void;
}

const listenMethod = 'subscriptions/listen';

/** What all stateless clients of one front share. */
interface Shared {
  readonly conversation: Conversation;
  readonly edge: ClientEdge;
  /** To look at what is shown; never given to a client. */
  readonly view: FrontSession;
}

export function createModernService(options: ModernOptions): ModernService {
  const { identity, log, tasks } = options;
  const shared = new Map<Front, Shared>();
  const listening = new Set<() => void>();
  const calls = createParkedCalls(options.clock);
  const perOwner = createKeyedSemaphore(options.limits.requestsPerClient);
  // Ids of clients mean nothing beyond their own request, so each gets a number of ours.
  let number = 0;

  const getShared = (front: Front, first: Client): Shared => {
    let found = shared.get(front);
    if (found === undefined) {
      front.clientConnected(first);
      const edge = createModernEdge({ front, identity, calls, tasks });
      found = {
        edge,
        conversation: new Conversation({ log, edges: { find: () => edge, legacy: undefined } }),
        view: front.connect(modernClient, { constantLists: true }),
      };
      shared.set(front, found);
    }
    return found;
  };

  /** Everything that has to be right before anything is done: headers, then version and metadata. */
  const findFault = (request: Request, { request: { headers }, front, place }: Inbound): RpcError | undefined => {
    const fault = findHeaderFault(request, headers) ?? findMetaFault(request) ?? findReturn(front, request);
    const name = request.method === 'tools/call' ? findString(request.params, 'name') : undefined;
    if (fault !== undefined || name === undefined) return fault;
    const client = toModernClient(request, toPlaceKey(place));
    const inputSchema = getShared(front, client).view.findInputSchema(name);
    return inputSchema === undefined ? undefined : findParamFault(request, headers, inputSchema);
  };

  const answer = async (request: Request, { front, place, response }: Inbound): Promise<void> => {
    const key = number++;
    const reply = createReply(response, options, place.owner);
    const client = toModernClient(request, toPlaceKey(place));
    const { conversation } = getShared(front, client);
    response.on('close', () => conversation.requests.cancel(key));
    const answered = await conversation.receive(request, { key, client, send: (data) => reply.send({ data }) });
    if (answered === undefined) return;
    const { text, error, fault } = answered;
    if (fault === 'busy') reply.finish(String(text), { status: 503, headers: retryLater });
    else reply.finish(String(text), { status: fault === 'failed' ? 500 : toStatus(error) });
  };

  /** Each listens through an edge of its own: ids of different clients may be the same, and what each has heard differs. */
  const listen = async (request: Request, { front, place, response }: Inbound): Promise<void> => {
    const gone = new AbortController();
    const client = toModernClient(request, toPlaceKey(place));
    const edge = createModernEdge({ front, identity, calls, tasks, client });
    let stream: EventStream | undefined;
    let full = false;
    const send = (data: string) => {
      if (stream === undefined && !full) {
        stream = openEventStream(response, options, place.owner);
        full = stream === undefined;
      }
      stream?.send({ data });
    };
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      listening.delete(end);
      edge.close();
      gone.abort();
      stream?.end();
    };
    response.on('close', end);
    listening.add(end);
    const outcome = await edge.request(request, { signal: gone.signal, send, client });
    if (full) refuse(response, { ...busy('Too many streams are open. Try again in a moment.'), id: request.id });
    else if (outcome !== undefined && 'error' in outcome)
      sendJson(response, errorText(request.id, outcome.error), { status: toStatus(outcome.error) });
  };

  return {
    async handle(request, inbound) {
      const { id } = request;
      const { place, response } = inbound;
      const fault = findFault(request, inbound);
      if (fault !== undefined) return refuse(response, { status: 400, error: fault, id });
      // Those streams have a limit of their own.
      if (request.method === listenMethod) return listen(request, inbound);
      const release = perOwner.tryHold(place.owner);
      if (release === undefined)
        return refuse(response, { ...busy('too many requests of this client are not answered yet.'), id });
      await answer(request, inbound).finally(release);
    },
    endWaiting() {
      calls.close();
      for (const end of [...listening]) end();
    },
    idle: async () => void (await Promise.all([...shared.values()].map((each) => each.conversation.requests.idle()))),
    close() {
      calls.close();
      for (const { conversation, edge, view } of shared.values()) {
        conversation.requests.cancelAll();
        edge.close();
        view.close();
      }
      shared.clear();
    },
  };
}

/** Errors of the tools themselves are answers like others; these are about the request. */
function toStatus(error: RpcError | undefined): number {
  if (error === undefined) return 200;
  if (error.code === rpcCode.methodNotFound) return 404;
  const refused: readonly number[] = [rpcCode.missingCapability, rpcCode.unsupportedVersion];
  return refused.includes(error.code) ? 400 : 200;
}
