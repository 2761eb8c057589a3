/** Notices that nobody has used a server for a while. */
import type { Clock } from '../base/clock.ts';

export interface Idle {
  /** It is in use until the returned function is called. */
  hold(): () => void;
  /** It runs: from now on its idleness counts. */
  begin(): void;
  /** It does not run any more. */
  end(): void;
}

export interface IdleOptions {
  readonly clock: Clock;
  /** Undefined: it may idle for ever. */
  readonly idleMs: number | undefined;
  onIdle(): void;
}

export function createIdle({ clock, idleMs, onIdle }: IdleOptions): Idle {
  let holders = 0;
  let runs = false;
  let stopTimer = () => {};
  const count = () => {
    stopTimer();
    if (idleMs !== undefined && runs && holders === 0) stopTimer = clock.after(idleMs, onIdle);
  };
  return {
    hold() {
      holders++;
      stopTimer();
      let held = true;
      return () => {
        if (held) holders--;
        held = false;
        count();
      };
    },
    begin() {
      runs = true;
      count();
    },
    end() {
      runs = false;
      stopTimer();
    },
  };
}
