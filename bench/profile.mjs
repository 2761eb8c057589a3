/** Where the Workbench spends its time: a CPU profile under load, as the functions with the most time of their own. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runBlock } from './load.mjs';
import { callParams, openRoute } from './routes.mjs';

const shown = 30;
const [calls, inFlight] = [60_000, 64];

/** What can be profiled: how the client comes, and the route it takes. */
export const profiles = new Map([
  ['stdio', { transport: 'stdio', name: 'flat' }],
  ['http', { transport: 'http', name: 'flat' }],
  ['http-to-http', { transport: 'http', name: 'flat to http' }],
]);

export async function profileCalls({ transport, name }, { workbench }) {
  const folder = mkdtempSync(join(workbench.folder, 'profile-'));
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
  const route = await openRoute(name, { transport, workbench, nodeFlags });
  const params = callParams(route, 'echo', { text: 'x'.repeat(100) });
  await runBlock(() => route.client.request('tools/call', params), { calls, inFlight });
  await route.close();
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error('the program left no profile');
  return toLines(JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

function toLines({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const self = new Map();
  let total = 0;
  samples.forEach((id, at) => {
    const { functionName, url, lineNumber, columnNumber } = byId.get(id);
    if (functionName === '(idle)' || functionName === '(program)') return;
    const place = url === '' ? '' : ` ${basename(url)}:${lineNumber + 1}:${columnNumber + 1}`;
    const key = `${functionName || '(anonymous)'}${place}`;
    self.set(key, (self.get(key) ?? 0) + timeDeltas[at]);
    total += timeDeltas[at];
  });
  return [...self]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`);
}
