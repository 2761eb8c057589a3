/** Keeps what one server offers as last heard, over all its connections. Changes that come in a burst are read once. */

import type { Clock } from '../../base/async/clock.ts';
import { type CacheHint, remaining } from '../../base/call/cache-hint.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { type Kind, kinds } from '../../catalog/kind.ts';
import { emptyListing, isWhole, type Listing, sameListing, withHeard } from '../../catalog/listing.ts';
import type { Known } from './known.ts';
import { createLateLists } from './late-lists.ts';
import type { ListingTime, ListSource } from './read-listing.ts';

export interface ListingTrackerOptions {
  readonly clock: Clock;
  /** What was known before this run. */
  readonly known: Pick<Known, 'listing' | 'hints' | 'heardAt'> | undefined;
  /** What an earlier connection says late does not count, nor what any connection says after the end. */
  isCurrent(source: ListSource): boolean;
  /** Called only when something differs. */
  onListingChanged(listing: Listing): void;
  onProblem(code: ErrorCode, message: string): void;
  /** The tools were asked for; `unread` is the reason when none of them could be read. */
  onTools(unread: string | undefined): void;
  /** What was told as a problem is solved. */
  onSolved(message: string): void;
}

export interface ListingTracker {
  /** Undefined until the server has been heard once, now or before. */
  readonly listing: Listing | undefined;
  /** The server has been heard in this run. */
  readonly heard: boolean;
  /** What the server promised about its lists, each when it was last read; undefined when one of them could not be read whole. */
  readonly promised: ReadonlyMap<Kind, CacheHint> | undefined;
  /** What the server promises about a list, as far as it still holds; undefined when the list was never heard. */
  hint(kind: Kind): CacheHint | undefined;
  /** Replaces what is known of a server that has not been heard yet. Gives what is shown from now on. */
  begin(known: ListingTrackerOptions['known']): Listing;
  read(source: ListSource, wanted?: readonly Kind[]): Promise<void>;
  /** The server announced a change: it is read when the burst is over, and not more often than once a second. */
  refreshSoon(source: ListSource, changed?: readonly Kind[]): void;
  close(): void;
}

const refreshDelayMs = 50;
const refreshPauseMs = 1_000;

export function createListingTracker(options: ListingTrackerOptions): ListingTracker {
  const { clock, isCurrent, onListingChanged, onProblem } = options;
  const { known } = options;
  let listing = known?.listing;
  let heardNow = false;
  /** Kinds to read again soon. */
  const stale = new Set<Kind>();
  /** Kinds of which not everything could be read. */
  const faulty = new Set<Kind>();
  const hints = new Map(toDated(known));
  /** The last source that announced a change: a burst may begin on one connection and end on the next. */
  let changing: ListSource | undefined;
  let stopTimer: (() => void) | undefined;
  let lastRefresh = Number.NEGATIVE_INFINITY;

  const late = createLateLists({
    clock,
    readAgain(source, wanted) {
      if (isCurrent(source)) read(source, wanted, { patient: true }).catch(() => {});
    },
    onSolved: options.onSolved,
  });

  const read = async (source: ListSource, wanted: readonly Kind[] = kinds, how: ListingTime = {}): Promise<void> => {
    const { connection } = await source.connected;
    const heard = await connection.listing(wanted, how);
    if (!isCurrent(source)) return;
    for (const [kind, list] of heard) {
      hints.set(kind, { hint: list.hint, at: clock.now() });
      if (isWhole(list)) faulty.delete(kind);
      else faulty.add(kind);
    }
    const tools = heard.get('tools');
    if (tools !== undefined) options.onTools(tools.unread);
    for (const { code, message } of late.note(source, heard)) onProblem(code, message);
    const before = listing ?? emptyListing;
    heardNow = true;
    listing = withHeard(before, heard);
    if (!sameListing(before, listing)) onListingChanged(listing);
  };

  return {
    get listing() {
      return listing;
    },
    get heard() {
      return heardNow;
    },
    get promised() {
      return faulty.size > 0 ? undefined : new Map([...hints].map(([kind, { hint }]) => [kind, hint]));
    },
    hint(kind) {
      const found = hints.get(kind);
      return found && remaining(found.hint, clock.now() - found.at);
    },
    begin(other) {
      listing = other?.listing;
      hints.clear();
      for (const [kind, hint] of toDated(other)) hints.set(kind, hint);
      return listing ?? emptyListing;
    },
    read: (source, wanted) => read(source, wanted),
    refreshSoon(source, changed = kinds) {
      if (!isCurrent(source)) return;
      changing = source;
      for (const kind of changed) stale.add(kind);
      if (stopTimer !== undefined) return;
      const pauseMs = lastRefresh + refreshPauseMs - clock.now();
      stopTimer = clock.after(Math.max(refreshDelayMs, pauseMs), () => {
        stopTimer = undefined;
        lastRefresh = clock.now();
        const wanted = [...stale];
        stale.clear();
        if (changing !== undefined && isCurrent(changing)) read(changing, wanted).catch(() => {});
      });
    },
    close() {
      stopTimer?.();
      late.close();
    },
  };
}

function toDated(known: ListingTrackerOptions['known']): [Kind, { hint: CacheHint; at: number }][] {
  return [...(known?.hints ?? [])].map(([kind, hint]) => [kind, { hint, at: known?.heardAt ?? 0 }]);
}
