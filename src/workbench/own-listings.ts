/** What servers offer to single clients, laid over what they offer to all: for a client whose server runs in a copy of its own. */
import { type Client, ownKeyOf } from '../base/call.ts';
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
  readonly own: Catalog;
  base?: Snapshot;
  snapshot?: Snapshot;
}

/** `find` gives what servers offer to a client alone, by key. */
export function createOwnListings(find: (client: Client) => Catalog): OwnListings {
  const news = createSignal<Client | string>();
  /** Of most clients there is nothing: they are not here. */
  const shown = new Map<Client | string, Shown>();
  return {
    changed(client) {
      const key = ownKeyOf(client);
      const own = find(client);
      if (own.size > 0) shown.set(key, { own });
      else if (!shown.delete(key)) return;
      news.emit(key);
    },
    onChanged(client, listener) {
      const key = ownKeyOf(client);
      return news.on((changed) => {
        if (changed === key) listener();
      });
    },
    snapshotOf(client, base) {
      if (shown.size === 0) return base;
      const known = shown.get(ownKeyOf(client));
      if (known === undefined) return base;
      if (known.base !== base || known.snapshot === undefined) {
        known.base = base;
        known.snapshot = buildSnapshot(base.config, new Map([...base.catalog, ...known.own]));
      }
      return known.snapshot;
    },
  };
}
