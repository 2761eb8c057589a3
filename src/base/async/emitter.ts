/** An event that travels upward: a layer tells its listeners without knowing them. */

export interface Emitter<T> {
  /** Whether there are listeners: without any, costly news need not be made. */
  readonly hasListeners: boolean;
  emit(value: T): void;
  /** Returns the function that ends the subscription. */
  on(listener: (value: T) => void): () => void;
}

export function createEmitter<T>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    get hasListeners() {
      return listeners.size > 0;
    },
    emit(value) {
      // A listener that is removed during the call is not called any more.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(value);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
