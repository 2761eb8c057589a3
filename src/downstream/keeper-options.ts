/** What the keeper of a shared connection is given. */
import type { Listing } from '../catalog/listing.ts';
import type { Audience } from './audience.ts';
import type { Company } from './company.ts';
import type { ConnectOptions } from './connect.ts';
import type { Connection } from './connection.ts';
import type { Known } from './known.ts';

export interface ConnectionKeeperOptions extends Omit<ConnectOptions, 'events' | 'declared' | 'company'> {
  audience(): Audience;
  readonly company: Pick<Company, 'connected' | 'onNeed'>;
  /** From an earlier run. */
  readonly known?: Known | undefined;
  /** What a listing of this server depends on now, beside its definition; `anew` looks at its files again. */
  ground?(how: { readonly anew: boolean }): string;
  /** What an earlier run has heard on this ground. */
  findKnown?(ground: string): Known | undefined;
  /** Is given what to know in the next run. */
  keep?(known: Known, ground: string): void;
  /** In [0, 1); spreads restarts in time. */
  readonly random?: (() => number) | undefined;
  onStatus(): void;
  onListing(listing: Listing): void;
  onReady(connection: Connection): void;
  onUpdated(uri: string): void;
}
