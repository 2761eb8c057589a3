/** Clean-up that cannot be forgotten: what a test started ends with that test, whether it passed or not. */
import { afterAll, onTestFinished } from 'vitest';

const ofTheFile: (() => unknown)[] = [];
// Registered while the test file is being collected, so it counts as the file's own hook, the last of all to run.
afterAll(async () => {
  for (const task of ofTheFile.reverse()) await task();
});

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
