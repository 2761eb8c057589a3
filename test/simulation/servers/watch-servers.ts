/** Holds what the Workbench says of its servers against what became of them, over reloads: a server that was replaced is another. */
import type { ServerStatus } from '../../../src/workbench/reports/server-status.ts';
import type { Workbench } from '../../../src/workbench/workbench.ts';
import type { Judge } from '../checks/judge.ts';
import type { Attempt, Generation } from '../checks/records.ts';
import type { SimClock } from '../sim-clock.ts';
import { createDownWatch, type DownWatch } from './down-watch.ts';
import type { Fleet } from './server-process.ts';
import type { ServerSpec } from './server-spec.ts';
import { createStartWatch, type StartWatch } from './start-watch.ts';

export interface ServerWatch {
  readonly down: DownWatch;
  /** All times have passed. */
  checkRest(): void;
}

export interface WatchServersOptions {
  readonly workbench: Workbench;
  readonly fleet: Fleet;
  readonly judge: Judge;
  readonly clock: SimClock;
  readonly specs: readonly ServerSpec[];
}

export function watchServers({ workbench, fleet, judge, clock, specs }: WatchServersOptions): ServerWatch {
  const { generations, processes } = fleet;
  const down = createDownWatch(judge);
  /** Of those in force whose whole life was seen. */
  const watches = new Map<Generation, StartWatch>();
  const open = new Set<Attempt>();
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
    const before = new Map(specs.map(({ name }) => [name, generations.find(name)]));
    if (!generations.look(workbench)) return;
    reloadedAt = clock.now();
    for (const [name, old] of before) {
      const generation = generations.find(name);
      if (generation === old) continue;
      down.forget(name);
      if (generation !== undefined) watch(generation, workbench.statusOf(name));
    }
  };
  /** Its process has ended before the Workbench was told: it may have found out in between. */
  const isLate = (generation: Generation) =>
    processes.some(({ generation: own, exitedAt, reportedAt = clock.now() }) => {
      const hasEnded = own === generation && exitedAt !== undefined && exitedAt < clock.now();
      return hasEnded && reportedAt === clock.now();
    });

  /** Only time has made it so: no reload, and no call that was lost between two of its rounds and is made again. */
  const isAlone = (name: string) => {
    const calls = [...open].map(({ nonce = '' }) => judge.calls.get(nonce));
    const isRepeated = calls.some((call) => call?.repeatable && call.spec.name === name);
    return clock.ticking && reloadedAt !== clock.now() && !isRepeated;
  };

  look();
  workbench.onChanged(look);
  judge.onReceived = (attempt, named) => {
    generations.received(attempt);
    open.add(attempt);
    if (named) down.received(attempt);
  };
  judge.onOver = (attempt) => {
    open.delete(attempt);
    down.over(attempt);
  };
  judge.onArrived = (process, attempt) => generations.arrived(process, attempt);
  workbench.onStatus((status) => {
    const { key, state, tools = 0 } = status;
    judge.note(key, `is ${state}`);
    const generation = generations.find(key)!;
    const alone = isAlone(key);
    if (state !== 'ready' && state !== 'sleeping' && isLate(generation)) watches.delete(generation);
    watches.get(generation)?.became(state, { now: clock.now(), alone });
    down.became(key, { state, known: tools > 0, alone });
  });

  return {
    down,
    checkRest() {
      for (const [generation, each] of watches) if (generation.state === 'current') each.checkRest();
    },
  };
}
