/** All listings, as last received, by server key. A value: a change makes a new catalog. */
import type { Listing } from './listing.ts';

export type Catalog = ReadonlyMap<string, Listing>;

export function withListing(catalog: Catalog, key: string, listing: Listing): Catalog {
  return new Map(catalog).set(key, listing);
}
