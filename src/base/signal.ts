/** News that travels upward: a layer tells whoever listens, without knowing who that is. */

export interface Signal<T> {
  /** Somebody listens: otherwise news that costs something need not be made. */
  readonly awaited: boolean;
  emit(value: T): void;
  /** Returns the function that ends the subscription. */
  on(listener: (value: T) => void): () => void;
}

export function createSignal<T>(): Signal<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    get awaited() {
      return listeners.size > 0;
    },
    emit(value) {
      // Whoever ends a subscription while this is told is not told any more.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(value);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
