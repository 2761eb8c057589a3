/** The soak from its beginning to its end: set up, run, drain, end, account, report. */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../generator/random.ts';
import type { SoakClient } from './clients/client.ts';
import { createLegacyClient } from './clients/legacy-client.ts';
import { makeCall } from './clients/make-call.ts';
import { createModernClient } from './clients/modern-client.ts';
import { startPacer } from './clients/pacer.ts';
import { createPool } from './clients/pool.ts';
import { createStdioClient } from './clients/stdio-client.ts';
import { judgeLedgers, readLedgers, startedBy } from './ledgers.ts';
import type { Place } from './place.ts';
import { createPlanner } from './plan.ts';
import { copyProgram, type Program, startNode, waitFor } from './program.ts';
import { findReasons, toRows, toTable } from './report.ts';
import { createTally, type Tally } from './tally.ts';
import { startEdits } from './trouble/edits.ts';
import { type Footprint, findFootprint, isAlive, killOurs, ownDescriptors } from './trouble/footprint.ts';
import { startKills } from './trouble/kills.ts';
import { observe, readStalls } from './trouble/observe.ts';
import { type Scenery, separator, soakServers, toConfig } from './trouble/scenery.ts';
import { startTurns } from './trouble/turns.ts';

export interface SoakOptions {
  readonly root: string;
  /** For files of this run. */
  readonly folder: string;
  readonly args: readonly string[];
}

const sessionsOfEachEra = 100;
const endMs = 15_000;
/** After so long without a call the Workbench has ended the connections it keeps to servers. */
const restMs = 6_000;

/** Gives the exit code. */
export async function runSoak({ root, folder, args }: SoakOptions): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      rate: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    },
  });
  const [minutes, rate, seed] = [Number(values.minutes), Number(values.rate), Number(values.seed)];
  if (!(minutes > 0) || !(rate > 0) || !Number.isInteger(seed)) {
    process.stderr.write('--minutes and --rate are numbers above 0, --seed is an integer.\n');
    return 2;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const random = createRandom(seed);
  const tally = createTally();
  const strays = {
    stray: (about: string) => tally.fault('misrouted', about),
    twice: (about: string) => tally.fault('twice', about),
  };
  const troubles: string[] = [];

  const stage = await setUp(root, folder);
  const { program, place, scenery, watches, configFile } = stage;
  if (!watches) say('This build does not reload its configuration: it is not edited on the way.');
  await wake(place, tally);
  await sleep(restMs);
  const start = findFootprint(program.pid);

  const clients: SoakClient[] = [await createStdioClient(program.child, strays)];
  for (let at = 0; at < sessionsOfEachEra; at++) {
    clients.push(await createLegacyClient(place, strays, { listens: at % 4 === 0 }));
    clients.push(createModernClient(place, strays));
  }
  say(`${soakServers.length} servers, ${clients.length} clients; ${minutes} minutes of calls begin.`);

  const pool = createPool(clients, random, tally);
  const looking = createModernClient(place, strays);
  const observation = observe(program.pid);
  const turns = startTurns(scenery);
  const kills = startKills(scenery.ledgers);
  const renewals = pool.startRenewals();
  const hangUp = () => program.child.kill('SIGHUP');
  const edits = watches ? startEdits({ scenery, configFile, client: looking, tally, hangUp }) : undefined;
  const ground = { tally, wasKilled: kills.wasKilled, faultOf: turns.faultOf };
  const pacer = startPacer({
    perSecond: rate,
    next: createPlanner(random),
    run: (plan) => makeCall(plan, pool.pick(plan), ground),
  });

  await Promise.race([sleep(minutes * 60_000), program.exited]);
  kills.stop();
  await edits?.stop();
  await renewals.stop();
  await pacer.stop();
  turns.stop();
  observation.stop();
  await pool.close();
  await looking.close();

  const end = start && (await settle(program, start));
  if (!program.isRunning) troubles.push(`the Workbench ended on the way:\n${program.said().slice(-2_000)}`);
  else troubles.push(...(await endProgram(program)));
  stage.endServers();
  const entries = readLedgers(scenery.ledgers);
  troubles.push(...(await findLeft(startedBy(entries), scenery.ledgers)));
  judgeLedgers(entries, kills.counts, tally);

  const killed = [...kills.counts.values()].reduce((sum, each) => sum + each, 0);
  const [stalls, idleStalls] = [readStalls(stage.stallFile), readStalls(`${stage.stallFile}-idle`)];
  const { footprints } = observation;
  const seen = { start, end, footprints, stalls, idleStalls };
  const findings = { minutes, seed, rate, tally, kills: killed, troubles, ...seen };
  say(toTable(toRows(findings)));
  const reasons = findReasons(findings);
  if (reasons.length === 0) say('Every call is accounted for.');
  else say(['NOT GOOD:', ...reasons, ...tally.examples].join('\n  '));
  return reasons.length === 0 ? 0 : 1;
}

