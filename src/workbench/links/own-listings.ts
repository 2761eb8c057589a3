/** Lists that servers offer to single clients, on top of those for all clients: for a client with its own copy of a server. */

import { createEmitter } from '../../base/async/emitter.ts';
import { type Client, ownKeyOf } from '../../base/call/call.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { buildSnapshot, type Snapshot } from '../view/snapshot.ts';
import { deriveView, type WorkbenchView } from '../view/workbench-view.ts';

export interface OwnListings {
  /** The list of a server for this client has changed. */
  changed(client: Client): void;
  onChanged(client: Client, listener: () => void): () => void;
  /** The listing for this client; `base` itself where all clients have the same. */
  snapshotOf(client: Client, base: Snapshot): Snapshot;
  /** The same for the whole snapshot. */
  benchOf(client: Client, bench: WorkbenchView): WorkbenchView;
}

interface Shown {
  readonly own: Catalog;
  base?: Snapshot;
  snapshot?: Snapshot;
}

/** `find` returns the listings for one client alone, by key. */
export function createOwnListings(find: (client: Client) => Catalog): OwnListings {
  const news = createEmitter<Client | string>();
  /** Most clients have none and are not in this map. */
  const shown = new Map<Client | string, Shown>();
  const listings: OwnListings = {
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
    benchOf: (client, bench) =>
      deriveView(bench, {
        snapshot: () => listings.snapshotOf(client, bench.snapshot),
        onChanged: (listener) => listings.onChanged(client, listener),
        of: (other) => bench.of(other),
      }),
  };
  return listings;
}
