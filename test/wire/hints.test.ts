import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../flows/support.ts';
import { tempDir } from '../support/processes.ts';
import { prepareProgram, programPath } from '../support/program.ts';
import { startRaw } from '../support/raw-client.ts';

/** Would leave a file behind if any shell ran it. */
const server = '$(touch pwned) \'"; touch pwned #';

function setUp() {
  const base = prepareProgram();
  const cwd = join(tempDir(), 'where it is typed');
  const folder = join(cwd, '$(touch pwned)');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'w.json');
  const mcpServers = { [server]: { command: process.execPath, args: ['-e', 'process.exit(3)'] } };
  writeFileSync(file, JSON.stringify({ mode: 'flat', mcpServers }));
  const env = { ...process.env, ...base.env } as NodeJS.ProcessEnv;
  return { cwd, file, env };
}

function run(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  return new Promise<string>((resolve) => {
    execFile(command, args, options, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}

describe.skipIf(process.platform === 'win32')('a command in a hint', () => {
  it.each([
    ['list', /^ {2}Next {2}(.*) {2}WB1004$/m],
    ['check', /^ {2}Fix {2}.*then: (.*)$/m],
  ])('a command in a hint of %s can be pasted as it stands, whatever names are in it', async (command, pattern) => {
    const { cwd, file, env } = setUp();
    const said = await run(process.execPath, [programPath, command, '--config', file], { cwd, env });
    const hint = pattern.exec(said)?.[1] ?? '';
    expect(hint).toContain('check');
    expect(hint).not.toContain('<server>');
    const again = await run('/bin/sh', ['-c', hint], { cwd, env });
    expect(again).toContain('exited with code 3');
    expect(again).toContain('1 server');
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
    expect(readdirSync(cwd)).toEqual(['$(touch pwned)']);
  });

  it('a command in a hint of a service, and in an answer for a model, can be pasted too', async () => {
    const { cwd, file, env } = setUp();
    const client = startRaw(process.execPath, [programPath, 'serve', '--config', file], { cwd, env });
    await client.legacyHandshake();
    const { message } = await client.request('tools/call', { name: `${server}:any`, arguments: {} });
    const told = /then: (.*) \[WB1004\]$/.exec(textOf(message))?.[1] ?? '';
    const written = /trouble\? (.*)$/m.exec(client.stderr)?.[1] ?? '';
    await client.close();
    for (const hint of [told, written]) {
      const again = await run('/bin/sh', ['-c', hint], { cwd, env });
      expect(again).toContain('exited with code 3');
    }
    expect(readdirSync(cwd)).toEqual(['$(touch pwned)']);
  });
});
