/**
 * Cold start with ten servers of 50 tools: from the start of the process to the answer to `initialize`, and to a complete list.
 * Beside it Node alone, which does nothing, and a client that starts the ten servers itself. `started before`: the servers are known
 * from an earlier run. `nothing known`: they are not, but the compiled code of the program is there, as it is at every start of a
 * user but the very first, which is measured too.
 */
import { createStdioClient, handshake, listAll } from '../client.mjs';
import { startNode } from '../process.mjs';
import { inTurns } from '../turns.mjs';
import { serverFile, stdioServers } from '../workbench.mjs';

const servers = 10;
const tools = 50;

export async function measureColdStart({ workbench, rounds, figures }) {
  const definitions = stdioServers(servers, tools);
  const plan = (front, state) => workbench.plan({ front, servers: definitions, state });
  // One file and one state for all its runs: only then are the servers those that were started before.
  const again = plan('flat');
  const metaAgain = plan('meta');
  await startWorkbench(again);
  const newState = () => workbench.newState(again.env.WORKBENCH_STATE);
  const contenders = [
    { name: 'bare node', run: startBare },
    { name: 'direct-ten', run: startTen },
    { name: 'flat, nothing known', run: () => startWorkbench(plan('flat', newState())) },
    { name: 'flat, started before', run: () => startWorkbench(again) },
    { name: 'meta, started before', run: () => startWorkbench(metaAgain, { meta: true }) },
    { name: 'meta, nothing known', run: () => startWorkbench(plan('meta', newState()), { meta: true }) },
    { name: 'meta, very first', run: () => startWorkbench(plan('meta'), { meta: true }) },
  ];
  // Once each, so that files are in the cache and the state is known.
  for (const { run } of contenders) await run();
  const results = await inTurns(contenders, rounds, ({ run }) => run());
  const add = (name, of, against, member) =>
    figures.add({
      scenario: 'cold',
      ...{ name, of, against, unit: 'ms' },
      own: results.get(of).map((times) => times[member]),
      base: results.get(against).map(({ complete }) => complete),
    });
  for (const { name } of contenders.slice(2)) add('initialize answered', name, 'bare node', 'initialized');
  add('complete list', 'flat, nothing known', 'direct-ten', 'complete');
  add('complete list', 'flat, started before', 'direct-ten', 'complete');
  add('complete list', 'flat, started before', 'bare node', 'complete');
  add('first list', 'meta, started before', 'bare node', 'complete');
  add('first list', 'meta, nothing known', 'bare node', 'complete');
}

async function startBare() {
  const start = performance.now();
  const program = startNode(['-e', '0']);
  await program.ended;
  return { complete: performance.now() - start };
}

/** A client that starts the ten servers itself. */
export async function startTen() {
  const start = performance.now();
  const programs = Array.from({ length: servers }, () => startNode([serverFile, String(tools)]));
  await Promise.all(
    programs.map(async (program) => {
      const client = createStdioClient(program);
      await handshake(client);
      await listAll(client);
    }),
  );
  const complete = performance.now() - start;
  await Promise.all(programs.map((program) => program.stop()));
  return { complete };
}

async function startWorkbench({ args, env }, { meta = false } = {}) {
  const start = performance.now();
  const program = startNode(args, { env });
  const client = createStdioClient(program);
  await handshake(client);
  const initialized = performance.now() - start;
  let found = [];
  do found = await listAll(client);
  while (!meta && found.length < servers * tools);
  const complete = performance.now() - start;
  await program.stop();
  return { initialized, complete };
}
