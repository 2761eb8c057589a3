/** One schedule: from its seed follows everything that happens, in which order, until nothing is left to happen. */
import { checkEnd, checkGone, checkParked, checkRest } from './checks/end-checks.ts';
import type { Tally } from './checks/records.ts';
import { callAll, longestDownMs } from './clients/last-calls.ts';
import type { Pipe } from './clients/pipe.ts';
import { type Profile, profileOf } from './profile.ts';
import { createRandom, type Random } from './random.ts';
import type { Manner, SimProcess } from './servers/server-process.ts';
import { settle } from './sim-clock.ts';
import { createWorld, type World } from './world.ts';

export interface Verdict {
  readonly faults: readonly string[];
  readonly trace: string;
  readonly tally: Tally;
}

/** How far time moves at once, in ms: often past a burst, seldom past a limit. */
const delays = [
  [3, 1],
  [6, 30],
  [4, 60],
  [3, 300],
  [2, 1_100],
  [1, 3_500],
  [0.6, 25_000],
  [0.3, 61_000],
  [0.15, 601_000],
] as const;

/** Deliveries and timers after which a world must have come to rest. */
const mostRounds = 5_000;

export async function runSchedule(seed: number): Promise<Verdict> {
  const random = createRandom(seed);
  const profile = profileOf(seed);
  const world = createWorld(random, profile);
  const { judge, fleet } = world;
  fleet.manner = (server) =>
    world.sick.has(server) ? random.pick(['die', 'refuse', 'refuse']) : drawManner(random, profile);
  for (const client of world.clients) if (random.chance(0.8)) client.act();
  if (random.chance(0.8)) await deliverAll(world);
  await settle();
  const steps = 30 + random.int(110);
  for (let step = 0; step < steps && judge.faults.length === 0; step++) {
    await drawStep(world, random, profile)();
    await settle();
    world.servers.down.check();
  }
  fleet.manner = () => 'serve';
  if (judge.faults.length === 0) await finish(world, random, profile);
  return { faults: judge.faults, trace: judge.trace, tally: judge.tally };
}

function drawManner(random: Random, { trouble }: Profile): Manner {
  return random.weigh([
    [10, 'serve'],
    [trouble * 0.7, 'die'],
    [trouble * 0.4, 'refuse'],
    [trouble * 0.3, 'mute'],
  ]);
}

/** The next event: one line, one act of a server or a client, some time, some trouble. */
function drawStep(world: World, random: Random, { trouble, reloads }: Profile): () => Promise<void> | void {
  const { clock, judge, clients, fleet } = world;
  const pipes = waitingPipes(world);
  const running = fleet.processes.filter((process) => process.running);
  const ready = running.flatMap((process) => process.server.ready().map((work) => ({ process, work })));
  return random.weigh<() => Promise<void> | void>([
    [pipes.length > 0 ? 14 : 0, () => deliver(world, random.pick(pipes))],
    [
      ready.length > 0 ? 7 : 0,
      () => {
        const { process, work } = random.pick(ready);
        process.server.goOn(work);
      },
    ],
    [4, () => random.pick(clients).act()],
    [
      1.2,
      () => {
        const until = random.chance(0.6) ? (clock.nextAt ?? 0) : clock.now() + random.weigh(delays);
        judge.note('clock', `to ${until}`);
        return clock.advanceTo(until);
      },
    ],
    [running.length > 0 ? 0.4 : 0, () => random.pick(running).server.speakUp()],
    [running.length > 0 ? trouble * 0.3 : 0, () => crash(world, random.pick(running))],
    [reloads, () => world.reload()],
    [reloads * 0.3, () => turnSick(world, random)],
    [world.sick.size > 0 ? 2 : 0, () => failOn(world)],
    [reloads > 0 && findDown(world) !== undefined ? 1.5 : 0, () => crowd(world, random)],
  ]);
}

function crash({ judge }: World, process: SimProcess): void {
  judge.note(process.id, 'crashes');
  process.crash();
}

/** From now on a server fails, or does so no more. */
function turnSick(world: World, random: Random): void {
  const { sick, specs, fleet, judge } = world;
  const { name } = random.pick(specs);
  const recovers = sick.delete(name);
  judge.note(name, recovers ? 'recovers' : 'falls sick');
  if (recovers) return;
  sick.add(name);
  for (const process of fleet.processes) if (process.spec.name === name && process.running) process.crash();
}

