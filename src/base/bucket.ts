/** A token bucket: so many at once, then so many a second. Costs two numbers and no timer. */
import type { Clock } from './clock.ts';

export interface Bucket {
  /** Takes one; false when there is none left. */
  take(): boolean;
  /** How long until there is one again; 0 when there is. */
  readonly waitMs: number;
}

export function createBucket(clock: Clock, { burst, perSecond }: { burst: number; perSecond: number }): Bucket {
  let tokens = burst;
  let filledAt = clock.now();
  const fill = () => {
    const now = clock.now();
    // A clock that was set back gives nothing and takes nothing.
    tokens = Math.min(burst, tokens + (Math.max(0, now - filledAt) * perSecond) / 1_000);
    filledAt = now;
  };
  return {
    take() {
      fill();
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
    get waitMs() {
      fill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / perSecond);
    },
  };
}
