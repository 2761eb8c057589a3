/** Runs the suite's own command line and reads what it wrote. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWorse, type Judged, type Measured, type Revision, type Scenario, type Verdict } from './measurement.ts';

export interface SuiteGround {
  readonly root: string;
  /** For everything that is written; removed at the end. */
  readonly folder: string;
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const verdicts = new Map<string, Verdict>([
  ['SUCCESS', 'pass'],
  ['WARNING', 'warn'],
  ['FAILURE', 'fail'],
]);

/** The scenarios a revision wants of a client, scored or not. */
export async function listClientScenarios(ground: SuiteGround, revision: Revision): Promise<string[]> {
  const { output } = await runSuite(ground, ['list', '--requirements', revision]);
  const lines = output.split('\n');
  const start = lines.findIndex((line) => line.startsWith('Client scenarios'));
  const rest = lines.slice(start + 1);
  const scored = rest.slice(0, rest.indexOf('')).map((line) => line.replace(/^\s*- /, ''));
  const others = rest.flatMap((line) => /^\s*- (\S+) \[client\]/.exec(line)?.[1] ?? []);
  return [...scored, ...others];
}

/** All that a revision wants of the server at `url`. */
export async function measureServer(ground: SuiteGround, revision: Revision, url: string): Promise<Measured> {
  const results = mkdtempSync(join(ground.folder, 'server-'));
  await runSuite(ground, ['server', '--url', url, '--requirements', revision, '--output-dir', results]);
  const found = readdirSync(results).sort();
  return new Map(found.map((name) => [toScenarioName(name, 'server-'), readChecks(join(results, name))]));
}

/** One scenario, with `command` as the client. The suite fails it when the command fails, unless it is supposed to. */
export async function measureClient(
  ground: SuiteGround,
  run: { revision: Revision; scenario: string; command: string; env: Readonly<Record<string, string>> },
): Promise<Scenario> {
  const results = mkdtempSync(join(ground.folder, 'client-'));
  const { scenario, command, revision } = run;
  // An extension belongs to no revision, so it has to be insisted on.
  const which = ['--scenario', scenario, '--spec-version', revision, '--force'];
  const { code, output } = await runSuite(
    ground,
    ['client', '--command', command, ...which, '--output-dir', results],
    run.env,
  );
  const folder = join(results, scenario.includes('/') ? (scenario.split('/')[0] ?? '') : '');
  const [written] = readdirSync(folder);
  const checks = new Map(written === undefined ? [] : readChecks(join(folder, written)));
  const isJudged = [...checks.values()].some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  if (code !== 0 && !isJudged) checks.set('client-exit', { verdict: 'fail', message: output.slice(-600) });
  return checks;
}

function runSuite(
  { root, folder }: SuiteGround,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const loader = pathToFileURL(join(root, 'test/conformance/suite-loader.mjs')).href;
  const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(process.execPath, ['--import', loader, program, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A folder is named for its scenario and the time of the run. */
function toScenarioName(folder: string, prefix: string): string {
  return folder.slice(prefix.length).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
}

function readChecks(folder: string): Scenario {
  const checks = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as Check[];
  const worst = new Map<string, Judged>();
  for (const { id, status, errorMessage } of checks) {
    const verdict = verdicts.get(status);
    const known = worst.get(id)?.verdict;
    if (verdict === undefined || (known !== undefined && !isWorse(verdict, known))) continue;
    worst.set(id, errorMessage === undefined ? { verdict } : { verdict, message: errorMessage });
  }
  return worst;
}
