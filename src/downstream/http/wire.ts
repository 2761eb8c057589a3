/** What the ways to speak to a server over HTTP have in common. */
import type { Clock } from '../../base/clock.ts';
import { toWorkbenchError, type WorkbenchError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Outgoing } from '../carrier.ts';
import type { Pace } from '../pace.ts';
import type { Peer } from '../peer.ts';
import type { Endpoint } from './endpoint.ts';
import { isUnreachable, lostAnswer } from './failure.ts';

/** One way to carry messages; what comes back goes to the peer. */
export interface Wire {
  /** Never throws: a request that cannot be carried fails at the peer. */
  send(message: Outgoing): void;
  /** As for a peer: false when the server must be told. */
  takeBack(id: number): boolean;
  /** Ends everything under way and says goodbye where the server expects it. */
  close(): Promise<void>;
}

export interface WireContext {
  readonly endpoint: Endpoint;
  readonly peer: Peer;
  readonly clock: Clock;
  /** How fast its streams are read, all together. */
  readonly pace: Pace;
  /** A larger answer or event is thrown away. */
  readonly maxAnswerBytes: number;
  readonly log: Log;
  /** The server is not there any more: the connection is over. */
  onLost(failure: WorkbenchError): void;
  /** Announcements may have been missed. */
  onListAnnounced(): void;
}

export const bothTypes = 'application/json, text/event-stream';

/** Statuses of a server that does not know what it was asked; anything else says nothing of what it speaks. */
export function saysUnknown(status: number): boolean {
  return [400, 404, 405, 406, 415, 422].includes(status);
}

/** A request that failed on its way: the peer is told, and the connection ends when the server is not there at all. */
export function failRequest({ peer, endpoint, onLost }: WireContext, message: Outgoing, error: unknown): void {
  const failure = toWorkbenchError(error);
  const begins = message.method === 'server/discover' || message.method === 'initialize';
  const gone = isUnreachable(failure);
  if (message.id !== undefined) {
    const broken = failure.code === 'WB1305' && !gone && !begins;
    peer.reject(message.id, broken ? lostAnswer(endpoint.server) : failure);
  }
  if (gone) onLost(failure);
}
