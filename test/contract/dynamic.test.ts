import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseDynamicName } from '../../src/toolbox/public-name.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { callTool, listNames, startLegacy } from './support.ts';

const config = {
  mode: 'dynamic',
  toolboxes: {
    dev: {
      description: 'Development',
      mcpServers: { filesystem: fixture('raw-legacy'), 'raw-2': fixture('raw-modern') },
    },
    prod: {
      description: 'Production',
      mcpServers: { dead: { command: process.execPath, args: ['-e', 'process.exit(3)'] } },
    },
  },
};

const isListChanged = (message: JsonObject) => message.method === 'notifications/tools/list_changed';

describe('mode dynamic', () => {
  let client: RawClient;
  beforeAll(async () => {
    client = await startLegacy({ config });
  });

  it('mode dynamic begins with open_toolbox alone, adds the tools of an opened toolbox and announces it', async () => {
    const fresh = await startLegacy({ config });
    expect(await listNames(fresh)).toEqual(['open_toolbox']);
    const opened = await callTool(fresh, 'open_toolbox', { toolbox: 'dev' });
    await fresh.waitFor(isListChanged);
    const names = await listNames(fresh);
    expect(names).toContain('dev__filesystem__echo');
    expect(names).toContain('dev__raw-2__echo');
    expect(names).toContain('dev__filesystem__my__special__tool');
    const { tools } = opened.result.structuredContent as { tools: JsonObject[] };
    expect(tools.map(({ name }) => name)).toEqual(names.slice(1));
    expect(tools[0]).toMatchObject({ server: 'filesystem', toolbox: 'dev' });
    await fresh.close();
  });

  it('mode dynamic announces the change to a client that never asked for the list', async () => {
    const fresh = await startLegacy({ config });
    await callTool(fresh, 'open_toolbox', { toolbox: 'dev' });
    await fresh.waitFor(isListChanged);
    await fresh.close();
  });

  it('mode dynamic announces nothing when a toolbox is opened a second time', async () => {
    const fresh = await startLegacy({ config });
    await callTool(fresh, 'open_toolbox', { toolbox: 'dev' });
    await fresh.waitFor(isListChanged);
    await listNames(fresh);
    await callTool(fresh, 'open_toolbox', { toolbox: 'dev' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(fresh.messages.filter(({ message }) => isListChanged(message))).toHaveLength(1);
    await fresh.close();
  });

  it('mode dynamic keeps title, schemas and annotations, prefixes the description and says in _meta where the tool is from', async () => {
    await callTool(client, 'open_toolbox', { toolbox: 'dev' });
    const { message } = await client.request('tools/list');
    const tool = ((message.result as JsonObject).tools as JsonObject[]).find(
      ({ name }) => name === 'dev__filesystem__add',
    );
    expect(tool).toMatchObject({
      description: '[dev/filesystem] Adds two numbers.',
      inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      _meta: { source_server: 'filesystem', toolbox_name: 'dev', original_name: 'add' },
    });
  });

  it('mode dynamic routes by lookup, inner separators included', async () => {
    expect((await callTool(client, 'dev__filesystem__my__special__tool')).text).toBe('special');
    expect((await callTool(client, 'dev__filesystem__add', { a: 1, b: 2 })).result.structuredContent).toEqual({
      sum: 3,
    });
    expect((await callTool(client, 'dev__raw-2__add', { a: 1, b: 2 })).result.structuredContent).toEqual({ sum: 3 });
  });

  it('mode dynamic opens a toolbox that nobody opened when one of its tools is called', async () => {
    const fresh = await startLegacy({ config });
    expect((await callTool(fresh, 'dev__filesystem__echo', { a: 1 })).result.structuredContent).toEqual({ a: 1 });
    await fresh.close();
  });

  it.each([
    'dev__filesystem_read_file',
    'dev_filesystem__read_file',
    '__filesystem__read_file',
    'dev____read_file',
    'dev__filesystem__',
    'invalid',
    'dev__only_two_parts',
    '',
  ])("refuses the name '%s' and shows the form", async (name) => {
    const { isError, text } = await callTool(client, name);
    expect(isError).toBe(true);
    expect(
      text.startsWith(`Error: Invalid tool name format '${name}'. Expected format: {toolbox}__{server}__{tool}`),
    ).toBe(true);
    expect(text).toContain('double underscores between all components');
  });

  it.each([
    ['nope__filesystem__echo', /^Error: Toolbox 'nope' not found/],
    ['dev__nope__echo', /^Error: Server 'nope' not found in toolbox 'dev'/],
    [
      'dev__filesystem__ecoh',
      /^\[dev\/filesystem\/ecoh\] Error: Tool 'ecoh' not found in server 'filesystem' \(toolbox 'dev'\).*'echo'/,
    ],
    ['prod__dead__x', /^\[prod\/dead\/x\] Error: Server 'dead' exited with code 3/],
    ['dev__filesystem__boom', /^\[dev\/filesystem\/boom\] Error: boom$/],
  ])('mode dynamic answers %s with an error that says where and why', async (name, text) => {
    const answer = await callTool(client, name);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(text);
  });

  it('mode dynamic keeps code and data of a failed delegation beside its text', async () => {
    const { result } = await callTool(client, 'dev__filesystem__boom');
    expect(result._meta).toMatchObject({ 'dev.mcp-workbench/error': { code: -32077, data: { why: 'boom' } } });
  });

  it('mode dynamic shows a client of the stateless era a constant list, and serves the public names all the same', async () => {
    const modern = startProgram({ config });
    const names = async () =>
      (((await modern.modern('tools/list')).message.result as JsonObject).tools as JsonObject[]).map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(['open_toolbox', 'use_tool']);
    await modern.modern('tools/call', { name: 'open_toolbox', arguments: { toolbox: 'dev' } });
    expect(await names()).toEqual(['open_toolbox', 'use_tool']);
    const { message } = await modern.modern('tools/call', { name: 'dev__filesystem__add', arguments: { a: 2, b: 2 } });
    expect(message.result).toMatchObject({ structuredContent: { sum: 4 } });
    await modern.close();
  });
});

describe('parsing a dynamic public name', () => {
  it.each([
    ['dev__filesystem__read_file', { toolbox: 'dev', server: 'filesystem', name: 'read_file' }],
    ['prod__memory__store_value_async', { toolbox: 'prod', server: 'memory', name: 'store_value_async' }],
    ['test__server__tool__with__underscores', { toolbox: 'test', server: 'server', name: 'tool__with__underscores' }],
    ['dev__filesystem__my__special__tool', { toolbox: 'dev', server: 'filesystem', name: 'my__special__tool' }],
    ['dev__filesystem__read_file_async_v2', { toolbox: 'dev', server: 'filesystem', name: 'read_file_async_v2' }],
    ['dev__filesystem_read_file', null],
    ['dev_filesystem__read_file', null],
    ['__filesystem__read_file', null],
    ['dev____read_file', null],
    ['dev__filesystem__', null],
    ['invalid', null],
    ['dev__only_two_parts', null],
    ['', null],
  ])('%s', (name, parsed) => {
    expect(parseDynamicName(name)).toEqual(parsed);
  });
});
