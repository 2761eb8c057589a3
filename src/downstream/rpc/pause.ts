/** A pause that can be ended. */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';

/** Resolves when the time is over, or at once when the signal ends it. */
export function pause(clock: Clock, delayMs: number, signal: CancelSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(delayMs, finish);
    signal.addEventListener('abort', finish);
  });
}
