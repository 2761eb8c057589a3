/**
 * A circuit breaker: whether a server may be tried at all. After too many failures in a row it is left alone for a while, each time
 * longer; then one try is made and decides. A server that came back is on trial: until it has been healthy for a while, the next
 * failure opens the breaker again. It keeps no time of its own.
 */

export interface Breaker {
  /** Set while the breaker is open: no try before this time. */
  readonly openUntil: number | undefined;
  /** The breaker is open, and the one try is being made. */
  readonly probing: boolean;
  began(): void;
  succeeded(): void;
  failed(now: number): void;
  /** Forgets every earlier failure. */
  reset(): void;
}

const failuresInRow = 5;
const firstOpenMs = 30_000;
const maxOpenMs = 300_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let openings = 0;
  let openUntil: number | undefined;
  let probing = false;
  return {
    get openUntil() {
      return openUntil;
    },
    get probing() {
      return probing;
    },
    began() {
      probing = openUntil !== undefined;
    },
    succeeded() {
      if (openUntil !== undefined) failures = failuresInRow - 1;
      openUntil = undefined;
      probing = false;
    },
    failed(now) {
      failures++;
      probing = false;
      if (failures < failuresInRow) return;
      openUntil = now + Math.min(firstOpenMs * 2 ** openings, maxOpenMs);
      openings++;
    },
    reset() {
      failures = 0;
      openings = 0;
      openUntil = undefined;
      probing = false;
    },
  };
}
