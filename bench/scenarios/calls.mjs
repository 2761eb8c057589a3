/** Calls: how long one takes, and how many a second, for small and large messages. One server behind every route. */
import { runBlock } from '../load.mjs';
import { cpuMs } from '../process.mjs';
import { callParams, openRoute } from '../routes.mjs';
import { inTurns, shuffled } from '../turns.mjs';

const mb = 1024 * 1024;
const small = { tool: 'echo', given: { text: 'x'.repeat(100) } };
/** `once`: half the rounds; it is not among what the page begins with. */
const loads = [
  // While V8 is still compiling: a relay has nearly nothing to compile.
  { name: '100 B at first', ...small, calls: 200, once: true },
  { name: '100 B', ...small, calls: 200, warmUp: { calls: 5_000 } },
  { name: '10 KB', tool: 'echo', given: { text: 'x'.repeat(10 * 1024) }, calls: 100, once: true },
  { name: '1 MB reply', tool: 'blob', given: { bytes: mb }, calls: 10 },
  { name: '1 MB argument', tool: 'measure', given: { text: 'x'.repeat(mb) }, calls: 10 },
  { name: '16 in flight', ...small, calls: 1_000, inFlight: 16, once: true },
  { name: '64 in flight', ...small, calls: 1_000, inFlight: 64 },
  // What a client does that wants to know what it was told; the bare one leaves the machine to what lies between.
  { name: '64 in flight, parsed', ...small, calls: 1_000, inFlight: 64, parse: true, once: true },
];
const blockMs = 250;
const firstWarmUp = { calls: 5_000, inFlight: 16 };

/** Rounds with the same processes: one process can be slower than its twin for as long as both live. */
const sitting = 2;

export async function measureCalls(transport, { workbench, rounds, figures }) {
  const http = transport === 'http';
  const names = ['direct', 'relay', 'relay again', 'flat', 'meta', ...(http ? ['pipe', 'flat to http'] : [])];
  const found = new Map(loads.map((load) => [load, new Map(names.map((name) => [name, []]))]));
  for (let round = 0; round < rounds; round += sitting) {
    const routes = [];
    for (const name of shuffled(names)) routes.push(await openRoute(name, { transport, workbench }));
    for (const route of routes) {
      await proveEcho(route);
      await runBlock(toCall(route, loads[0]), firstWarmUp);
    }
    for (const load of loads) {
      if (load.warmUp !== undefined) for (const route of routes) await runBlock(toCall(route, load), load.warmUp);
      const turns = Math.min(load.once ? 1 : sitting, rounds - round);
      const blocks = await inTurns(routes, turns, (route) => measureBlock(route, load));
      for (const name of names)
        found
          .get(load)
          .get(name)
          .push(...blocks.get(name));
    }
    for (const route of routes) await route.close();
  }

  for (const [load, results] of found) {
    const add = (of, against, member, unit) =>
      figures.add({
        scenario: transport,
        name: `${load.name}, ${unit === 'calls/s' ? unit : member}`,
        ...{ of, against, unit },
        own: results.get(of).map((block) => block[member]),
        base: results.get(against).map((block) => block[member]),
      });
    const members =
      load.inFlight === undefined
        ? [['p50', 'ms']]
        : [
            ['perSecond', 'calls/s'],
            ['p99', 'ms'],
          ];
    for (const [member, unit] of members) {
      add('relay again', 'relay', member, unit);
      add('relay', 'direct', member, unit);
      add('flat', 'relay', member, unit);
      add('meta', 'flat', member, unit);
      if (!http) continue;
      add('flat', 'pipe', member, unit);
      add('flat to http', 'relay', member, unit);
    }
    if (load.inFlight === undefined) continue;
    const sum = (name, member) => results.get(name).reduce((total, block) => total + block[member], 0);
    const perCall = (name) => [(sum(name, 'cpu') * 1_000) / sum(name, 'calls')];
    for (const of of ['flat', 'meta', ...(http ? ['pipe', 'flat to http'] : [])]) {
      const [own, base] = [perCall(of), perCall('relay')];
      const name = `${load.name}, CPU of the middle`;
      figures.add({ scenario: transport, name, of, against: 'relay', unit: 'µs/call', own, base });
    }
  }
}

async function measureBlock(route, load) {
  const before = cpuMs(route.pid) ?? Number.NaN;
  const block = await runBlock(toCall(route, load), { ...load, minMs: blockMs });
  return { ...block, cpu: (cpuMs(route.pid) ?? Number.NaN) - before };
}

function toCall(route, { tool, given, parse = false }) {
  const params = callParams(route, tool, given);
  if (!parse) return () => route.client.request('tools/call', params);
  const value = JSON.parse(params);
  return async () => JSON.parse((await route.client.request('tools/call', JSON.stringify(value))).toString('utf8'));
}

/** What is fast must also be right. */
async function proveEcho(route) {
  const text = 'a "quoted" Ω';
  const answer = await route.client.request('tools/call', callParams(route, 'echo', { text }));
  const { result } = JSON.parse(answer.toString('utf8'));
  if (result.content[0].text !== text) throw new Error(`${route.name} answered something else`);
}
