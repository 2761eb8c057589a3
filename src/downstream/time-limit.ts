/** How long a server may be silent about a call. Time in which it waits for somebody else does not count. */
import type { Clock } from '../base/clock.ts';

export interface TimeLimit {
  /** The server has said something: its time begins anew. */
  sign(): void;
  /** Stands still until the returned function is called; with several of them, until the last is. */
  pause(): () => void;
  stop(): void;
}

export function createTimeLimit(clock: Clock, limitMs: number, onOver: () => void): TimeLimit {
  let lastSign = clock.now();
  let pausedAt = 0;
  let pauses = 0;
  let stopped = false;
  const check = () => {
    const leftMs = limitMs - (clock.now() - lastSign);
    if (leftMs > 0) stopTimer = clock.after(leftMs, check);
    else onOver();
  };
  let stopTimer = clock.after(limitMs, check);

  const goOn = () => {
    if (--pauses > 0 || stopped) return;
    lastSign += clock.now() - pausedAt;
    stopTimer = clock.after(limitMs - (clock.now() - lastSign), check);
  };
  return {
    sign() {
      lastSign = clock.now();
      pausedAt = lastSign;
    },
    pause() {
      if (pauses++ === 0) {
        pausedAt = clock.now();
        stopTimer();
      }
      let ended = false;
      return () => {
        if (!ended) goOn();
        ended = true;
      };
    },
    stop() {
      stopped = true;
      stopTimer();
    },
  };
}
