/**
 * Gives memory back when there is quiet. Node keeps what it took for a busy moment (some 50 MB after many calls) for as long as
 * nothing happens, and a service on a user's machine mostly waits. See decision 26.
 */
import { memoryUsage } from 'node:process';

const lookMs = 2_000;
/** Less than this between two looks is quiet. */
const quietMs = 20;
/** What a collection may take. */
const collectMs = 60;
/** Less than this since the last time is not worth it. */
const workMs = 100;
/** Of a larger heap a collection takes too long to go unnoticed. */
const mostHeap = 128 * 1024 * 1024;

/**
 * After so many quiet looks: V8 gives the space for young objects back when a collection finds that little was taken in the last
 * five seconds, and whatever was taken since the collection before it counts, however long ago. So the first one ends the account
 * of the busy time, and the second comes when five seconds of quiet are behind it.
 */
const quietLooks = [3, 6];

/** Told at each look for how many ms there was work since the beginning. */
export function createRest(giveBack: () => void): (activeMs: number) => void {
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

/** Until the function that it returns is called. */
export function restWhenQuiet(): () => void {
  let collect: Promise<() => void> | undefined;
  const look = createRest(() => {
    if (memoryUsage().heapUsed > mostHeap) return;
    collect ??= findCollector();
    void collect.then((run) => run());
  });
  const timer = setInterval(() => look(performance.eventLoopUtilization().active), lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Node has it behind a flag, which can also be set for a moment; where not, memory stays as it is. So can that V8 pushes together
 * what is left: otherwise half empty pages stay with us.
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
