/** A number of things of which so many may be there at once. */
import { createSignal } from './signal.ts';

export interface Slots {
  /** Takes one, for whoever gives it back once and only once; false when all are taken. */
  enter(): boolean;
  /** Gives back what `enter` took. */
  leave(): void;
  /** Takes one and gives the function that gives it back; undefined when all are taken. */
  take(): (() => void) | undefined;
  /** Resolves when none is taken. */
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

/** The same for each of many. */
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
        // Whoever has none is forgotten.
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
