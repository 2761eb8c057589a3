/**
 * Which client does a question or message of a server belong to? On a stream of its own it belongs to the call of that stream.
 * Otherwise nothing names the call: it belongs to the only client that has calls open, else to the only one that is connected.
 * When several clients could be meant it belongs to none: the Workbench never guesses between clients.
 */

import type { ReadonlyInFlightMap } from '../../base/async/in-flight-map.ts';
import { type Call, type Client, sameClient } from '../../base/call/call.ts';

export type QuestionOwner<T> =
  /** The question belongs to one client; when it has several calls, it is not known which one. The last was begun last. */
  | { readonly to: 'calls'; readonly client: Client; readonly calls: readonly [T, ...T[]] }
  /** The question belongs to one client, outside of any call. */
  | { readonly to: 'client'; readonly client: Client }
  | { readonly to: 'nobody'; readonly why: 'no call' | 'several clients' };

export interface QuestionOwnerFacts<T> {
  /** The request on whose own stream it came, where the transport has such streams. */
  readonly stream: number | undefined;
  /** By request, in the order in which they were begun. */
  readonly inFlight: ReadonlyInFlightMap<number, T>;
  /** Whose calls were given up a moment ago: the server may still be working on them. */
  readonly lingering: readonly Client[];
  /** The clients that are connected, calling or not. */
  readonly connected: readonly Client[];
}

export function findQuestionOwner<T extends { readonly call: Call }>(ground: QuestionOwnerFacts<T>): QuestionOwner<T> {
  const { stream, inFlight, lingering, connected } = ground;
  if (stream !== undefined) {
    const owner = inFlight.get(stream);
    if (owner === undefined) return { to: 'nobody', why: 'no call' };
    return { to: 'calls', client: owner.call.client, calls: [owner] };
  }
  const [first, ...rest] = inFlight.values();
  const open = first === undefined ? lingering : [first, ...rest].map(({ call }) => call.client).concat(lingering);
  const candidates = open.length > 0 ? open : connected;
  const [client, ...others] = candidates;
  if (client === undefined) return { to: 'nobody', why: 'no call' };
  if (others.some((other) => !sameClient(other, client))) return { to: 'nobody', why: 'several clients' };
  return first === undefined ? { to: 'client', client } : { to: 'calls', client, calls: [first, ...rest] };
}
