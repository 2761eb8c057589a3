/** A counting semaphore: refuses the (n+1)th holder. */
import { createSignal } from './signal.ts';

export interface Slots {
  /** Takes a slot, which the caller must return exactly once; false when all are taken. */
  enter(): boolean;
  /** Returns a slot that `enter` took. */
  leave(): void;
  /** Takes a slot and gives the function that returns it; undefined when all are taken. */
  take(): (() => void) | undefined;
  /** Resolves when no slot is taken. */
  free(): Promise<void>;
}

export function createSlots(most: number): Slots {
  let taken = 0;
  const freed = createSignal<void>();
  const enter = () => {
    if (taken >= most) return false;
    taken++;
    return true;
  };
  const leave = () => {
    taken--;
    if (taken === 0) freed.emit();
  };
  return {
    enter,
    leave,
    take() {
      if (!enter()) return undefined;
      let given = false;
      return () => {
        if (!given) leave();
        given = true;
      };
    },
    free: () =>
      new Promise((resolve) => {
        if (taken === 0) resolve();
        else freed.on(resolve);
      }),
  };
}

/** A semaphore for each of many keys. */
export interface KeyedSlots {
  take(key: string): (() => void) | undefined;
}

export function createKeyedSlots(most: number): KeyedSlots {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= most) return undefined;
      taken.set(key, count + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        const left = (taken.get(key) ?? 1) - 1;
        // A key without holders is forgotten.
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