/** What is under way arrives, and the next restart is made. */
async function failOn(world: World): Promise<void> {
  await deliverAll(world);
  const { clock } = world;
  if (clock.nextAt !== undefined && clock.nextAt < clock.now() + 40_000) await clock.advanceTo(clock.nextAt);
}

function findDown({ workbench }: World) {
  return workbench.servers().find(({ state }) => state === 'down');
}

/** A server that is down may be tried again, and everybody comes at once. */
async function crowd(world: World, random: Random): Promise<void> {
  const { clock, clients, judge } = world;
  judge.note('world', 'everybody comes at once');
  await clock.advanceTo(Math.max(clock.now(), findDown(world)?.retryAt ?? 0));
  for (let count = 0; count < 6; count++) {
    random.pick(clients).act();
    for (const pipe of clients.flatMap(({ pipes }) => pipes)) if (pipe.size > 0) deliver(world, pipe);
    await settle();
  }
}

function waitingPipes({ clients, fleet }: World): Pipe[] {
  const ofServers = fleet.processes.flatMap(({ inbox, outbox }) => [inbox, outbox]);
  return [...clients.flatMap(({ pipes }) => pipes), ...ofServers].filter(({ size }) => size > 0);
}

function deliver({ judge }: World, pipe: Pipe): void {
  const { name } = pipe;
  judge.note(name, pipe.deliver());
}

/** Everything that is under way arrives. */
async function deliverAll(world: World): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const pipes = waitingPipes(world);
    if (pipes.length === 0) return;
    for (const pipe of pipes) if (pipe.size > 0) deliver(world, pipe);
    await settle();
  }
  world.judge.fail('messages go round for ever');
}

/** Nobody begins anything new: servers do their work, and time passes until nothing waits for it. */
async function comeToRest(world: World): Promise<void> {
  const { clock, fleet, judge } = world;
  await settle();
  for (let round = 0; round < mostRounds; round++) {
    await deliverAll(world);
    if (judge.faults.length > 0) return;
    const running = fleet.processes.filter((process) => process.running);
    const ready = running.flatMap((process) => process.server.ready().map((work) => ({ process, work })));
    for (const { process, work } of ready) if (process.running) process.server.goOn(work);
    const { nextAt } = clock;
    if (ready.length > 0) continue;
    if (nextAt === undefined && waitingPipes(world).length === 0) return;
    if (nextAt !== undefined) await clock.advanceTo(nextAt);
    await settle();
  }
  judge.fail('the world does not come to rest');
}

async function callEveryServer(world: World): Promise<void> {
  const { clock, judge } = world;
  judge.note('world', 'every server is called');
  await clock.advanceTo(clock.now() + longestDownMs);
  const checkAnswers = callAll(world);
  await comeToRest(world);
  checkAnswers();
}

/** The end, in the order of real ones: clients wait, then leave, then the Workbench is closed. */
async function finish(world: World, random: Random, profile: Profile): Promise<void> {
  const { judge } = world;
  // Some are ended in the middle of everything.
  if (profile.reloads > 0 && random.chance(0.2)) {
    leave(world);
    return end(world);
  }
  judge.note('world', 'comes to rest');
  await comeToRest(world);
  if (judge.faults.length === 0) checkRest(world);
  if (judge.faults.length > 0) return;
  if (profile.reloads > 0) await callEveryServer(world);
  if (judge.faults.length > 0) return;
  leave(world);
  await comeToRest(world);
  checkGone(world);
  if (judge.faults.length > 0) return;
  await checkParked(world);
  // A reload under way must not keep anything alive.
  if (profile.reloads > 0 && random.chance(0.3)) world.reload();
  await settle();
  await end(world);
}

function leave({ judge, clients }: World): void {
  judge.closing = true;
  judge.note('world', 'clients leave');
  for (const client of clients) client.leave();
}

async function end(world: World): Promise<void> {
  const { judge, workbench, fleet } = world;
  judge.note('world', 'is closed');
  world.close();
  let isClosed = false;
  void workbench.close().then(() => {
    isClosed = true;
  });
  await settle();
  await deliverAll(world);
  if (!isClosed) judge.fail('the Workbench cannot be closed without waiting');
  fleet.generations.close();
  checkEnd(world);
}
