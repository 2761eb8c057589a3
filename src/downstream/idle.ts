/** Notices that nobody has used a server for a while. */
import type { Clock } from '../base/clock.ts';

export interface Idle {
  /** It is in use, until whoever says so says `leave`, once. */
  enter(): void;
  leave(): void;
  /** It is in use until the returned function is called. */
  hold(): () => void;
  /** Gives a function that tells whether anybody has used it since, or does. */
  watchUse(): () => boolean;
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

/** The timer is not touched by every use: when it has run out, it is seen how long nobody was there. */
export function createIdle({ clock, idleMs, onIdle }: IdleOptions): Idle {
  let holders = 0;
  let uses = 0;
  let runs = false;
  let idleSince = 0;
  let stopTimer: (() => void) | undefined;
  const check = (limitMs: number) => {
    stopTimer = undefined;
    if (!runs || holders > 0) return;
    const leftMs = limitMs - (clock.now() - idleSince);
    if (leftMs > 0) stopTimer = clock.after(leftMs, () => check(limitMs));
    else onIdle();
  };
  const count = () => {
    idleSince = clock.now();
    if (idleMs !== undefined && runs && holders === 0) stopTimer ??= clock.after(idleMs, () => check(idleMs));
  };
  const enter = () => {
    holders++;
    uses++;
  };
  const leave = () => {
    holders--;
    count();
  };
  return {
    enter,
    leave,
    hold() {
      enter();
      let held = true;
      return () => {
        if (held) leave();
        held = false;
      };
    },
    watchUse() {
      const before = uses;
      return () => uses > before || holders > 0;
    },
    begin() {
      runs = true;
      count();
    },
    end() {
      runs = false;
      stopTimer?.();
      stopTimer = undefined;
    },
  };
}
