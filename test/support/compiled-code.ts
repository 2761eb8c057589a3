/**
 * The compiled code of the built program, for the fresh state of each program that a test starts: without it every one of them
 * compiles the program anew, and stores the code when it ends, which takes as long as most tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixture } from './servers.ts';

/** Enough for the parts that serving a pipe and starting a server need. */
const words = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'w' } },
  },
  { id: 2, method: 'tools/list' },
];

const folders = new Map<string, string>();

/** Gives a state folder the code of a program, as a run before would have left it there. */
export function keepCompiledCode(program: string, state: string): void {
  const code = folders.get(program) ?? compile(program);
  folders.set(program, code);
  if (!existsSync(code)) return;
  mkdirSync(join(state, 'code'), { mode: 0o700 });
  for (const name of readdirSync(code)) linkSync(join(code, name), join(state, 'code', name));
}

/** One run for each worker; the folder is removed when the worker ends. */
function compile(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'workbench-test-code-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'workbench.json');
  writeFileSync(config, JSON.stringify({ mode: 'flat', mcpServers: { one: fixture('raw-legacy') } }));
  const state = join(folder, 'state');
  spawnSync(process.execPath, [program, 'serve', '--stdio', '--http=0', '--no-auth', '--config', config], {
    input: words.map((word) => `${JSON.stringify({ jsonrpc: '2.0', ...word })}\n`).join(''),
    env: { ...process.env, WORKBENCH_STATE: state },
    timeout: 10_000,
  });
  return join(state, 'code');
}
