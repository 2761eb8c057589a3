/** A token bucket: so many at once, then so many a second. Costs two numbers and no timer. */
import type { Clock } from './clock.ts';

export interface Bucket {
  /** Takes one; false when there is none left. */
  take(): boolean;
  /** Adds some, also beyond the burst. */
  give(count: number): void;
  /** How long until there is one again; 0 when there is. */
  readonly waitMs: number;
}

export interface BucketSize {
  readonly burst: number;
  readonly perSecond: number;
  /** What it can hold when it is given some; time alone fills it to the burst. */
  readonly most?: number;
}

export function createBucket(clock: Clock, { burst, perSecond, most = burst }: BucketSize): Bucket {
  let tokens = burst;
  let filledAt = clock.now();
  const fill = () => {
    const now = clock.now();
    // A clock that was set back gives nothing and takes nothing.
    const earned = (Math.max(0, now - filledAt) * perSecond) / 1_000;
    if (tokens < burst) tokens = Math.min(burst, tokens + earned);
    filledAt = now;
  };
  return {
    take() {
      fill();
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
    give(count) {
      fill();
      tokens = Math.min(most, tokens + count);
    },
    get waitMs() {
      fill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / perSecond);
    },
  };
}
