/**
 * A cancellation flag with listeners: the part of AbortSignal that a call needs, and every AbortSignal is one. Creating and
 * ending an AbortController took a third of the time of a call, and nearly none of them is ever used.
 */

export interface CancelSignal {
  readonly aborted: boolean;
  /** A listener is called at most once, and never when it is added after the cancellation. */
  addEventListener(type: 'abort', listener: CancelListener): void;
  removeEventListener(type: 'abort', listener: CancelListener): void;
}

/** As for an AbortSignal: a function, or an object, which does not need a function of its own. */
export type CancelListener = (() => void) | { handleEvent(): void };

/** Both sides in one: the owner that may cancel has the object, everyone else its interface. */
export class CancelToken implements CancelSignal {
  #aborted = false;
  /** Nearly always the only listener: a list is made for the second one. */
  #first: CancelListener | undefined;
  #others: Set<CancelListener> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: 'abort', listener: CancelListener): void {
    if (this.#aborted || this.#first === listener) return;
    if (this.#first === undefined && this.#others === undefined) this.#first = listener;
    else {
      this.#others ??= new Set();
      this.#others.add(listener);
    }
  }

  removeEventListener(_type: 'abort', listener: CancelListener): void {
    if (this.#first === listener) this.#first = undefined;
    else this.#others?.delete(listener);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) tell(first);
    // A listener that an earlier listener removes is not called.
    if (this.#others !== undefined) for (const listener of this.#others) tell(listener);
    this.#others = undefined;
  }
}

function tell(listener: CancelListener): void {
  if (typeof listener === 'function') listener();
  else listener.handleEvent();
}

/** Cancelled as soon as one of them is. */
export function anyCancelled(...signals: readonly CancelSignal[]): CancelSignal {
  const either = new CancelToken();
  const stop = () => {
    for (const signal of signals) signal.removeEventListener('abort', stop);
    either.abort();
  };
  for (const signal of signals) signal.addEventListener('abort', stop);
  if (signals.some(({ aborted }) => aborted)) stop();
  return either;
}
