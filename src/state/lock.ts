/**
 * A lock for one process at a time: a file that exists while its holder works. Another process takes it over when the holder has
 * died, or has held it longer than any task takes.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, lstatSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../base/async/clock.ts';
import { codeOf } from '../base/errors/code-of.ts';
import { findOwn, openNew } from './open-own.ts';
import { prepareFolder } from './own-folder.ts';
import { processExists } from './process-exists.ts';

export interface LockOptions {
  /** No task takes longer; after this time the lock is taken over. */
  readonly staleMs?: number;
  readonly clock?: Clock;
  /** Called once when another process holds the lock. */
  onWait?(): void;
  readonly signal?: AbortSignal | undefined;
}

const defaultStaleMs = 60_000;
const pollMs = 50;
/** How often a name may be busy without a file behind it before the folder counts as not writable. */
const maxGhosts = 40;
const maxBytes = 1_024;

/**
 * Returns the function that releases the lock; undefined when another process holds it. Throws when the file cannot be created at
 * all.
 */
export function takeLock(path: string, staleMs: number = defaultStaleMs): (() => void) | undefined {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}`;
  for (const last of [false, true]) {
    if (tryMake(path, mine)) return () => letGo(path, mine);
    const holder = findHolder(path);
    if (last || !isLeft(path, holder, staleMs)) return undefined;
    takeAway(path, holder);
  }
  return undefined;
}

/**
 * Runs the task while holding the lock. When no file can be written, the task runs without a lock, which is better than not at
 * all.
 */
export async function withLock<T>(path: string, options: LockOptions, task: () => Promise<T>): Promise<T> {
  let letGo: (() => void) | undefined;
  let waited = false;
  let ghosts = 0;
  for (;;) {
    if (prepareFolder(dirname(path)) !== undefined) return task();
    try {
      letGo = takeLock(path, options.staleMs);
    } catch {
      return task();
    }
    if (letGo !== undefined) break;
    ghosts = existsSync(path) ? 0 : ghosts + 1;
    if (ghosts > maxGhosts) return task();
    if (!waited) options.onWait?.();
    waited = true;
    options.signal?.throwIfAborted();
    await pause(options.clock ?? systemClock);
  }
  try {
    return await task();
  } finally {
    letGo();
  }
}

function tryMake(path: string, mine: string): boolean {
  try {
    const descriptor = openNew(path);
    try {
      writeSync(descriptor, mine);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    // Windows answers EPERM or EBUSY while a file of that name is being removed.
    const busy = process.platform === 'win32' ? ['EEXIST', 'EPERM', 'EBUSY'] : ['EEXIST', 'ELOOP'];
    if (busy.includes(codeOf(error))) return false;
    throw error;
  }
}

/** The content that the holder has written; empty when it has not written yet. */
function findHolder(path: string): string {
  return findOwn(path, { maxBytes })?.toString('utf8') ?? '';
}

function isLeft(path: string, holder: string, staleMs: number): boolean {
  try {
    const age = Date.now() - lstatSync(path).mtimeMs;
    const pid = Number.parseInt(holder, 10);
    // A holder that has not written its process number yet is alive.
    return age > staleMs || (pid > 0 && !processExists(pid));
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

/**
 * Two processes may find an abandoned lock at once: the one that is first to move it away must not lose its new lock to the
 * other.
 */
function takeAway(path: string, holder: string): void {
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    renameSync(path, aside);
    if (findHolder(aside) !== holder) linkSync(aside, path);
  } catch {
    // Another process was quicker.
  }
  remove(aside);
}

/** Removes the lock only if it is still ours: after a long hold another process may have taken it over. */
function letGo(path: string, mine: string): void {
  if (findHolder(path) === mine) remove(path);
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file is gone already.
  }
}

/** Keeps the process alive: a process that waits for the lock has work to do. */
function pause(clock: Clock): Promise<void> {
  const awake = setInterval(() => {}, 1_000_000);
  return new Promise<void>((resolve) => clock.after(pollMs, resolve)).finally(() => clearInterval(awake));
}
