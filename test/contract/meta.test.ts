import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { withEnvelope } from '../support/envelope.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { callTool, listNames, startLegacy, toAnswer } from './support.ts';

const config = {
  toolboxes: {
    dev: {
      description: 'Development tools',
      mcpServers: { alpha: { ...fixture('raw-legacy'), toolFilters: ['*'] }, beta: fixture('raw-modern') },
    },
    prod: {
      description: 'Production tools',
      mcpServers: { alpha: { ...fixture('raw-legacy'), toolFilters: ['echo', 'a*', '!add'] } },
    },
    broken: {
      description: 'Does not start',
      mcpServers: {
        dead: { command: process.execPath, args: ['-e', 'console.error("no such luck"); process.exit(3)'] },
      },
    },
    half: {
      description: 'Starts by half',
      mcpServers: {
        alpha: fixture('raw-legacy'),
        dead: { command: process.execPath, args: ['-e', 'process.exit(4)'] },
      },
    },
  },
};

describe('mode meta, the default for a file with toolboxes', () => {
  let client: RawClient;
  beforeAll(async () => {
    client = await startLegacy({ config });
  });

  it('mode meta shows exactly open_toolbox and use_tool, with strict schemas', async () => {
    const { message } = await client.request('tools/list');
    const tools = (message.result as JsonObject).tools as JsonObject[];
    expect(tools.map(({ name }) => name)).toEqual(['open_toolbox', 'use_tool']);
    for (const { inputSchema } of tools) expect((inputSchema as JsonObject).additionalProperties).toBe(false);
    const [open, use] = tools.map(({ inputSchema }) => inputSchema) as { properties: JsonObject; required: string[] }[];
    const identifier = use?.properties.tool as JsonObject;
    expect(Object.keys(open?.properties ?? {})).toEqual(['toolbox']);
    expect(Object.keys(identifier.properties as JsonObject)).toEqual(['toolbox', 'server', 'name']);
    expect(identifier.additionalProperties).toBe(false);
    expect(use?.required).toEqual(['tool']);
  });

  it('mode meta lists the toolboxes, their descriptions, their server counts and one correct call in its instructions', async () => {
    const other = startProgram({ config });
    const { message } = await other.legacyHandshake();
    const { instructions } = message.result as { instructions: string };
    for (const part of ['dev (2 servers): Development tools', 'prod (1 server): Production tools'])
      expect(instructions).toContain(part);
    const example = JSON.parse(instructions.slice(instructions.indexOf('{')) as string) as { tool: JsonObject };
    expect(example.tool).toEqual({ toolbox: 'dev', server: 'alpha', name: 'tool_name' });
    expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2_048);
    await other.close();
  });

  it('mode meta answers open_toolbox with one JSON text and the same value as structured content', async () => {
    const { result, isError } = await callTool(client, 'open_toolbox', { toolbox: 'dev' });
    expect(isError).toBe(false);
    const content = result.content as JsonObject[];
    expect(content).toHaveLength(1);
    expect(content[0]?.type).toBe('text');
    expect(JSON.parse(String(content[0]?.text))).toEqual(result.structuredContent);
    const { tools, ...rest } = result.structuredContent as JsonObject & { tools: JsonObject[] };
    expect(rest).toEqual({ toolbox: 'dev', description: 'Development tools', servers_connected: 2 });
    expect(tools.find(({ name, server }) => name === 'add' && server === 'alpha')).toEqual({
      name: 'add',
      server: 'alpha',
      toolbox: 'dev',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    });
    expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(['alpha', 'beta']));
  });

  it('mode meta answers a second open_toolbox the same way', async () => {
    const [first, second] = [
      await callTool(client, 'open_toolbox', { toolbox: 'dev' }),
      await callTool(client, 'open_toolbox', { toolbox: 'dev' }),
    ];
    expect(second.result).toEqual(first.result);
  });

  it('mode meta opens a toolbox nobody opened when a tool of it is used', async () => {
    const fresh = await startLegacy({ config });
    const { result } = await callTool(fresh, 'use_tool', {
      tool: { toolbox: 'prod', server: 'alpha', name: 'echo' },
      arguments: { a: [1] },
    });
    expect(result).toEqual({ content: [{ type: 'text', text: '{"a":[1]}' }], structuredContent: { a: [1] } });
    await fresh.close();
  });

  it('mode meta takes missing arguments as {}', async () => {
    const { result } = await callTool(client, 'use_tool', { tool: { toolbox: 'dev', server: 'beta', name: 'echo' } });
    expect(result.structuredContent).toEqual({});
  });

  it('mode meta passes the result of the tool on untouched, its own failure included', async () => {
    const { result } = await callTool(client, 'use_tool', {
      tool: { toolbox: 'dev', server: 'alpha', name: 'fail' },
      arguments: { message: 'no' },
    });
    expect(result).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
  });

  it('mode meta passes a JSON-RPC error of the tool on with code, data and unknown members, and says where it is from', async () => {
    const { message } = await client.request('tools/call', {
      name: 'use_tool',
      arguments: { tool: { toolbox: 'dev', server: 'alpha', name: 'boom' } },
    });
    expect(message.error).toEqual({
      code: -32077,
      message: '[dev/alpha/boom] Error: boom',
      data: { why: 'boom' },
      extra: { kept: true },
    });
  });

  const dev = { toolbox: 'dev', server: 'alpha', name: 'echo' };
  it.each([
    ['open_toolbox without arguments', 'open_toolbox', undefined, 'toolbox: Required'],
    ['an empty toolbox name', 'open_toolbox', { toolbox: '' }, 'toolbox: Toolbox name cannot be empty'],
    ['a toolbox of the wrong type', 'open_toolbox', { toolbox: 7 }, 'toolbox: Expected string, received number'],
    ['an unknown key', 'open_toolbox', { toolbox: 'dev', x: 1 }, "Unrecognized key(s) in object: 'x'"],
    ['the old key toolbox_name', 'open_toolbox', { toolbox_name: 'dev' }, "use 'toolbox' instead of 'toolbox_name'"],
    ['use_tool without arguments', 'use_tool', undefined, 'tool: Required'],
    ['a tool of the wrong type', 'use_tool', { tool: 'dev__alpha__echo' }, 'tool: Expected object, received string'],
    ['a tool that is null', 'use_tool', { tool: null }, 'tool: Expected object, received null'],
    ['an empty toolbox', 'use_tool', { tool: { ...dev, toolbox: '' } }, 'tool.toolbox: Toolbox name cannot be empty'],
    ['an empty server', 'use_tool', { tool: { ...dev, server: '' } }, 'tool.server: Server name cannot be empty'],
    ['an empty name', 'use_tool', { tool: { ...dev, name: '' } }, 'tool.name: Tool name cannot be empty'],
    ['a missing name', 'use_tool', { tool: { toolbox: 'dev', server: 'alpha' } }, 'tool.name: Required'],
    [
      'the old key tool',
      'use_tool',
      { tool: { toolbox: 'dev', server: 'alpha', tool: 'echo' } },
      "tool: Unrecognized key(s) in object: 'tool' (use 'name' instead of 'tool')",
    ],
    [
      'an unknown key in the identifier',
      'use_tool',
      { tool: { ...dev, extra: 'field' } },
      "tool: Unrecognized key(s) in object: 'extra'",
    ],
    [
      'an unknown key beside it',
      'use_tool',
      { tool: dev, toolbox_name: 'dev' },
      "Unrecognized key(s) in object: 'toolbox_name'",
    ],
    [
      'arguments of the wrong type',
      'use_tool',
      { tool: dev, arguments: [] },
      'arguments: Expected object, received array',
    ],
    [
      'arguments that are null',
      'use_tool',
      { tool: dev, arguments: null },
      'arguments: Expected object, received null',
    ],
  ])('mode meta refuses %s and says what is wrong', async (_case, tool, args, text) => {
    const answer = await callTool(client, tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/^Invalid parameters: /);
    expect(answer.text).toContain(text);
  });

  it.each([
    ['open_toolbox', { toolbox: 'nope' }, /^Toolbox 'nope' not found\. .*'dev', 'prod', 'broken', 'half'/],
    ['use_tool', { tool: { ...dev, toolbox: 'nope' } }, /^Toolbox 'nope' not found\. .*'dev', 'prod'/],
    ['use_tool', { tool: { ...dev, toolbox: '__proto__' } }, /^Toolbox '__proto__' not found\./],
    [
      'use_tool',
      { tool: { ...dev, server: 'gamma' } },
      /^Server 'gamma' not found in toolbox 'dev'\. .*'alpha', 'beta'/,
    ],
    [
      'use_tool',
      { tool: { ...dev, name: 'ecoh' } },
      /^Tool 'ecoh' not found in server 'alpha' \(toolbox 'dev'\)\. .*'echo'/,
    ],
    [
      'use_tool',
      { tool: { toolbox: 'prod', server: 'alpha', name: 'add' } },
      /^Tool 'add' not found in server 'alpha' \(toolbox 'prod'\)\./,
    ],
    [
      'use_tool',
      { tool: { toolbox: 'broken', server: 'dead', name: 'x' } },
      /^Failed to connect to server 'dead' in toolbox 'broken': .*exited with code 3.*no such luck/,
    ],
    [
      'open_toolbox',
      { toolbox: 'broken' },
      /^Failed to connect to server 'dead' in toolbox 'broken': .*exited with code 3/,
    ],
  ])('%s %j says what was not found and what there is', async (tool, args, text) => {
    const answer = await callTool(client, tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(text);
    expect(answer.text.length).toBeLessThanOrEqual(600);
  });

  it('mode meta opens what can be opened and names what cannot', async () => {
    const { result } = await callTool(client, 'open_toolbox', { toolbox: 'half' });
    const opened = result.structuredContent as JsonObject & { tools: JsonObject[]; servers_failed: JsonObject[] };
    expect(opened.servers_connected).toBe(1);
    expect(opened.tools.length).toBeGreaterThan(5);
    expect(opened.servers_failed).toEqual([{ server: 'dead', reason: expect.stringContaining('exited with code 4') }]);
  });

  it('mode meta tells a model that calls a tool by its bare name which call works', async () => {
    await callTool(client, 'open_toolbox', { toolbox: 'dev' });
    const { message } = await client.request('tools/call', { name: 'add', arguments: {} });
    expect(message.error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('{"tool":{"toolbox":"dev","server":"alpha","name":"add"},"arguments":{}}'),
    });
  });

  it('mode meta gives a client of the stateless era the same two tools and the same answers', async () => {
    const modern = startProgram({ config });
    const { message } = await modern.modern('tools/list');
    const list = message.result as JsonObject & { tools: JsonObject[] };
    expect(list.tools.map(({ name }) => name)).toEqual(['open_toolbox', 'use_tool']);
    expect(list).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' });
    const opened = toAnswer(
      (await modern.modern('tools/call', { name: 'open_toolbox', arguments: { toolbox: 'prod' } })).message,
    );
    expect((opened.result.structuredContent as { tools: JsonObject[] }).tools.map(({ name }) => name)).toEqual([
      'echo',
    ]);
    expect(withEnvelope({})._meta).toBeDefined();
    await modern.close();
  });

  it('mode meta keeps the list of two after opening', async () => {
    expect(await listNames(client)).toEqual(['open_toolbox', 'use_tool']);
  });
});
