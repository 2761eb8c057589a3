/**
 * Whether something is still wanted, and who is to hear when it is not. As much of an AbortSignal as calls need, and any AbortSignal
 * is one; making and ending an AbortController took a third of the time of a call, and nearly all of them are never used.
 */

export interface StopSignal {
  readonly aborted: boolean;
  /** Nobody is told twice, and nobody who comes too late. */
  addEventListener(type: 'abort', listener: StopListener): void;
  removeEventListener(type: 'abort', listener: StopListener): void;
}

/** As of an AbortSignal: a function, or an object, which needs no function of its own. */
export type StopListener = (() => void) | { handleEvent(): void };

/** Both in one: whoever may stop it has the object, everybody else its interface. */
export class Stop implements StopSignal {
  #aborted = false;
  /** Nearly always the only one: a list is made for the second. */
  #first: StopListener | undefined;
  #others: Set<StopListener> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: 'abort', listener: StopListener): void {
    if (this.#aborted || this.#first === listener) return;
    if (this.#first === undefined && this.#others === undefined) this.#first = listener;
    else {
      this.#others ??= new Set();
      this.#others.add(listener);
    }
  }

  removeEventListener(_type: 'abort', listener: StopListener): void {
    if (this.#first === listener) this.#first = undefined;
    else this.#others?.delete(listener);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) tell(first);
    // Whom an earlier listener takes off the list is not told.
    if (this.#others !== undefined) for (const listener of this.#others) tell(listener);
    this.#others = undefined;
  }
}

function tell(listener: StopListener): void {
  if (typeof listener === 'function') listener();
  else listener.handleEvent();
}

/** Stopped as soon as one of them is. */
export function eitherStop(...signals: readonly StopSignal[]): StopSignal {
  const either = new Stop();
  const stop = () => {
    for (const signal of signals) signal.removeEventListener('abort', stop);
    either.abort();
  };
  for (const signal of signals) signal.addEventListener('abort', stop);
  if (signals.some(({ aborted }) => aborted)) stop();
  return either;
}
