/** One configuration with its state folder, and any number of attached clients; nothing of it is left when the test is over. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json/json.ts';
import { atEnd } from '../support/at-end.ts';
import { eventually } from '../support/eventually.ts';
import { prepareProgram, programPath } from '../support/program.ts';
import { type RawClient, type RawExit, startRaw } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { findProcesses, readPids } from '../wire/leftovers.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Household {
  readonly dir: string;
  readonly configPath: string;
  readonly env: Env;
  /** Where the daemon keeps its socket, its secret and its log. */
  readonly folder: string;
  attach(args?: readonly string[], env?: Env): RawClient;
  serve(args?: readonly string[], env?: Env): RawClient;
  /** A daemon in the foreground. */
  daemon(...args: string[]): RawClient;
  /** A command to its end. */
  run(...args: string[]): Promise<RawExit & { readonly stdout: string }>;
  status(): Promise<JsonObject>;
  /** Processes of the server `one` so far. */
  starts(): number[];
  processes(): number[];
}

/** A configuration with the server `one`; `config` and `env` change it. */
export function openHousehold(
  options: { config?: unknown; env?: Env; server?: Record<string, string> } = {},
): Household {
  const prepared = prepareProgram({ config: {} });
  const { dir, configPath } = prepared;
  const pidLog = join(dir, 'pids');
  const one = fixture('raw-legacy', { PID_LOG: pidLog, ...options.server });
  writeConfig(configPath, options.config ?? { mcpServers: { one } });
  const env = { ...prepared.env, ...options.env };
  const state = prepared.env.WORKBENCH_STATE ?? '';
  const start = (args: readonly string[], own: Env = {}) =>
    startRaw(process.execPath, [programPath, ...args], { env: { ...env, ...own }, cwd: dir });
  const house: Household = {
    dir,
    configPath,
    env,
    folder: join(state, 'daemon'),
    attach: (args = [], own) => start(['attach', '--config', configPath, ...args], own),
    serve: (args = [], own) => start(['serve', '--config', configPath, ...args], own),
    daemon: (...args) => start(['daemon', '--config', configPath, ...args]),
    async run(...args) {
      const client = start(args);
      const exit = await client.close(20_000);
      return { ...exit, stdout: client.lines.join('\n') };
    },
    async status() {
      return JSON.parse((await house.run('daemon', '--config', configPath, '--status', '--json')).stdout);
    },
    starts: () => readPids(pidLog),
    processes: () => findProcesses({ dir, pidLog }),
  };
  atEnd(() => endAll(house));
  return house;
}

export function writeConfig(path: string, config: unknown): void {
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config));
}

/** Asks first, so that it works where processes cannot be looked for. */
async function endAll(house: Household): Promise<void> {
  const args = [programPath, 'daemon', '--config', house.configPath, '--stop'];
  spawnSync(process.execPath, args, { env: { ...process.env, ...house.env } as NodeJS.ProcessEnv, timeout: 20_000 });
  for (const pid of house.processes()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
  await eventually(() => house.processes().length === 0, 10_000);
}

/** Shakes hands and makes one call; gives the answer's structured content. */
export async function callOne(client: RawClient, tool: string, args: JsonObject = {}): Promise<JsonObject> {
  const { message } = await client.request(
    'tools/call',
    { name: `one:${tool}`, arguments: args },
    { timeoutMs: 30_000 },
  );
  if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
  return message.result as JsonObject;
}

export async function greet(client: RawClient): Promise<void> {
  const info = { name: 'household', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info };
  await client.request('initialize', params, { timeoutMs: 30_000 });
  client.notify('notifications/initialized');
  await client.request('tools/list', {}, { timeoutMs: 30_000 });
}
