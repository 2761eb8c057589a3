/**
 * A thousand HTTP clients on one Workbench, each with its own connection: of the handshake era with a session each, and of the
 * stateless one. They come in waves, to see what those who left have left behind.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createHttpClient, createModernClient, handshake } from '../client.mjs';
import { residentMb } from '../process.mjs';
import { callParams, openRoute } from '../routes.mjs';

const clients = 1_000;
const callsEach = 5;
const waves = 4;
/** The Workbench gives memory back when it has been quiet for some seconds. */
const restMs = 6_000;
/** What is allowed by default is less: five hundred sessions. */
const limits = { httpSessions: 2 * clients, httpConnections: 2 * clients };
/** Clients that do something at the same moment. */
const atOnce = 50;

const eras = [
  { name: 'sessions', create: createHttpClient, begin: handshake },
  { name: 'stateless', create: createModernClient, begin: (client) => client.request('server/discover', '{}') },
];

export async function measureSessions({ workbench, figures }) {
  for (const era of eras) {
    const route = await openRoute('flat', { transport: 'http', workbench, settings: { limits } });
    const before = residentMb(route.pid);
    const results = [];
    for (let wave = 0; wave < waves; wave++) results.push(await runWave(route, era));
    const add = (name, against, own, base) =>
      figures.add({
        scenario: 'sessions',
        name: `${era.name}, RSS ${name}`,
        ...{ of: 'flat', against, unit: 'MB', own: [own], base: [base] },
      });
    if (before !== undefined) {
      add(`with ${clients} clients`, 'before', results[0].open, before);
      add(`after ${clients} left`, 'before', results[0].left, before);
      // The first waves also fill what every program fills once.
      add(`after ${waves} waves left`, `after ${waves / 2}`, results[waves - 1].left, results[waves / 2 - 1].left);
    }
    const failures = new Map();
    for (const message of results.flatMap(({ errors }) => errors))
      failures.set(message, (failures.get(message) ?? 0) + 1);
    const list = [...failures].map(([message, count]) => `${count} × ${message}`).join('; ') || 'none';
    figures.note(
      `${era.name}: ${waves} waves of ${clients} HTTP clients, ${callsEach} calls each; failed clients: ${list}`,
    );
    figures.note(`${era.name}: ${results.map(toText).join('; ')}`);
    await route.close();
  }
}

/** All begin, list, call and leave; a client that fails once is out. */
async function runWave(route, { create, begin }) {
  const params = callParams(route, 'echo', { text: 'x'.repeat(100) });
  const everybody = Array.from({ length: clients }, () => create(route.url, { sockets: 1 }));
  const errors = [];
  const start = performance.now();
  let alive = everybody;
  const eachAlive = async (act) => {
    const next = [];
    for (let at = 0; at < alive.length; at += atOnce) {
      const group = alive.slice(at, at + atOnce).map(async (client) => {
        try {
          await act(client);
          next.push(client);
        } catch (error) {
          errors.push(error.message.slice(0, 100));
        }
      });
      await Promise.all(group);
    }
    alive = next;
  };
  await eachAlive(begin);
  await eachAlive((client) => client.request('tools/list', '{}'));
  for (let call = 0; call < callsEach; call++) await eachAlive((client) => client.request('tools/call', params));
  const tookMs = performance.now() - start;
  const open = residentMb(route.pid);
  await Promise.all(everybody.map((client) => client.close()));
  await pause(restMs);
  return { open, left: residentMb(route.pid), errors, tookMs };
}

function toText({ open, left, errors, tookMs }, at) {
  const mb = (value) => (value === undefined ? '?' : `${Math.round(value)} MB`);
  return `wave ${at + 1} took ${(tookMs / 1_000).toFixed(1)} s, ${errors.length} failed, ${mb(open)} with all, ${mb(left)} after`;
}
