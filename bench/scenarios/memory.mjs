/** Resident memory: idle in front of ten servers, after 20,000 and after 40,000 calls. */
import { setTimeout as pause } from 'node:timers/promises';
import { runBlock } from '../load.mjs';
import { residentMb } from '../process.mjs';
import { callParams, openRoute } from '../routes.mjs';

const calls = 20_000;
const inFlight = 16;
/** The Workbench gives memory back when it has been quiet for some seconds; the others may do so too. */
const restMs = 10_000;

export async function measureMemory({ workbench, figures }) {
  for (const transport of ['stdio', 'http']) {
    const found = new Map();
    for (const name of ['relay', 'flat', 'meta']) {
      const route = await openRoute(name, { transport, workbench, servers: 10 });
      const params = callParams(route, 'echo', { text: 'x'.repeat(100) });
      const call = () => route.client.request('tools/call', params);
      const look = async () => {
        await pause(restMs);
        return residentMb(route.pid);
      };
      const idle = await look();
      await runBlock(call, { calls, inFlight });
      const after20k = await look();
      await runBlock(call, { calls, inFlight });
      found.set(name, { idle, after20k, after40k: await look() });
      await route.close();
    }
    if (found.get('relay').idle === undefined) return figures.note('Memory cannot be read on this platform.');
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
