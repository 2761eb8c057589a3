/** What is measured of peers: calls in turns, memory and lists in front of ten servers, and how long until they know everything. */
import { setTimeout as pause } from 'node:timers/promises';
import { runBlock } from '../load.mjs';
import { residentMb } from '../process.mjs';
import { callParams } from '../routes.mjs';
import { startTen } from '../scenarios/cold-start.mjs';
import { shuffled } from '../turns.mjs';

const mb = 1024 * 1024;
const small = { tool: 'echo', given: { text: 'x'.repeat(100) } };
const loads = [
  { name: '100 B, p50', unit: 'ms', member: 'p50', ...small, calls: 100 },
  { name: '16 in flight', unit: 'calls/s', member: 'perSecond', ...small, calls: 500, inFlight: 16 },
  { name: '64 in flight', unit: 'calls/s', member: 'perSecond', ...small, calls: 500, inFlight: 64 },
  { name: '1 MB reply, p50', unit: 'ms', member: 'p50', tool: 'blob', given: { bytes: mb }, calls: 8 },
  { name: '1 MB argument, p50', unit: 'ms', member: 'p50', tool: 'measure', given: { text: 'x'.repeat(mb) }, calls: 8 },
];
const [tenServers, fiftyTools] = [10, 50];
const memoryCalls = { calls: 20_000, inFlight: 16 };
const warmUp = { calls: 2_000, inFlight: 16 };
const restMs = 10_000;
const blockMs = 250;
const mostRounds = 4;

export async function measureTogether({ company, knowing, rounds, figures }) {
  const measured = { company, rounds: Math.min(rounds, mostRounds), figures };
  await measureCalls(measured);
  await measureTen(measured);
  await measureCold(measured, knowing);
}

async function measureCalls({ company, rounds, figures }) {
  const routes = await openAll(company, 1, fiftyTools);
  for (const member of company.present())
    await company.ask(member, ({ name }) => runBlock(callOf(routes.get(name), small), warmUp));
  for (const load of loads) {
    const refused = new Map();
    for (const member of company.present()) {
      const call = callOf(routes.get(member.name), load);
      await company.ask(member, () => call().catch(({ message }) => refused.set(member.name, message)));
    }
    const results = await inTurnsOf(company, rounds, async ({ name }) => {
      if (refused.has(name)) return undefined;
      return (await runBlock(callOf(routes.get(name), load), { ...load, minMs: blockMs }))[load.member];
    });
    addAll({ company, figures, name: load.name, unit: load.unit, results, refused });
  }
  await closeAll(routes);
}

async function measureTen({ company, rounds, figures }) {
  const routes = await openAll(company, tenServers, fiftyTools);
  const look = async (name) => {
    await pause(restMs);
    const results = new Map([...routes].map(([who, { pid }]) => [who, [residentMb(pid)]]));
    addAll({ company, figures, name, unit: 'MB', results });
  };
  await look('RSS idle');
  for (const member of company.present())
    await company.ask(member, ({ name }) => runBlock(callOf(routes.get(name), small), memoryCalls));
  await look('RSS after 20k calls');
  const list = async ({ name }) => {
    const call = async () => JSON.parse((await routes.get(name).client.request('tools/list', '{}')).toString('utf8'));
    return (await runBlock(call, { calls: 10 })).p50;
  };
  await inTurnsOf(company, 1, list);
  const results = await inTurnsOf(company, rounds, list);
  addAll({ company, figures, name: 'list of 500', unit: 'ms', results, against: 'direct' });
  await closeAll(routes);
}

/** Of those that take ten servers. */
async function measureCold({ company, rounds, figures }, knowing) {
  const base = 'client that starts the ten';
  const ten = [{ name: base, start: async () => (await startTen()).complete }];
  const others = [...company.present(), knowing].filter(({ base, alone }) => base === undefined && !alone);
  const contenders = [...ten, ...others.map((member) => ({ name: member.name, start: () => startOne(member) }))];
  const results = new Map(contenders.map(({ name }) => [name, []]));
  // The first round fills caches and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const { name, start } of shuffled(contenders)) {
      const took = await company.ask({ name }, start);
      if (round > 0) results.get(name).push(took);
    }
  for (const { name: of } of others) {
    const figure = { scenario: 'peers', name: 'cold start', of, against: base, unit: 'ms' };
    const whole = results.get(of).every((value) => value !== undefined);
    if (whole) figures.add({ ...figure, own: results.get(of), base: results.get(base) });
  }
}

async function startOne(member) {
  const start = performance.now();
  const route = await member.open(tenServers, fiftyTools);
  const took = performance.now() - start;
  await route.close();
  return took;
}

async function openAll(company, servers, tools) {
  const routes = new Map();
  for (const member of company.present())
    await company.ask(member, async () => {
      const route = await member.open(servers, tools);
      routes.set(member.name, route);
    });
  return routes;
}

async function closeAll(routes) {
  for (const route of routes.values()) await route.close();
}

function callOf(route, { tool, given }) {
  const params = callParams(route, tool, given);
  return () => route.client.request('tools/call', params);
}

async function inTurnsOf(company, rounds, measure) {
  const results = new Map(company.present().map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const member of shuffled(company.present()))
      results.get(member.name).push(await company.ask(member, () => measure(member)));
  return results;
}

function addAll({ company, figures, name, unit, results, refused = new Map(), against: kind = 'relay' }) {
  for (const { name: of, transport, base } of company.present()) {
    if (base !== undefined) continue;
    const against = `${kind} ${transport === 'stdio' ? 'stdio' : 'http'}`;
    const figure = { scenario: 'peers', name, of, against, unit };
    const [own, bases] = [results.get(of), results.get(against)];
    if (refused.has(of)) figures.add({ ...figure, refused: refused.get(of).slice(0, 100) });
    else if (own?.[0] !== undefined && bases?.[0] !== undefined) figures.add({ ...figure, own, base: bases });
  }
}
