/**
 * How long a server may be silent about a call. Time in which it waits for a person does not count. The calls of a connection
 * share one timer, which is set again only when it has run out: nearly every call is answered long before.
 */
import type { Clock } from '../../base/async/clock.ts';

/** What has a time limit. */
export interface Timed {
  /** The time is over; called once. */
  onTimeOver(): void;
}

export class TimeLimits {
  readonly clock: Clock;
  readonly #limitMs: number;
  /** An array, in which each knows its place: see `OpenMap` for what a Set would cost. */
  readonly #running: TimeLimit[] = [];
  #dueAt = Number.POSITIVE_INFINITY;
  #stopTimer = () => {};
  #closed = false;

  constructor(clock: Clock, limitMs: number) {
    this.clock = clock;
    this.#limitMs = limitMs;
  }

  begin(timed: Timed): TimeLimit {
    return new TimeLimit(this, timed);
  }

  /** The connection is over: its calls fail by that, so no time counts any more. */
  close(): void {
    this.#closed = true;
    this.#stopTimer();
  }

  /** For the limits themselves: the time of this one counts, from its last sign on. */
  run(limit: TimeLimit): void {
    limit.place = this.#running.push(limit) - 1;
    this.#watch(limit);
  }

  rest(limit: TimeLimit): void {
    const { place } = limit;
    if (place < 0) return;
    limit.place = -1;
    const last = this.#running.pop() as TimeLimit;
    if (last === limit) return;
    // The last one moves to the free place.
    this.#running[place] = last;
    last.place = place;
  }

  #watch({ lastSign }: TimeLimit): void {
    const deadline = lastSign + this.#limitMs;
    if (deadline >= this.#dueAt || this.#closed) return;
    this.#stopTimer();
    this.#dueAt = deadline;
    this.#stopTimer = this.clock.after(deadline - this.clock.now(), () => this.#check());
  }

  #check(): void {
    const latest = this.clock.now() - this.#limitMs;
    this.#dueAt = Number.POSITIVE_INFINITY;
    for (const limit of [...this.#running]) {
      // The end of one may have ended others.
      if (limit.place < 0) continue;
      if (limit.lastSign > latest) {
        this.#watch(limit);
        continue;
      }
      this.rest(limit);
      limit.timed.onTimeOver();
    }
  }
}

export class TimeLimit {
  readonly #limits: TimeLimits;
  readonly timed: Timed;
  lastSign: number;
  /** Its place among those whose time counts; -1 when its time does not count. For the limits that share the timer. */
  place = -1;
  #pausedAt = 0;
  #pauses = 0;
  #stopped = false;

  constructor(limits: TimeLimits, timed: Timed) {
    this.#limits = limits;
    this.timed = timed;
    this.lastSign = limits.clock.now();
    limits.run(this);
  }

  /** The server has said something: the time begins anew. */
  sign(): void {
    this.lastSign = this.#limits.clock.now();
    this.#pausedAt = this.lastSign;
  }

  /** The time stands still until the returned function is called; with several of them, until the last is called. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      this.#pausedAt = this.#limits.clock.now();
      this.#limits.rest(this);
    }
    let ended = false;
    return () => {
      if (!ended) this.#goOn();
      ended = true;
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#limits.rest(this);
  }

  #goOn(): void {
    if (--this.#pauses > 0 || this.#stopped) return;
    this.lastSign += this.#limits.clock.now() - this.#pausedAt;
    this.#limits.run(this);
  }
}
