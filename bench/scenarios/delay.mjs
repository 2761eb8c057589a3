/**
 * How long the process in the middle lets others wait while 64 calls are in flight: the time of a `ping`. Over HTTP it comes from a
 * process of its own, on a connection of its own; on stdio there is one client, so it is a ping among the calls. The Workbench
 * answers a ping itself; behind a relay the server does, so `direct` and `relay` say what the machine and the load alone cost.
 */
import { fileURLToPath } from 'node:url';
import { runBlock } from '../load.mjs';
import { pingFor } from '../ping.mjs';
import { startNode } from '../process.mjs';
import { readLines } from '../programs/lines.mjs';
import { callParams, openRoute } from '../routes.mjs';
import { median, quantile } from '../statistics.mjs';
import { inTurns } from '../turns.mjs';

const pingerFile = fileURLToPath(new URL('../programs/pinger.mjs', import.meta.url));
const names = ['direct', 'relay', 'flat', 'meta'];
const inFlight = 64;
const blockMs = 1_000;

const loads = [
  { name: 'nothing else', inFlight: 0, mostRounds: 1 },
  { name: `${inFlight} in flight`, inFlight, mostRounds: 4 },
];

export async function measureDelay({ workbench, rounds, figures }) {
  for (const transport of ['stdio', 'http']) {
    const routes = [];
    for (const name of names) {
      const route = await openRoute(name, { transport, workbench });
      await runBlock(callOf(route), { calls: 3_000, inFlight: 16 });
      routes.push({ ...route, ...(transport === 'http' ? startPinger(route.url) : pingsAmongCalls(route.client)) });
    }
    for (const load of loads) {
      const results = await inTurns(routes, Math.min(rounds, load.mostRounds), (route) => measureBlock(route, load));
      for (const member of ['p50', 'p99', 'max'])
        for (const [of, against] of [
          ['relay', 'direct'],
          ['flat', 'relay'],
          ['meta', 'relay'],
        ])
          figures.add({
            scenario: 'delay',
            name: `${transport} ping beside ${load.name}, ${member}`,
            ...{ of, against, unit: 'ms' },
            own: results.get(of).map((times) => times[member]),
            base: results.get(against).map((times) => times[member]),
          });
    }
    for (const route of routes) {
      await route.endPings();
      await route.close();
    }
  }
}

async function measureBlock(route, load) {
  const minMs = load.inFlight === 0 ? 0 : blockMs;
  const [times] = await Promise.all([route.ping(), runBlock(callOf(route), { calls: 0, minMs, ...load })]);
  return { p50: median(times), p99: quantile(times, 0.99), max: Math.max(...times) };
}

function callOf(route) {
  const params = callParams(route, 'echo', { text: 'x'.repeat(100) });
  return () => route.client.request('tools/call', params);
}

function startPinger(url) {
  const pinger = startNode([pingerFile, url]);
  const waiting = [];
  readLines(pinger.stdout, (line) => waiting.shift().resolve(JSON.parse(line.toString('utf8'))));
  pinger.ended.then(() => waiting.shift()?.reject(new Error(`the pinger ended: ${pinger.said()}`)));
  const ping = () =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      pinger.stdin.write(`${blockMs}\n`);
    });
  return { ping, endPings: () => pinger.stop() };
}

function pingsAmongCalls(client) {
  return { ping: () => pingFor(client, blockMs), endPings: async () => {} };
}
