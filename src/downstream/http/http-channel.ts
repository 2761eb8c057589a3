/** What the three HTTP transports have in common. */
import type { Clock } from '../../base/async/clock.ts';
import { toWorkbenchError, type WorkbenchError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/text/log.ts';
import type { ReadThrottle } from '../rpc/read-throttle.ts';
import type { RpcPeer } from '../rpc/rpc-peer.ts';
import type { Outgoing } from '../rpc/transport.ts';
import type { ServerEndpoint } from './endpoint.ts';
import { isUnreachable, lostAnswer } from './failure.ts';

/** Carries messages to a server; what comes back goes to the peer. */
export interface HttpChannel {
  /** Never throws: a request that cannot be carried fails at the peer. */
  send(message: Outgoing): void;
  /** Takes a request back; false when the server must be told. */
  takeBack(id: number): boolean;
  /** Ends everything under way and says goodbye where the server expects it. */
  close(): Promise<void>;
}

export interface HttpChannelContext {
  readonly endpoint: ServerEndpoint;
  readonly peer: RpcPeer;
  readonly clock: Clock;
  /** Limits how fast its streams are read, all together. */
  readonly pace: ReadThrottle;
  /** A larger answer or event is thrown away. */
  readonly maxAnswerBytes: number;
  readonly log: Log;
  /** The server cannot be reached any more: the connection is over. */
  onLost(failure: WorkbenchError): void;
  /** Announcements of changed lists may have been missed. */
  onListAnnounced(): void;
}

export const bothTypes = 'application/json, text/event-stream';

/** Statuses by which a server says that it does not know the request; other statuses say nothing about what it speaks. */
export function saysUnknown(status: number): boolean {
  return [400, 404, 405, 406, 415, 422].includes(status);
}

/** Fails a request that could not be carried, and ends the connection when the server cannot be reached at all. */
export function failRequest({ peer, endpoint, onLost }: HttpChannelContext, message: Outgoing, error: unknown): void {
  const failure = toWorkbenchError(error);
  const begins = message.method === 'server/discover' || message.method === 'initialize';
  const gone = isUnreachable(failure);
  if (message.id !== undefined) {
    const broken = failure.code === 'WB1305' && !gone && !begins;
    peer.reject(message.id, broken ? lostAnswer(endpoint.server) : failure);
  }
  if (gone) onLost(failure);
}
