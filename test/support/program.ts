/** The built program as its users start it, each time with its own configuration file and state. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './compiled-code.ts';
import { tempDir } from './processes.ts';
import { type RawClient, startRaw } from './raw-client.ts';

export const repoRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const programPath = join(repoRoot, 'dist/mcp-workbench.cjs');

export interface ProgramOptions {
  /** Written to workbench-config.json: a text as it is, anything else as JSON. Without it no file is written or named. */
  readonly config?: unknown;
  /** After `--config FILE`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another program in its place, for tests of this file. */
  readonly program?: string;
}

export interface ProgramStart {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string | undefined>;
  /** The fresh folder that holds the configuration and is the working directory. */
  readonly dir: string;
  readonly configPath: string;
}

/** Everything that is needed to start the program, for a raw client or an SDK client alike. */
export function prepareProgram({
  config,
  args = [],
  env = {},
  program = programPath,
}: ProgramOptions = {}): ProgramStart {
  assertBuilt(program);
  const dir = tempDir();
  const configPath = join(dir, 'workbench-config.json');
  const state = join(dir, 'state');
  mkdirSync(state);
  if (program === programPath) keepCompiledCode(program, state);
  if (config !== undefined)
    writeFileSync(configPath, typeof config === 'string' ? config : JSON.stringify(config, null, 2));
  return {
    command: process.execPath,
    args: [program, ...(config === undefined ? [] : ['--config', configPath]), ...args],
    env: { ...withoutOurs(), WORKBENCH_STATE: state, ...env },
    dir,
    configPath,
  };
}

export function startProgram(options: ProgramOptions = {}): RawClient & Pick<ProgramStart, 'dir' | 'configPath'> {
  const { command, args, env, dir, configPath } = prepareProgram(options);
  // Assigned, not spread: `stderr` of the client is read anew each time.
  return Object.assign(startRaw(command, args, { env, cwd: dir }), { dir, configPath });
}

export function assertBuilt(path = programPath): void {
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first`);
}

/** Our settings of whoever runs the tests, as removals. */
function withoutOurs(): Record<string, undefined> {
  const ours = Object.keys(process.env).filter((name) => name.startsWith('WORKBENCH_'));
  return Object.fromEntries(ours.map((name) => [name, undefined]));
}
