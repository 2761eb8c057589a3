/**
 * The compiled code of the built program, for the fresh state of each program that a test starts: without it every one of them
 * compiles the program anew, and stores the code when it ends, which takes as long as most tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { findRunFolder } from './run-folder.ts';
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
  const runFolder = findRunFolder();
  if (runFolder === undefined) return;
  const code = folders.get(program) ?? compile(program, runFolder);
  folders.set(program, code);
  if (existsSync(code)) linkAll(code, join(state, 'code'));
}

function linkAll(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const link = entry.isDirectory() ? linkAll : linkSync;
    link(join(from, entry.name), join(to, entry.name));
  }
}

/** Done once in each worker. */
function compile(program: string, runFolder: string): string {
  const folder = mkdtempSync(join(runFolder, 'code-'));
  const config = join(folder, 'workbench.json');
  writeFileSync(config, JSON.stringify({ mode: 'flat', mcpServers: { one: fixture('raw-legacy') } }));
  const state = join(folder, 'state');
  // Node's own cache is used from the second run on.
  const runs = 'enableCompileCache' in nodeModule ? 2 : 1;
  for (let run = 0; run < runs; run++)
    spawnSync(process.execPath, [program, 'serve', '--stdio', '--http=0', '--no-auth', '--config', config], {
      input: words.map((word) => `${JSON.stringify({ jsonrpc: '2.0', ...word })}\n`).join(''),
      env: { ...process.env, WORKBENCH_STATE: state },
      timeout: 10_000,
    });
  return join(state, 'code');
}
