/** What must be true of every server in force when all times have passed and everybody is still there. */
import type { World } from '../world.ts';

/** `isWatching`: some client watches some resource, which keeps a server awake. */
export function checkServers(
  { workbench, fleet, judge }: World,
  { isWatching }: { readonly isWatching: boolean },
): void {
  const { processes, generations } = fleet;
  for (const { key, state, notes } of workbench.servers()) {
    const generation = generations.find(key);
    const isRunning = processes.some((process) => process.running && process.generation === generation);
    if (state === 'starting' || (state === 'ready' && !isRunning)) judge.fail(`${key} is said to be ${state} for ever`);
    if (generation?.eager && state !== 'ready') judge.fail(`${key} is wanted and is ${state}`);
    const isSleepy = generation?.idleMs !== undefined && !generation.eager && !isWatching;
    if (isSleepy && state === 'ready') judge.fail(`${key} does not fall asleep`);
    const lister = workbench.snapshot.catalog.get(key)?.tools.at(-1)?.name;
    // One that did not list its tools in time keeps those of before, and says so.
    if (lister === undefined || notes.length > 0) continue;
    const heard = processes.find(({ id }) => id === lister);
    if (heard?.generation !== generation || (state === 'ready' && !heard?.running))
      judge.fail(`${key} shows the tools of ${lister}`);
  }
}
