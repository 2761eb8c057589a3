// @module-tag large
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram } from '../../support/program.ts';
import { type Connect, connectV1, connectV2Modern, type ToolResult } from '../../support/sdk-clients.ts';
import { reference } from '../../support/servers.ts';

type Mode = 'flat' | 'dynamic' | 'meta' | 'search';

const clients: readonly [string, Connect][] = [
  ['SDK 1', connectV1],
  ['SDK 2 of the stateless era', connectV2Modern],
];
const runs = clients.flatMap(([name, connect]) =>
  (['flat', 'dynamic', 'meta', 'search'] as const).map((mode) => [mode, name, connect] as const),
);
const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join('\n');

/** One server from npm for two folders. */
function setUp(mode: Mode, more: object = {}) {
  const [work, home] = [tempDir(), tempDir()];
  writeFileSync(join(work, 'a.txt'), 'of work');
  writeFileSync(join(home, 'a.txt'), 'of home');
  const { command, args } = reference('filesystem');
  const instances = { work: { args: [...args, work], description: 'The office' }, home: { args: [...args, home] } };
  const files = { command, instances, instanceArgument: 'account', toolFilters: ['read_text_file', 'list_*'], ...more };
  return { work, home, program: prepareProgram({ config: { mode, mcpServers: { files } } }) };
}

describe.each(runs)('two instances of a server, in mode %s with %s', (mode, _, connect) => {
  it('are one set of tools whose calls go to the instance that they select', async () => {
    const { work, home, program } = setUp(mode);
    const client = await connect(program.command, program.args, program.env, program.dir);
    // In mode dynamic all servers of a plain file are in one toolbox.
    const toolbox = mode === 'dynamic' ? 'default' : 'files';
    const use = (name: string, given: Record<string, unknown>) => {
      if (mode === 'flat') return client.callTool(`files:${name}`, given);
      if (mode === 'dynamic') return client.callTool(`${toolbox}__files__${name}`, given);
      return client.callTool('use_tool', { tool: { toolbox, server: 'files', name }, arguments: given });
    };
    // Before anything is known: the call itself starts the instance.
    expect(textOf(await use('list_allowed_directories', { account: 'home' }))).toContain(home);
    expect(textOf(await use('read_text_file', { account: 'work', path: join(work, 'a.txt') }))).toBe('of work');
    expect(textOf(await use('read_text_file', { path: join(home, 'a.txt'), account: 'home' }))).toBe('of home');

    const crossed = await use('read_text_file', { account: 'home', path: join(work, 'a.txt') });
    expect(crossed.isError).toBe(true);
    expect(textOf(crossed)).toContain('Access denied');
    for (const account of ['office', 3, undefined]) {
      const refused = await use('read_text_file', { account, path: join(work, 'a.txt') });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain("Set 'account' to one of: 'work', 'home'. [WB1848]");
    }
    if (mode === 'flat') {
      const tools = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(
        ['list_allowed_directories', 'list_directory', 'list_directory_with_sizes', 'read_text_file'].map(
          (name) => `files:${name}`,
        ),
      );
      const { inputSchema } = tools.find(({ name }) => name.endsWith('read_text_file')) ?? {};
      expect(inputSchema).toMatchObject({
        properties: {
          account: { type: 'string', enum: ['work', 'home'], description: 'Which instance to use. work: The office' },
        },
        required: ['account', 'path'],
      });
    }
    if (mode === 'search') {
      const found = textOf(await client.callTool('search_tools', { queries: ['read a text file'] }));
      expect(found.match(/^.*read_text_file\(.* — /gm)).toHaveLength(1);
      expect(found).toContain('files.read_text_file(');
    }
    await client.close();
  });
});

describe('instances on the command line', () => {
  it('are started, listed and checked by themselves', async () => {
    const { program } = setUp('meta', { defaultInstance: 'work' });
    const { execFile } = await import('node:child_process');
    const run = (...args: string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const all = [program.args[0] ?? '', ...args, '--config', program.configPath];
        execFile(program.command, all, { env: program.env, cwd: program.dir }, (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
        );
      });
    const list = await run('list', '--json');
    expect((JSON.parse(list.stdout) as { servers: { name: string; state: string }[] }).servers).toMatchObject([
      { name: 'files/work', key: 'files/work', tools: 14, toolsShown: 4 },
      { name: 'files/home', key: 'files/home' },
    ]);
    const check = await run('check', 'files/home');
    expect(check.stdout).toContain('files/home (as files-home)');
    expect(check.stdout).not.toContain('files/work');
    expect((await run('call', 'files.list_allowed_directories', 'account=home')).stdout).toContain(
      'Allowed directories',
    );
    expect((await run('call', 'files.list_allowed_directories')).code).toBe(0);
    const wrong = await run('call', 'files.list_allowed_directories', 'account=office');
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining('WB1848')]);
    const tools = await run('tools', 'files', '--json');
    expect((JSON.parse(tools.stdout) as { tools: { address: object }[] }).tools[0]?.address).toMatchObject({
      server: 'files',
    });
  });
});
