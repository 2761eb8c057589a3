/** Resident memory: idle in front of ten servers, after 20,000 and after 40,000 calls. */
import { setTimeout as pause } from 'node:timers/promises';
import { runBlock } from '../load.mjs';
import { residentMb } from '../process.mjs';
import { callParams, openRoute } from '../routes.mjs';

const calls = 20_000;
const inFlight = 16;
/** The Workbench gives memory back when it has been quiet for some seconds; the others may do so too. */
const restMs = 17_000;

/** All are open at once, so that they rest at once; only one of them is called at a time. */
export async function measureMemory({ workbench, figures }) {
  const routes = [];
  for (const transport of ['stdio', 'http'])
    for (const name of ['relay', 'flat', 'meta'])
      routes.push({ transport, ...(await openRoute(name, { transport, workbench, servers: 10 })) });
  const look = async () => {
    await pause(restMs);
    return new Map(routes.map((route) => [`${route.transport} ${route.name}`, residentMb(route.pid)]));
  };
  const callAll = async () => {
    for (const route of routes) {
      const params = callParams(route, 'echo', { text: 'x'.repeat(100) });
      await runBlock(() => route.client.request('tools/call', params), { calls, inFlight });
    }
  };
  const idle = await look();
  await callAll();
  const after20k = await look();
  await callAll();
  const after40k = await look();
  for (const route of routes) await route.close();
  if (idle.get('stdio relay') === undefined) return figures.note('Memory cannot be read on this platform.');

  for (const transport of ['stdio', 'http']) {
    const of = (name) => {
      const key = `${transport} ${name}`;
      return { idle: idle.get(key), after20k: after20k.get(key), after40k: after40k.get(key) };
    };
    const found = new Map(['relay', 'flat', 'meta'].map((name) => [name, of(name)]));
    const add = (name, of, against, own, base) =>
      figures.add({
        scenario: 'memory',
        name: `${transport} ${name}`,
        of,
        against,
        unit: 'MB',
        own: [own],
        base: [base],
      });
    for (const of of ['flat', 'meta']) {
      const [own, relay] = [found.get(of), found.get('relay')];
      add('idle, 10 servers', of, 'relay', own.idle, relay.idle);
      add('after 20k calls', of, 'relay', own.after20k, relay.after20k);
      add('after 40k ÷ after 20k', of, 'itself', own.after40k, own.after20k);
    }
    const relay = found.get('relay');
    add('after 40k ÷ after 20k', 'relay', 'itself', relay.after40k, relay.after20k);
  }
}
