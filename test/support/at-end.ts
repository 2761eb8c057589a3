/** Clean-up that cannot be forgotten: what a test started ends with that test, whether it passed or not. */
import { onTestFinished } from 'vitest';

const ofTheFile: (() => unknown)[] = [];

/** Runs `task` when the current test is over, last registered first; called from a hook, when the test file is over. */
export function atEnd(task: () => unknown): void {
  try {
    onTestFinished(async () => {
      await task();
    });
  } catch {
    ofTheFile.push(task);
  }
}

/** The setup calls it after each file: files of a worker share this module. */
export async function endFile(): Promise<void> {
  for (const task of ofTheFile.splice(0).reverse()) await task();
}
