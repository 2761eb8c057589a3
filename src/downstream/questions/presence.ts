/**
 * The clients that are connected to a server now: the sessions that have called on one connection to it and still live, in the order they came,
 * and clients without a session whose last call there has just ended. Those whose calls are open are known from the calls.
 */

import type { Clock } from '../../base/async/clock.ts';
import type { Client } from '../../base/call/call.ts';

export interface Presence {
  /** A client calls. */
  began(client: Client): void;
  /** A call of a client is over. */
  ended(client: Client): void;
  readonly sessions: readonly Client[];
  /** Those, and who has just called without one. */
  readonly clients: readonly Client[];
  /** All other sessions do not call here any more. */
  keepOnly(client: Client | undefined): void;
  /** The connection is over. */
  close(): void;
}

/** A client that cannot say when it leaves is taken to be there for so long. */
const recentMs = 10_000;
/** So many calls that ended last are remembered: one is written down for each, so it costs next to nothing. */
const maxRecent = 16;

export function createPresence(clock: Clock): Presence {
  const there = new Map<Client, () => void>();
  const recent: { client: Client; until: number }[] = [];
  let next = 0;
  /** Most calls are made by the client that called before. */
  let last: Client | undefined;
  const leave = (client: Client) => {
    there.get(client)?.();
    there.delete(client);
    if (last === client) last = undefined;
  };
  const sessions = () => [...there.keys()];
  return {
    began(client) {
      if (client === last || client.session === undefined) return;
      if (!there.has(client)) {
        there.set(client, () => {});
        const stop = client.session.onClose(() => leave(client));
        // One that was closed before is gone by now.
        if (!there.has(client)) return;
        there.set(client, stop);
      }
      last = client;
    },
    ended(client) {
      if (client.session !== undefined) return;
      recent[next] = { client, until: clock.now() + recentMs };
      next = (next + 1) % maxRecent;
    },
    get sessions() {
      return sessions();
    },
    get clients() {
      return [...sessions(), ...recent.filter(({ until }) => clock.now() < until).map(({ client }) => client)];
    },
    keepOnly(client) {
      for (const each of sessions()) if (each !== client) leave(each);
    },
    close() {
      for (const each of sessions()) leave(each);
    },
  };
}
