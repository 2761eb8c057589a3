/** How soon, and how often, a server is started again by itself. Keeps no time of its own. */

const firstDelayMs = 500;
const longestDelayMs = 30_000;

/** Before the restart after `earlier` others; `random` is in [0, 1). Only ever shortened, so that the first is never late. */
export function toRestartDelay(earlier: number, random: number): number {
  const longest = Math.min(firstDelayMs * 2 ** earlier, longestDelayMs);
  return Math.ceil(longest * (1 - random / 2));
}

const startsPerMinute = 5;
const minuteMs = 60_000;

export interface StartBudget {
  spend(now: number): void;
  /** The last one did not count after all. */
  refund(): void;
  /** When the next one may be made; in the past when it may be made now. */
  earliest(): number;
}

export function createStartBudget(): StartBudget {
  const spent: number[] = [];
  return {
    spend(now) {
      spent.push(now);
      if (spent.length > startsPerMinute) spent.shift();
    },
    refund() {
      spent.pop();
    },
    earliest() {
      const [first] = spent;
      return spent.length < startsPerMinute || first === undefined ? Number.NEGATIVE_INFINITY : first + minuteMs;
    },
  };
}
