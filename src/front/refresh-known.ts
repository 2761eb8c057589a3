/**
 * Servers that are only known from an earlier run are heard again in the background, a while after the first list was given: a
 * server may have been upgraded since. One at a time, while the client is at work, and each sleeps again when no client uses it.
 */
import type { Clock } from '../base/async/clock.ts';
import type { ServerStatus } from '../workbench/reports/server-status.ts';
import type { WorkbenchView } from '../workbench/view/workbench-view.ts';

/** A list this recent is not read again. */
const freshMs = 60_000;
/** In a long run the check is repeated. */
const lookEveryMs = 60 * 60 * 1_000;
/** The client has other things to do at first. */
const delayMs = 4_000;

/** Call when a list was given. */
export function createRefresher(bench: WorkbenchView, clock: Clock): () => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() < nextAt) return;
    nextAt = clock.now() + lookEveryMs;
    const isOld = ({ state, listedAt = 0 }: ServerStatus) => state === 'known' && clock.now() - listedAt >= freshMs;
    const age = ({ listedAt = 0 }: ServerStatus) => clock.now() - listedAt;
    const old = bench.servers().filter(isOld);
    if (old.length === 0) return;
    const keys = old.sort((a, b) => age(b) - age(a)).map(({ key }) => key);
    clock.after(delayMs, () => void bench.hear(keys));
  };
}
