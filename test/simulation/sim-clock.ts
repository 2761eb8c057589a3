/** A clock that stands still until the schedule moves it, and knows what it waits for. */
import type { Clock } from '../../src/base/async/clock.ts';

export interface SimClock extends Clock {
  /** Tasks that are still to be run. */
  readonly pending: number;
  /** When the next of them is due. */
  readonly nextAt: number | undefined;
  /** One of them is being run: what happens now, only time has made happen. */
  readonly ticking: boolean;
  /** Moves time on, running what falls due in order; promises settle in between. */
  advanceTo(time: number): Promise<void>;
}

/** Everything that follows from what was done has happened. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function createSimClock(): SimClock {
  let now = 0;
  let ticking = false;
  const timers = new Set<{ readonly at: number; readonly task: () => void }>();
  const findNext = () => {
    let next: { readonly at: number; readonly task: () => void } | undefined;
    for (const timer of timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  };
  return {
    now: () => now,
    get pending() {
      return timers.size;
    },
    get nextAt() {
      return findNext()?.at;
    },
    get ticking() {
      return ticking;
    },
    after(delayMs, task) {
      const timer = { at: now + delayMs, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advanceTo(time) {
      for (let next = findNext(); next !== undefined && next.at <= time; next = findNext()) {
        timers.delete(next);
        now = Math.max(now, next.at);
        ticking = true;
        next.task();
        await settle();
        ticking = false;
      }
      now = Math.max(now, time);
    },
  };
}
