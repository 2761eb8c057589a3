/** News that travels upward: a layer tells whoever listens, without knowing who that is. */

export interface Signal<T> {
  emit(value: T): void;
  /** Returns the function that ends the subscription. */
  on(listener: (value: T) => void): () => void;
}

export function createSignal<T>(): Signal<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const listener of [...listeners]) listener(value);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
