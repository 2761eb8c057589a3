/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/base/async/clock.ts';

export interface FakeClock extends Clock {
  /** Tasks that are still to be run. */
  readonly pending: number;
  /** Moves time on, running what falls due in order, and lets promises settle in between. */
  advance(ms: number): Promise<void>;
}

export function createFakeClock(): FakeClock {
  let time = 0;
  const timers = new Set<{ at: number; task: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => time,
    get pending() {
      return timers.size;
    },
    after(delayMs, task) {
      const timer = { at: time + delayMs, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.task();
        await settle();
      }
      time = end;
    },
  };
}
