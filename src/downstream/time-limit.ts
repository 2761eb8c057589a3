/**
 * How long a server may be silent about a call. Time in which it waits for somebody else does not count. The calls of a connection
 * share one timer, which is set again only when it has run out: nearly every call is answered long before.
 */
import type { Clock } from '../base/clock.ts';

export class TimeLimits {
  readonly clock: Clock;
  readonly #limitMs: number;
  readonly #running = new Set<TimeLimit>();
  #dueAt = Number.POSITIVE_INFINITY;
  #stopTimer = () => {};
  #closed = false;

  constructor(clock: Clock, limitMs: number) {
    this.clock = clock;
    this.#limitMs = limitMs;
  }

  begin(onOver: () => void): TimeLimit {
    return new TimeLimit(this, onOver);
  }

  /** The connection is over: whatever waits, or begins to, is told so at once. */
  close(): void {
    this.#closed = true;
    this.#stopTimer();
  }

  /** For the limits themselves: whose time counts, from its last sign on. */
  run(limit: TimeLimit): void {
    this.#running.add(limit);
    this.#watch(limit);
  }

  rest(limit: TimeLimit): void {
    this.#running.delete(limit);
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
      if (limit.lastSign > latest) this.#watch(limit);
      else if (this.#running.delete(limit)) limit.onOver();
    }
  }
}

export class TimeLimit {
  readonly #limits: TimeLimits;
  readonly onOver: () => void;
  lastSign: number;
  #pausedAt = 0;
  #pauses = 0;
  #stopped = false;

  constructor(limits: TimeLimits, onOver: () => void) {
    this.#limits = limits;
    this.onOver = onOver;
    this.lastSign = limits.clock.now();
    limits.run(this);
  }

  /** The server has said something: its time begins anew. */
  sign(): void {
    this.lastSign = this.#limits.clock.now();
    this.#pausedAt = this.lastSign;
  }

  /** Stands still until the returned function is called; with several of them, until the last is. */
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
