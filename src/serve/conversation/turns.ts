/**
 * Long messages take turns. Reading one takes a moment in which nothing else happens, and many at once would add up: after each
 * the service is free for as long as it took, so a client that sends little waits for one of them at most. Each takes several times its
 * size until it is answered: so few are begun at once, and what is not answered is bounded.
 */

import type { Clock } from '../../base/async/clock.ts';
import { createFairShare } from '../../base/async/fair-share.ts';
import type { BudgetOwner } from '../../base/rpc/byte-budget.ts';

export interface Turns {
  /** Whether a message of that length may be read at once. */
  isFree(length: number): boolean;
  /** Reads it at once when that may be, else in its turn; tells when it cannot be read because of all that is not answered. */
  take(turn: Turn): void;
  /** Messages may be of this length, so there is room for some of them. */
  makeRoom(length: number): void;
}

export interface Turn {
  readonly owner: BudgetOwner;
  readonly length: number;
  /** `done` is to be called once, when the message is answered. */
  begin(done: () => void): void;
  giveUp(): void;
}

export interface TurnsOptions {
  readonly clock?: Clock;
  /** The size of messages that are begun together. */
  readonly maxBegun?: number;
  /** The size of messages that are not answered yet. */
  readonly maxOpen?: number;
}

const mib = 1024 * 1024;
/** A shorter time is not noticed by a person. */
const shortMs = 10;
/** One that is not answered by then no longer keeps others from beginning. */
const holdMs = 1_000;

export function createTurns({ clock = ownClock, maxBegun = 8 * mib, maxOpen = 64 * mib }: TurnsOptions = {}): Turns {
  const waiting: Turn[] = [];
  const open = createFairShare(maxOpen);
  let resting = false;
  let begun = 0;

  const isFree = (length: number) => !resting && (begun === 0 || begun + length <= maxBegun);
  const begin = (turn: Turn) => {
    const { owner, length } = turn;
    if (!open.take(owner, length)) return turn.giveUp();
    const letOthers = hold(length);
    const start = clock.now();
    turn.begin(
      once(() => {
        open.give(owner, length);
        letOthers();
      }),
    );
    const tookMs = clock.now() - start;
    if (tookMs >= shortMs || waiting.length > 0) rest(Math.max(tookMs, 1));
  };
  /** Until it is answered, or for a while. */
  const hold = (length: number) => {
    begun += length;
    const letOthers = once(() => {
      stopTimer();
      begun -= length;
      next();
    });
    const stopTimer = clock.after(holdMs, letOthers);
    return letOthers;
  };
  const rest = (ms: number) => {
    resting = true;
    clock.after(ms, () => {
      resting = false;
      next();
    });
  };
  const next = () => {
    const [turn] = waiting;
    if (turn === undefined || !isFree(turn.length)) return;
    waiting.shift();
    begin(turn);
    // One that was given up took no time.
    next();
  };
  return {
    isFree: (length) => waiting.length === 0 && isFree(length),
    take(turn) {
      if (waiting.length === 0 && isFree(turn.length)) begin(turn);
      else waiting.push(turn);
    },
    makeRoom: (length) => open.makeRoom(4 * length),
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

/** Exact, and what waits keeps the process alive: its sender is not read meanwhile. */
const ownClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** One for the process: all clients share its event loop and its memory. */
export const turns = createTurns();
