/**
 * Who is connected to a server now: the sessions that have called on one connection to it and still live, in the order they came.
 * A client without a session is there while a call of its is, which is known from the calls themselves.
 */
import type { Client } from '../base/call.ts';

export interface Presence {
  /** A client calls. */
  note(client: Client): void;
  readonly clients: readonly Client[];
  has(client: Client): boolean;
  /** Of all others it is known that they do not call here any more. */
  keepOnly(client: Client | undefined): void;
  /** The connection is over. */
  close(): void;
}

export function createPresence(): Presence {
  const there = new Map<Client, () => void>();
  /** Most calls are of whoever called before. */
  let last: Client | undefined;
  const leave = (client: Client) => {
    there.get(client)?.();
    there.delete(client);
    if (last === client) last = undefined;
  };
  return {
    note(client) {
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
    get clients() {
      return [...there.keys()];
    },
    has: (client) => there.has(client),
    keepOnly(client) {
      for (const each of [...there.keys()]) if (each !== client) leave(each);
    },
    close() {
      for (const each of [...there.keys()]) leave(each);
    },
  };
}
