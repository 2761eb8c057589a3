// @module-tag large
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram } from '../../support/program.ts';
import { type Connect, connectV1, connectV2Modern, type Tool, type ToolResult } from '../../support/sdk-clients.ts';
import { fixture, reference } from '../../support/servers.ts';

type Mode = 'flat' | 'dynamic' | 'meta' | 'search';

const clients: readonly [string, Connect][] = [
  ['SDK 1', connectV1],
  ['SDK 2 of the stateless era', connectV2Modern],
];
const runs = clients.flatMap(([name, connect]) =>
  (['flat', 'dynamic', 'meta'] as const).map((mode) => [mode, name, connect] as const),
);

/** A server from npm and a fixture that gives its arguments back; their tools as this configuration wants them. */
function configOf(mode: Mode, folder: string) {
  const files = {
    ...reference('filesystem', folder),
    toolFilters: ['!*_multiple_files'],
    tools: {
      'write_*': { hidden: true },
      read_text_file: {
        name: 'read_notes',
        title: 'Read my notes',
        description: 'Reads the beginning of the notes.',
        aliases: ['notes'],
        arguments: {
          path: { value: '${NOTES}' },
          head: { default: 1, description: 'How many lines.' },
          tail: { hidden: true },
        },
        annotations: { openWorldHint: false },
      },
    },
  };
  const raw = {
    ...fixture('raw-legacy', { TOOLS: 'echo' }),
    tools: { echo: { arguments: { owner: { value: 'acme' } } } },
  };
  const toolboxes = { box: { description: 'All', mcpServers: { files, raw } } };
  return { mode, toolboxes };
}

/** The three ways to reach a tool, as one. */
async function open(mode: Mode, connect: Connect, env: Record<string, string>, folder: string) {
  const { command, args, env: all, dir } = prepareProgram({ config: configOf(mode, folder), env });
  const client = await connect(command, args, all, dir);
  const isListed = mode === 'flat' || (mode === 'dynamic' && connect !== connectV2Modern);
  const use = (server: string, name: string, given: Record<string, unknown>) => {
    if (mode === 'flat') return client.callTool(`${server}:${name}`, given);
    if (mode === 'dynamic') return client.callTool(`box__${server}__${name}`, given);
    return client.callTool('use_tool', { tool: { toolbox: 'box', server, name }, arguments: given });
  };
  const opened = mode === 'flat' ? undefined : await client.callTool('open_toolbox', { toolbox: 'box' });
  const answer = opened?.structuredContent as { tools: Tool[] } | undefined;
  const given = isListed ? await client.listTools() : (answer?.tools ?? []);
  const tools = given.map((tool) => ({ ...tool, name: tool.name.replace(/^(files:|box__files__)/, '') }));
  return { client, use, tools };
}

const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join('\n');

describe.each(runs)('tools as the configuration wants them, in mode %s with %s', (mode, _, connect) => {
  it('are shown and called like that, and only like that', async () => {
    const folder = tempDir();
    const NOTES = join(folder, 'notes.txt');
    writeFileSync(NOTES, 'first line\nsecond line\n');
    writeFileSync(join(folder, 'secret.txt'), 'not for the model');
    const { client, use, tools } = await open(mode, connect, { NOTES }, folder);
    const names = tools.map(({ name }) => name);
    expect(names).toContain('read_notes');
    expect(names).toContain('list_directory');
    for (const absent of ['read_text_file', 'write_file', 'read_multiple_files', 'notes'])
      expect(names).not.toContain(absent);

    const shown = tools.find(({ name }) => name === 'read_notes');
    expect(shown).toMatchObject({ title: 'Read my notes', annotations: { readOnlyHint: true, openWorldHint: false } });
    expect(shown?.description).toMatch(/Reads the beginning of the notes\.$/);
    expect(shown?.inputSchema.properties).toEqual({
      head: expect.objectContaining({ type: 'number', description: 'How many lines.', default: 1 }),
    });
    expect(shown?.inputSchema.required ?? []).toEqual([]);
    expect(JSON.stringify(tools)).not.toContain(NOTES);

    expect(textOf(await use('files', 'read_notes', {}))).toBe('first line');
    expect(textOf(await use('files', 'notes', { head: 2 }))).toMatch(/^first line\nsecond line/);

    const overridden = await use('files', 'read_notes', { path: join(folder, 'secret.txt') });
    expect(overridden.isError).toBe(true);
    expect(textOf(overridden)).toMatch(
      /^(\[box\/files\/read_notes\] Error: )?Tool 'read_notes' does not take the argument 'path'.*\[WB1845\]/,
    );
    expect(textOf(await use('files', 'read_notes', { tail: 1 }))).toContain('WB1845');

    // The same as for a tool that does not exist: an error of the protocol or a result.
    const refusal = async (name: string) => use('files', name, {}).then(textOf, (error: Error) => error.message);
    expect(await refusal('read_text_file')).toMatch(/read_text_file/);
    expect(await refusal('read_text_file')).toMatch(/not found|Unknown tool/);
    expect(await refusal('write_file')).toMatch(/not found|Unknown tool/);

    expect(JSON.parse(textOf(await use('raw', 'echo', { a: 1 })))).toEqual({ a: 1, owner: 'acme' });
    expect((await use('raw', 'echo', { owner: 'evil' })).isError).toBe(true);
    await client.close();
  });
});

describe.each(clients)('tools as the configuration wants them, in mode search with %s', (_, connect) => {
  it('are found, described and used like that', async () => {
    const folder = tempDir();
    const NOTES = join(folder, 'notes.txt');
    writeFileSync(NOTES, 'first line\nsecond line\n');
    const { command, args, env, dir } = prepareProgram({ config: configOf('search', folder), env: { NOTES } });
    const client = await connect(command, args, env, dir);
    const found = await client.callTool('search_tools', { queries: ['read the beginning of the notes', 'write file'] });
    expect(textOf(found)).toContain('box/files.read_notes(');
    expect(textOf(found)).not.toMatch(/write_file|read_text_file|read_notes\([^)]*path/);
    const tool = { toolbox: 'box', server: 'files', name: 'read_notes' };
    const described = await client.callTool('describe_tools', { tools: [tool], format: 'json' });
    expect(textOf(described)).toContain('How many lines.');
    expect(textOf(described)).not.toMatch(/"path"|"tail"/);
    expect(textOf(await client.callTool('use_tool', { tool, arguments: {} }))).toBe('first line');
    const overridden = await client.callTool('use_tool', { tool, arguments: { path: '/etc/passwd' } });
    expect(textOf(overridden)).toContain('WB1845');
    const old = await client.callTool('use_tool', { tool: { ...tool, name: 'read_text_file' }, arguments: {} });
    expect(textOf(old)).toMatch(/not found/);
    await client.close();
  });
});
