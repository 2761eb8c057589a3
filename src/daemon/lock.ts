/**
 * A file that only one process can make at a time. One whose owner is gone, or that is older than anything it is held for, is free.
 * Two that find it abandoned at the same moment may both get it: what is done under it has to bear that, and be worse for it only
 * by a process too many, which ends by itself.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { codeOf } from './own-files.ts';

const longestHeldMs = 60_000;

/** Gives the function that lets go; undefined when somebody else holds it. Throws when the file cannot be made at all. */
export function takeLock(path: string): (() => void) | undefined {
  for (const last of [false, true]) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => letGo(path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (last || !isAbandoned(path)) return undefined;
    rmSync(path, { force: true });
  }
  return undefined;
}

/** Only what is still ours: one that was held too long may be somebody else's by now. */
function letGo(path: string): void {
  try {
    if (readFileSync(path, 'utf8') === String(process.pid)) rmSync(path, { force: true });
  } catch {
    // Gone already.
  }
}

function isAbandoned(path: string): boolean {
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    const text = readFileSync(path, 'utf8');
    // Somebody may be about to write its number.
    return age > longestHeldMs || (/^[1-9]\d*$/.test(text) && !exists(Number(text)));
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
