/** Decides how soon and how often a server is restarted by itself. Keeps no time of its own. */

const firstDelayMs = 500;
const maxDelayMs = 30_000;

/** The pause before the restart after `earlier` others; `random` is in [0, 1) and only shortens it, so that the first is never late. */
export function toRestartDelay(earlier: number, random: number): number {
  const longest = Math.min(firstDelayMs * 2 ** earlier, maxDelayMs);
  return Math.ceil(longest * (1 - random / 2));
}

const startsPerMinute = 5;
const minuteMs = 60_000;

export interface StartBudget {
  spend(now: number): void;
  /** The last start does not count. */
  refund(): void;
  /** When the next start may be made; a time in the past means now. */
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
