/** How long a client may cache a list. */
import { type CacheHint, mergeHints, uncacheable } from '../../base/call/cache-hint.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

/** Our own tools change with the configuration only, and the change is announced. */
const ownMs = 5 * 60_000;

/** For a list of what servers list: no longer than each of them promises. */
export function listHint(bench: WorkbenchView, kind: Kind): CacheHint {
  const hints = [...bench.config.servers.keys()].map((key) => bench.hintOf(key, kind));
  return withinScope(bench, mergeHints(hints.filter((hint) => hint !== undefined)));
}

export function ownHint(bench: WorkbenchView): CacheHint {
  return withinScope(bench, { ttlMs: ownMs, cacheScope: 'public' });
}

/** Where a token decides what is shown, a list is for its holder only. */
function withinScope({ config }: WorkbenchView, hint: CacheHint): CacheHint {
  return config.auth === undefined ? hint : { ...hint, cacheScope: uncacheable.cacheScope };
}
