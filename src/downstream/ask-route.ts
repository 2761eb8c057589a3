/**
 * Whose question is it? On a stream of its own it belongs to the call of that stream. Otherwise nothing says which call made the
 * server ask, so it is put to a client only when no other client can be meant; when in doubt, to nobody.
 */
import type { Call } from '../base/call.ts';
import type { ReadonlyOpenMap } from '../base/open-map.ts';

export type AskRoute<T> =
  | { readonly to: 'call'; readonly owner: T }
  | { readonly to: 'background' }
  | { readonly to: 'nobody'; readonly why: 'no call' | 'several calls' | 'several clients' };

export interface AskGround<T> {
  /** The request on whose own stream it came, where the transport has such streams. */
  readonly stream: number | undefined;
  /** By request, in the order in which they were begun. */
  readonly inFlight: ReadonlyOpenMap<number, T>;
  /** More than one client has used the connection. */
  readonly several: boolean;
}

export function routeQuestion<T extends { readonly call: Call }>(ground: AskGround<T>): AskRoute<T> {
  const { stream, inFlight, several } = ground;
  if (stream !== undefined) {
    const owner = inFlight.get(stream);
    return owner === undefined ? { to: 'nobody', why: 'no call' } : { to: 'call', owner };
  }
  if (several) return { to: 'nobody', why: 'several clients' };
  const calls = [...inFlight.values()];
  const owner = calls.at(-1);
  if (owner === undefined) return { to: 'background' };
  // In a session it is one person at one connection, whichever call it is about.
  const { client } = owner.call;
  const sameSession = client.session !== undefined && calls.every(({ call }) => call.client === client);
  return calls.length === 1 || sameSession ? { to: 'call', owner } : { to: 'nobody', why: 'several calls' };
}
