/** A token bucket: a burst at once, then a fixed number per second. Costs two numbers and no timer. */
import type { Clock } from './clock.ts';

export interface TokenBucket {
  /** Takes one token; false when none is left. */
  take(): boolean;
  /** Adds tokens, even beyond the burst. */
  give(count: number): void;
  /** How long until the next token; 0 when there is one. */
  readonly waitMs: number;
}

export interface TokenBucketSize {
  readonly burst: number;
  readonly perSecond: number;
  /** The bucket can hold this many when tokens are added; time alone fills it to the burst. */
  readonly most?: number;
}

export function createTokenBucket(clock: Clock, { burst, perSecond, most = burst }: TokenBucketSize): TokenBucket {
  let tokens = burst;
  let filledAt = clock.now();
  const fill = () => {
    const now = clock.now();
    // When the clock was set back, the bucket neither gains nor loses tokens.
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
