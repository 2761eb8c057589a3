/** One measurement: starts what is needed, lets the suite judge, ends what was started. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import type { Cell, Measured, Scenario } from './measurement.ts';
import { listClientScenarios, measureClient, measureServer, type SuiteGround } from './suite.ts';

export interface MeasureOptions extends SuiteGround {
  /** Whether a scenario of a client is wanted; those of a server are run together. */
  wants(scenario: string): boolean;
}

export function measure(cell: Cell, options: MeasureOptions): Promise<Measured> {
  return cell.side === 'server' ? judgeServer(cell, options) : judgeClient(cell, options);
}

async function judgeServer({ revision, era, via }: Cell, options: MeasureOptions): Promise<Measured> {
  const children: Child[] = [];
  const start = (...args: Parameters<typeof startChild>) => {
    const child = startChild(...args);
    children.push(child);
    return child;
  };
  try {
    const reference = join(options.root, 'test/conformance/reference', `${era}.mjs`);
    const serveReference = () => start([reference, 'http']).find(/http:\S+/);
    if (via === 'direct') return await measureServer(options, revision, await serveReference());
    const entry = via === 'http' ? { url: await serveReference() } : { command: process.execPath, args: [reference] };
    const { args, env } = prepareWorkbench(options, { ...entry, prefix: false });
    const served = await start([...args, 'serve', '--http=0', '--no-auth'], env).find(/http:\S+\/mcp/);
    // The suite checks that requests for other hosts are refused only where the address says `localhost`.
    return await measureServer(options, revision, served.replace('127.0.0.1', 'localhost'));
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

/** A configuration of its own and a fresh state; `env` goes with `args`. */
function prepareWorkbench(
  { root, folder }: SuiteGround,
  entry: object,
): { args: string[]; env: Record<string, string> } {
  const place = mkdtempSync(join(folder, 'workbench-'));
  const config = join(place, 'workbench.json');
  writeFileSync(config, JSON.stringify({ mode: 'flat', mcpServers: { reference: entry } }));
  mkdirSync(join(place, 'state'));
  return {
    args: [join(root, 'dist/mcp-workbench.cjs'), '--config', config],
    env: { WORKBENCH_STATE: join(place, 'state') },
  };
}

/** Scenarios that look at the clock and therefore have the machine for themselves. */
const timed = ['sse-retry'];
/** The suite itself would start them all at once. */
const atOnce = 2;

async function judgeClient({ revision, era }: Cell, options: MeasureOptions): Promise<Measured> {
  const { root, folder } = options;
  const command = `${process.execPath} ${join(folder, 'client-driver.mjs')}`;
  const env = { DRIVER_ERA: era, DRIVER_PROGRAM: join(root, 'dist/mcp-workbench.cjs'), DRIVER_FOLDER: folder };
  const wanted = (await listClientScenarios(options, revision)).filter(options.wants);
  const measured = new Map<string, Scenario>();
  const judge = async (scenario: string) => {
    measured.set(scenario, await measureClient(options, { revision, scenario, command, env }));
  };
  for (const scenario of wanted.filter((name) => timed.includes(name))) await judge(scenario);
  const rest = wanted.filter((name) => !timed.includes(name));
  const work = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await judge(next);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return measured;
}
