/** Notices that a server has not been used for a while. */
import type { Clock } from '../../base/async/clock.ts';

export interface Idle {
  /** The server is in use until the same caller calls `leave`, once. */
  enter(): void;
  leave(): void;
  /** The server is in use until the returned function is called. */
  hold(): () => void;
  /** Gives a function that tells whether the server has been used since, or is in use. */
  watchUse(): () => boolean;
  /** The server runs: from now on idle time counts. */
  begin(): void;
  /** The server does not run any more. */
  end(): void;
}

export interface IdleOptions {
  readonly clock: Clock;
  /** Undefined when the server may idle for ever. */
  readonly idleMs: number | undefined;
  onIdle(): void;
}

/** A use does not touch the timer: when the timer runs out, the time since the last use is looked at. */
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
