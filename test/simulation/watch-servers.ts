/** Holds what the Workbench says of its servers against what became of them, over reloads: a server that was replaced is another. */
import type { ServerStatus } from '../../src/workbench/server-status.ts';
import type { Workbench } from '../../src/workbench/workbench.ts';
import { createDownWatch, type DownWatch } from './down-watch.ts';
import type { Judge } from './judge.ts';
import type { Generation } from './records.ts';
import type { Fleet } from './server-process.ts';
import type { SimClock } from './sim-clock.ts';
import { createStartWatch, type StartWatch } from './start-watch.ts';

export interface ServerWatch {
  readonly down: DownWatch;
  /** All times have passed, and everybody is still there. */
  checkRest(): void;
}

export interface WatchServersOptions {
  readonly workbench: Workbench;
  readonly fleet: Fleet;
  readonly judge: Judge;
  readonly clock: SimClock;
}

export function watchServers({ workbench, fleet, judge, clock }: WatchServersOptions): ServerWatch {
  const { generations, processes } = fleet;
  const down = createDownWatch(judge);
  /** Of those in force whose whole life was seen. */
  const watches = new Map<Generation, StartWatch>();
  let reloadedAt = 0;

  const watch = (generation: Generation, { state, startMs = 0 }: ServerStatus) => {
    const { name, eager, startTimes } = generation;
    const [startedAt] = startTimes;
    const wasSeen = startTimes.length < 2 && (state === 'configured' || state === 'starting' || state === 'ready');
    if (!wasSeen) return;
    const created = createStartWatch({ eager, startedAt, fail: (fault) => judge.fail(`${name} ${fault}`) });
    if (state === 'ready') created.became('ready', { now: startedAt! + startMs, alone: false });
    watches.set(generation, created);
  };
  const look = () => {
    const before = new Map(workbench.servers().map(({ key }) => [key, generations.find(key)]));
    if (!generations.look(workbench)) return;
    reloadedAt = clock.now();
    for (const status of workbench.servers()) {
      const generation = generations.find(status.key)!;
      if (generation === before.get(status.key)) continue;
      down.forget(status.key);
      watch(generation, status);
    }
  };
  /** Its process has ended before the Workbench was told: it may have found out in between. */
  const isLate = (generation: Generation) =>
    processes.some(({ generation: own, exitedAt, reportedAt = clock.now() }) => {
      const hasEnded = own === generation && exitedAt !== undefined && exitedAt < clock.now();
      return hasEnded && reportedAt === clock.now();
    });

  look();
  workbench.onChanged(look);
  judge.onReceived = (attempt, named) => {
    generations.received(attempt);
    if (named) down.received(attempt);
  };
  judge.onReplied = down.replied;
  judge.onArrived = (process, attempt) => generations.arrived(process, attempt);
  workbench.onStatus((status) => {
    const { key, state, tools = 0 } = status;
    const generation = generations.find(key)!;
    const alone = clock.ticking && reloadedAt !== clock.now();
    if (state !== 'ready' && state !== 'sleeping' && isLate(generation)) watches.delete(generation);
    watches.get(generation)?.became(state, { now: clock.now(), alone });
    down.became(key, { state, known: tools > 0, alone });
  });

  return {
    down,
    checkRest() {
      for (const [generation, each] of watches) if (generation.state === 'current') each.checkRest();
      for (const { key, state } of workbench.servers()) {
        const generation = generations.find(key)!;
        const { idleMs, eager } = generation;
        const running = processes.filter((process) => process.running && process.generation === generation);
        if (state === 'starting' || (state === 'ready' && running.length === 0))
          judge.fail(`${key} is said to be ${state} for ever`);
        if (eager && state !== 'ready') judge.fail(`${key} is wanted and is ${state}`);
        const isUsed = running.some(({ server }) => server.leftovers().length > 0);
        if (idleMs !== undefined && !eager && state === 'ready' && !isUsed) judge.fail(`${key} does not fall asleep`);
      }
    },
  };
}
