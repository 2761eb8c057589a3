/** A folder for what the workers of a test run make once and use often. Removed when the run is over: a worker may be killed at any time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'TEST_RUN_FOLDER';

/** Undefined outside of a test run. */
export function findRunFolder(): string | undefined {
  return process.env[variable];
}

const made: string[] = [];

/** The runner calls it before it starts workers. */
export function setup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'workbench-test-run-'));
  made.push(folder);
  process.env[variable] = folder;
}

/** The runner calls it when all workers have ended. */
export function teardown(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}
