/** What servers offer to single clients, laid over what they offer to all: for a client whose server runs in a copy of its own. */
import type { Client } from '../base/call.ts';
import { createSignal } from '../base/signal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { buildSnapshot, type Snapshot } from './snapshot.ts';

export interface OwnListings {
  /** What a server offers to this client has changed. */
  changed(client: Client): void;
  onChanged(client: Client, listener: () => void): () => void;
  /** What is shown to this client; `base` itself where that is what all are shown. */
  snapshotOf(client: Client, base: Snapshot): Snapshot;
}

interface Shown {
  base: Snapshot | undefined;
  snapshot: Snapshot | undefined;
}

/** `find` gives what servers offer to a client alone, by key. */
export function createOwnListings(find: (client: Client) => Catalog): OwnListings {
  const news = createSignal<Client>();
  /** Of most clients there is nothing: they are not here. */
  const shown = new WeakMap<Client, Shown>();
  return {
    changed(client) {
      shown.set(client, { base: undefined, snapshot: undefined });
      news.emit(client);
    },
    onChanged: (client, listener) =>
      news.on((changed) => {
        if (changed === client) listener();
      }),
    snapshotOf(client, base) {
      const known = shown.get(client);
      if (known === undefined) return base;
      if (known.base !== base || known.snapshot === undefined) {
        const own = find(client);
        known.base = base;
        known.snapshot = own.size === 0 ? base : buildSnapshot(base.config, new Map([...base.catalog, ...own]));
      }
      return known.snapshot;
    },
  };
}
