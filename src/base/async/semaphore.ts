/** A counting semaphore: refuses the (n+1)th holder. */
import { createEmitter } from './emitter.ts';

export interface Semaphore {
  /** Takes a slot, which the caller must return exactly once; false when all are taken. */
  tryAcquire(): boolean;
  /** Returns a slot that `enter` took. */
  release(): void;
  /** Takes a slot and gives the function that returns it; undefined when all are taken. */
  tryHold(): (() => void) | undefined;
  /** Resolves when no slot is taken. */
  idle(): Promise<void>;
}

export function createSemaphore(most: number): Semaphore {
  let taken = 0;
  const freed = createEmitter<void>();
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
    tryAcquire: enter,
    release: leave,
    tryHold() {
      if (!enter()) return undefined;
      let given = false;
      return () => {
        if (!given) leave();
        given = true;
      };
    },
    idle: () =>
      new Promise((resolve) => {
        if (taken === 0) resolve();
        else freed.on(resolve);
      }),
  };
}

/** A semaphore for each of many keys. */
export interface KeyedSemaphore {
  tryHold(key: string): (() => void) | undefined;
}

export function createKeyedSemaphore(most: number): KeyedSemaphore {
  const taken = new Map<string, number>();
  return {
    tryHold(key) {
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
