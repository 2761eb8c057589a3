/**
 * Servers that are only known from an earlier run are started now and then although nobody uses them, so that it is found when
 * they have changed. Never before a list was given: whoever starts the program does not wait for it.
 */
import type { Clock } from '../base/clock.ts';
import type { Bench } from '../workbench/bench.ts';
import type { ServerStatus } from '../workbench/server-status.ts';

/** Older than this is looked at. */
const oldMs = 24 * 60 * 60 * 1_000;
const lookEveryMs = 60 * 60 * 1_000;
const delayMs = 1_000;

/** To be called when a list was given. */
export function createRefresher(bench: Bench, clock: Clock): () => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() < nextAt) return;
    nextAt = clock.now() + lookEveryMs;
    const isOld = ({ state, listedAt = 0 }: ServerStatus) => state === 'known' && clock.now() - listedAt >= oldMs;
    const old = bench
      .servers()
      .filter(isOld)
      .map(({ key }) => key);
    if (old.length > 0) clock.after(delayMs, () => bench.startAll(old));
  };
}
