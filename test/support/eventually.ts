/** Waiting for what will become true without saying when: the only clock a test should know. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `check` until it neither throws nor gives false; gives its value, or throws its last failure after `ms`. */
export async function eventually<T>(check: () => T | Promise<T>, ms = 5_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    let failure: unknown = new Error(`still false after ${ms} ms: ${check}`);
    try {
      const value = await check();
      if (value !== false) return value;
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= deadline) throw failure;
    await sleep(20);
  }
}
