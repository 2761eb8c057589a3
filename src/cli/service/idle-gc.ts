/**
 * Gives memory back when there is no work. Node keeps the memory of a busy moment (some 50 MB after many calls) as long as
 * nothing happens, and a service on a user's machine mostly waits. See decision 26.
 */
import { memoryUsage } from 'node:process';

const lookMs = 2_000;
/** Less work than this between two checks counts as quiet. */
const quietMs = 20;
/** How long a collection may take. */
const collectMs = 60;
/** Less work than this since the last collection is not worth another. */
const workMs = 100;
/** The collection of a larger heap takes long enough to be noticed. */
const maxHeap = 128 * 1024 * 1024;

/**
 * The number of quiet checks before each collection. V8 frees the space for young objects when a collection finds that little was
 * allocated in the last five seconds, and it counts everything since the previous collection. So the first collection resets the
 * count after the busy time, and the second comes after five quiet seconds.
 */
const quietLooks = [3, 6];

/** Called at each check with the milliseconds of work since the start. */
export function createIdleGc(giveBack: () => void): (activeMs: number) => void {
  let lookedAt = 0;
  let restedAt = 0;
  let quiet = 0;
  return (activeMs) => {
    const worked = activeMs - lookedAt;
    lookedAt = activeMs;
    const own = quietLooks.includes(quiet) ? collectMs : 0;
    quiet = worked < quietMs + own ? quiet + 1 : 0;
    if (activeMs - restedAt < workMs || !quietLooks.includes(quiet)) return;
    giveBack();
    if (quiet === quietLooks.at(-1)) restedAt = activeMs;
  };
}

/** Runs until the returned function is called. */
export function collectWhenIdle(): () => void {
  let collect: Promise<() => void> | undefined;
  const look = createIdleGc(() => {
    if (memoryUsage().heapUsed > maxHeap) return;
    collect ??= findCollector();
    void collect.then((run) => run());
  });
  const timer = setInterval(() => look(performance.eventLoopUtilization().active), lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Node has `gc` behind a flag, which can also be set for a moment; without it, memory stays as it is. Another flag makes V8
 * compact the heap, because half-empty pages are not freed.
 */
async function findCollector(): Promise<() => void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  const withFlag = <T>(name: string, act: () => T): T => {
    setFlagsFromString(`--${name}`);
    try {
      return act();
    } finally {
      setFlagsFromString(`--no-${name}`);
    }
  };
  try {
    const found: unknown = withFlag('expose-gc', () => runInNewContext('gc'));
    return typeof found === 'function' ? () => withFlag('compact-on-every-full-gc', () => void found()) : () => {};
  } catch {
    return () => {};
  }
}
