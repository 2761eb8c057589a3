/**
 * What a call will come to. Like a promise, with one difference: whoever has something to do with the answer is called at once when
 * it is there, one after the other, and not each in a turn of its own. A call passes half a dozen layers and each of them waits for
 * the next; as promises these took as long as all the rest of the work.
 */

type Step = ((content: never) => unknown) | undefined;

export type Later<T> = Eventual<T> | Promise<T>;

/** What a step may give: the value to go on with, or something that is waited for. */
type Given<T> = T | Later<T>;

export class Eventual<T> implements PromiseLike<T> {
  #state: 'open' | 'busy' | 'value' | 'error' = 'open';
  #content: unknown;
  /** In pairs: for a value, for an error. */
  readonly #steps: Step[] = [];
  #next = 0;

  /** What there is already, or what a promise will give. */
  static of<T>(given: Given<T>): Eventual<T> {
    if (given instanceof Eventual) return given;
    const made = new Eventual<T>();
    made.#play(true, given);
    return made;
  }

  static failed<T>(error: unknown): Eventual<T> {
    const made = new Eventual<T>();
    made.reject(error);
    return made;
  }

  /** What a function gives; what it throws is a failure like any other. */
  static run<T>(begin: () => Given<T>): Eventual<T> {
    try {
      return Eventual.of(begin());
    } catch (error) {
      return Eventual.failed(error);
    }
  }

  /** Only the first of all that it is told counts. */
  resolve(value: T): void {
    if (this.#state === 'open') this.#play(true, value);
  }

  reject(error: unknown): void {
    if (this.#state === 'open') this.#play(false, error);
  }

  /**
   * Adds a step: what it gives, or throws, is what this comes to from here on, for all who come later. It is the same object, made
   * for one user who hands it on; to fork it, use `then`.
   */
  map<U, F = never>(onValue: (value: T) => Given<U>, onError?: (error: unknown) => Given<F>): Eventual<U | F> {
    this.#steps.push(onValue as Step, onError as Step);
    if (this.#state === 'value' || this.#state === 'error') this.#play(this.#state === 'value', this.#content);
    return this as unknown as Eventual<U | F>;
  }

  /** Does something at the end, whatever that is. */
  atEnd(onEnd: () => void): Eventual<T> {
    return this.map(
      (value) => {
        onEnd();
        return value;
      },
      (error) => {
        onEnd();
        throw error;
      },
    );
  }

  /** As a promise, for whoever awaits it. */
  // biome-ignore lint/suspicious/noThenProperty: it is made to be awaited where that does not count.
  then<U = T, F = never>(
    onValue?: ((value: T) => U | PromiseLike<U>) | null,
    onError?: ((error: never) => F | PromiseLike<F>) | null,
  ): Promise<U | F> {
    const promise = new Promise<T>((resolve, reject) => {
      this.map(
        (value) => {
          resolve(value);
          return value;
        },
        (error) => {
          reject(error);
          throw error;
        },
      );
    });
    return promise.then(onValue, onError as ((error: unknown) => F | PromiseLike<F>) | null);
  }

  /** One step after the other, up to the end or to one that must be waited for. */
  #play(isValue: boolean, given: unknown): void {
    let good = isValue;
    let content = given;
    // What is added while the steps are taken waits for its turn.
    this.#state = 'busy';
    while (!(content instanceof Eventual || content instanceof Promise)) {
      const at = this.#next;
      if (at >= this.#steps.length) {
        this.#content = content;
        this.#state = good ? 'value' : 'error';
        return;
      }
      this.#next = at + 2;
      const step = this.#steps[good ? at : at + 1];
      if (step === undefined) continue;
      try {
        content = step(content as never);
        good = true;
      } catch (error) {
        content = error;
        good = false;
      }
    }
    const goOn = (value: unknown) => this.#play(true, value);
    const fail = (error: unknown) => this.#play(false, error);
    if (content instanceof Eventual) content.map(goOn, fail);
    else content.then(goOn, fail);
  }
}
