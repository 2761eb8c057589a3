/** One process at a time: a file that exists as long as somebody works. Left behind by a process that died, it is taken over. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';

export interface LockOptions {
  /** Nobody holds it longer; after this it is taken over. */
  readonly staleMs: number;
  readonly clock?: Clock;
  /** Called once when somebody else holds it. */
  onWait?(): void;
  readonly signal?: AbortSignal | undefined;
}

const pollMs = 50;
/** How often a name may be busy without a file behind it before the folder is taken for one that cannot be written. */
const mostGhosts = 40;

/** Runs the task while holding the lock. Without a place to write, the task runs unlocked: better than not at all. */
export async function withFileLock<T>(file: string, options: LockOptions, task: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomUUID()}`;
  let waited = false;
  let ghosts = 0;
  for (;;) {
    const held = take(file, mine);
    if (held === 'ghost') ghosts++;
    if (held === 'unwritable' || ghosts > mostGhosts) return task();
    if (held === 'mine') break;
    if (isLeft(file, held, options.staleMs)) {
      takeAway(file, held);
      continue;
    }
    if (!waited) options.onWait?.();
    waited = true;
    options.signal?.throwIfAborted();
    await pause(options.clock ?? systemClock);
  }
  try {
    return await task();
  } finally {
    if (read(file) === mine) remove(file);
  }
}

/** Whose it is now: ours, that of whoever wrote the text, or nobody's because nothing can be written. */
function take(file: string, mine: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    return 'unwritable';
  }
  try {
    writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
    return 'mine';
  } catch (error) {
    // Windows answers EPERM or EBUSY while a file of that name is being removed.
    const busy = ['EEXIST', 'EPERM', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
    return busy ? (read(file) ?? 'ghost') : 'unwritable';
  }
}

function isLeft(file: string, holder: string, staleMs: number): boolean {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const pid = Number.parseInt(holder, 10);
    // A holder that has not written its name yet is alive.
    return age > staleMs || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

/** Two may find it left behind at once: the one who moves it away first must not lose a new lock to the other. */
function takeAway(file: string, holder: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== holder) linkSync(aside, file);
  } catch {
    // Somebody else was quicker.
  }
  remove(aside);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Gone already.
  }
}

/** Keeps the process alive: whoever waits for the lock has work to do. */
function pause(clock: Clock): Promise<void> {
  const awake = setInterval(() => {}, 1_000_000);
  return new Promise<void>((resolve) => clock.after(pollMs, resolve)).finally(() => clearInterval(awake));
}