interface Stage {
  readonly program: Program;
  readonly place: Place;
  readonly scenery: Scenery;
  readonly configFile: string;
  /** With `-idle` behind it, the same of a process that does nothing: what the machine adds. */
  readonly stallFile: string;
  /** The program takes a changed configuration up by itself. */
  readonly watches: boolean;
  endServers(): void;
}

async function setUp(root: string, folder: string): Promise<Stage> {
  const fixtures = join(root, 'test/fixtures/soak');
  const ledgers = join(folder, 'ledgers');
  mkdirSync(ledgers);
  const turnFile = (server: string) => join(ledgers, `${server}.turn`);
  // Bad ones have a process of their own, so that what they do costs no healthy one.
  const groups = [false, true].map((bad) =>
    soakServers.filter((each) => each.transport === 'http' && each.bad === bad),
  );
  const ports = new Map<string, number>();
  const started = await Promise.all(
    groups.map(async (group) => {
      const wanted = group.map(({ name, era, bad }) => [name, era, ...(bad ? [turnFile(name)] : [])].join(','));
      const servers = startNode([join(fixtures, 'http-server.mjs'), ledgers, ...wanted]);
      const told = JSON.parse(await waitFor(servers, 'stdout', /^(\[.*\])\n/)) as number[];
      for (const [at, { name }] of group.entries()) ports.set(name, told[at] ?? 0);
      return servers;
    }),
  );

  const scenery: Scenery = { fixtures, ledgers, turnFile, ports };
  const configFile = join(folder, 'workbench.json');
  writeFileSync(configFile, JSON.stringify(toConfig(scenery, { generation: 0, extra: false })));
  const file = copyProgram(root, folder);
  const watches = execFileSync(process.execPath, [file, 'serve', '--help'], { encoding: 'utf8' }).includes(
    '--no-watch',
  );
  const stallFile = join(folder, 'stalls');
  const token = 'a-token-for-the-soak';
  const watched = ['--import', pathToFileURL(join(fixtures, 'stalls.mjs')).href];
  const program = startNode(
    [...watched, file, 'serve', '--config', configFile, '--http=0', '--stdio', '--token', token],
    { SOAK_STALLS: stallFile, WORKBENCH_STATE: join(folder, 'state') },
  );
  const idle = startNode([...watched, '-e', 'process.stdin.resume()'], { SOAK_STALLS: `${stallFile}-idle` });
  const url = await waitFor(program, 'stderr', /listens at (http:\S+)/);
  const endServers = () => {
    for (const { child } of [...started, idle]) child.stdin.end();
  };
  return { program, place: { url, token }, scenery, configFile, stallFile, watches, endServers };
}

/** Calls every server once, so that all run. */
async function wake(place: Place, tally: Tally): Promise<void> {
  const client = createModernClient(place, { stray() {}, twice() {} });
  await client.ask({ method: 'tools/list', params: {} }).answer;
  for (const { name } of soakServers) {
    const params = { name: `${name}${separator}look`, arguments: { nonce: `${name}.0.`, size: 0 } };
    const answer = await client.ask({ method: 'tools/call', params }).answer;
    if (answer.kind !== 'result' || answer.result.isError === true)
      tally.fault('refused', `${name} at the start: ${JSON.stringify(answer)}`);
  }
  await client.close();
}

/** What it takes when nobody uses it any more, as soon as that is what it took before, or after a while. */
async function settle({ pid }: Program, start: Footprint): Promise<Footprint | undefined> {
  const until = Date.now() + endMs;
  for (;;) {
    const now = findFootprint(pid);
    const isBack = now !== undefined && Math.abs(ownDescriptors(now) - ownDescriptors(start)) <= 1;
    if ((isBack && now.children <= start.children) || Date.now() > until) return now;
    await sleep(250);
  }
}

async function endProgram(program: Program): Promise<string[]> {
  // Windows has no signals; there it ends with the client on its pipes.
  if (process.platform === 'win32') program.child.stdin.end();
  else program.child.kill('SIGTERM');
  const ended = await Promise.race([program.exited, sleep(endMs)]);
  if (ended !== undefined) return ended.code === 0 ? [] : [`it ended with ${ended.code ?? ended.signal}`];
  program.child.kill('SIGKILL');
  return [`it did not end within ${endMs / 1_000} s of a signal`];
}

/** Processes of servers that are still there; ended then, so that nothing stays behind. */
async function findLeft(pids: readonly number[], mark: string): Promise<string[]> {
  const until = Date.now() + 5_000;
  while (pids.some(isAlive) && Date.now() < until) await sleep(100);
  const left = pids.filter((pid) => isAlive(pid) && killOurs(pid, mark));
  return left.length === 0 ? [] : [`left running: ${left.join(', ')}`];
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
