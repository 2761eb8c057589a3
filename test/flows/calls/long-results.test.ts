// @module-tag large
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { openHousehold } from '../../daemon/household.ts';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram, startProgram } from '../../support/program.ts';
import { connectV1, connectV2Legacy, connectV2Modern, startOf, type ToolResult } from '../../support/sdk-clients.ts';
import { fixture, reference } from '../../support/servers.ts';
import { connectLegacy, connectModern, type FullClient } from '../clients/full-client.ts';
import { openHttp } from '../doors.ts';
import { eras, resultOf, startEra } from '../support.ts';

const maxTokens = 2_000;
const log = Array.from(
  { length: 6_000 },
  (_, index) => `${index + 1}: ${index % 1_000 === 499 ? 'ERROR 🚀' : 'all is well'}`,
);
const logText = `${log.join('\r\n')}\r\n`;
const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `Name ${id}`, owner: { login: `user${id % 7}` } }));

/** A folder with long files, and a configuration of the filesystem server for it. */
function prepare(more: JsonObject) {
  const dir = tempDir();
  writeFileSync(join(dir, 'long.log'), logText);
  writeFileSync(join(dir, 'rows.json'), JSON.stringify({ rows }));
  writeFileSync(join(dir, 'short.txt'), 'short');
  const config = { ...more, mcpServers: { files: { ...reference('filesystem', dir) } } };
  return { config, at: (name: string) => join(dir, name) };
}

/** A client of any SDK, as the steps below need it. */
interface Reader {
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  readResource(uri: string): Promise<{ readonly contents: readonly unknown[] }>;
}

const toReader = ({ call, more }: FullClient): Reader => ({ call, readResource: (uri) => more.readResource({ uri }) });
const textsOf = ({ content }: ToolResult) => content.map(({ text }) => text ?? '');
const handleIn = (result: ToolResult) => /"handle":"([0-9a-f]+)"/.exec(textsOf(result)[0] ?? '')?.[1] ?? '';
const linkIn = ({ content }: ToolResult) =>
  content.find(({ type }) => type === 'resource_link') as { uri: string } | undefined;

async function readAll({ call }: Reader, handle: string): Promise<string> {
  let text = '';
  for (let range: string | undefined = '1-'; range !== undefined; ) {
    const page = await call('read_result', { handle, range });
    text += textsOf(page)[0];
    range = /"range":"([^"]+)"/.exec(textsOf(page)[1] ?? '')?.[1];
  }
  return text;
}

async function expectAllReadable(reader: Reader, result: ToolResult, whole: string): Promise<void> {
  const handle = handleIn(result);
  expect(textsOf(result)[0]).toContain(`${whole.length} characters`);
  expect(await readAll(reader, handle)).toBe(whole);
  const { contents } = await reader.readResource(linkIn(result)?.uri ?? '');
  expect(contents).toMatchObject([{ text: whole }]);
}

const connects = [
  ['SDK v1', connectV1],
  ['SDK v2 with a handshake', connectV2Legacy],
  ['SDK v2 without a session', connectV2Modern],
] as const;

describe.each(connects)('a long result on a pipe, for %s,', (_, connect) => {
  const open = async (settings: JsonObject) => {
    const { config, at } = prepare(settings);
    const { command, args, env, dir } = prepareProgram({ config });
    const client = await connect(command, args, env, dir);
    const reader: Reader = {
      call: (name, input) => client.callTool(name, input),
      readResource: (uri) => client.more.readResource({ uri }),
    };
    return { client, reader, at };
  };

  it('is cut in its text and left whole where the client checks it against an output schema', async () => {
    const { client, reader, at } = await open({ mode: 'flat', results: { maxTokens } });
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('read_result');
    const result = await reader.call('files:read_text_file', { path: at('long.log') });
    expect(result.structuredContent).toEqual({ content: logText });
    expect((textsOf(result)[0] ?? '').length).toBeLessThan(maxTokens * 4);
    await expectAllReadable(reader, result, logText);
    const short = await reader.call('files:read_text_file', { path: at('short.txt') });
    expect(textsOf(short)).toEqual(['short']);
  });

  it('is cut altogether where the client sees no output schema, and can be searched and selected from', async () => {
    const { client, reader, at } = await open({ mode: 'search', results: { maxTokens } });
    expect((await client.listTools()).map(({ name }) => name)).toContain('read_result');
    const use = (path: string) =>
      reader.call('use_tool', {
        tool: { toolbox: 'files', server: 'files', name: 'read_text_file' },
        arguments: { path },
      });
    const long = await use(at('long.log'));
    expect(long.structuredContent).toBeUndefined();
    await expectAllReadable(reader, long, logText);
    const found = await reader.call('read_result', { handle: handleIn(long), grep: 'ERROR' });
    expect(textsOf(found)[0]?.match(/^\d+:.*ERROR 🚀$/gm)).toEqual(
      log.flatMap((line, index) => (line.includes('ERROR') ? [`${index + 1}:${line}`] : [])),
    );
    const json = await use(at('rows.json'));
    expect(textsOf(json)[0]).toContain('Shape: {rows: [3000 × {id: number, name: string, owner: {login: string}}]}');
    await expectAllReadable(reader, json, JSON.stringify({ rows }));
    const names = await reader.call('read_result', { handle: handleIn(json), path: '$.rows[-3:].owner.login' });
    expect(textsOf(names)[0]?.split('\n')).toEqual(rows.slice(-3).map(({ owner }) => JSON.stringify(owner.login)));
  });
});

describe('a long result over HTTP', () => {
  it.each([
    ['handshake', connectLegacy],
    ['stateless', connectModern],
  ] as const)('is for the %s client that got it only', async (_, connect) => {
    const { config, at } = prepare({ mode: 'meta', results: { maxTokens } });
    const door = (await openHttp(config))();
    const [alice, bob] = [toReader(await connect(door, 'alice')), toReader(await connect(door, 'bob'))];
    const tool = { toolbox: 'files', server: 'files', name: 'read_text_file' };
    const result = await alice.call('use_tool', { tool, arguments: { path: at('long.log') } });
    await expectAllReadable(alice, result, logText);
    const refused = await bob.call('read_result', { handle: handleIn(result) });
    expect([refused.isError, textsOf(refused)[0]]).toEqual([true, expect.stringContaining('[WB1840]')]);
    await expect(bob.readResource(linkIn(result)?.uri ?? '')).rejects.toThrow('There is no result');
    // The same answer as for a handle that never was.
    const guessed = await bob.call('read_result', { handle: 'f'.repeat(24) });
    expect(textsOf(guessed)[0]?.replace(/'f+'/, '')).toBe(textsOf(refused)[0]?.replace(/'[0-9a-f]+'/, ''));
  });
});

describe('a handle', () => {
  it.each(eras)('is unknown after a restart of the Workbench, which says so (%s)', async (era) => {
    const config = { results: { maxTokens }, mcpServers: { a: { ...fixture('raw-legacy'), prefix: false } } };
    const state = tempDir();
    const first = await startEra(era, { config, env: { WORKBENCH_STATE: state } });
    const result = resultOf(await first.call('big', { bytes: 100_000 })) as unknown as ToolResult;
    const handle = handleIn(result);
    expect(handle).toMatch(/^[0-9a-f]{24}$/);
    await first.close();
    const second = await startEra(era, { config, env: { WORKBENCH_STATE: state } });
    const gone = resultOf(await second.call('read_result', { handle })) as unknown as ToolResult;
    expect([gone.isError, textsOf(gone)[0]]).toEqual([true, expect.stringContaining('Call the tool again. [WB1840]')]);
  });

  it('stays readable when its server has ended', async () => {
    const config = { results: { maxTokens }, mcpServers: { a: { ...fixture('raw-legacy'), prefix: false } } };
    const client = await startEra('legacy', { config });
    const result = resultOf(await client.call('big', { bytes: 100_000 })) as unknown as ToolResult;
    await client.call('exit', {});
    const reader: Reader = {
      call: async (name, args) => resultOf(await client.call(name, args as JsonObject)) as unknown as ToolResult,
      readResource: async (uri) => resultOf(await client.ask('resources/read', { uri })) as { contents: unknown[] },
    };
    await expectAllReadable(reader, result, 'x'.repeat(100_000));
  });
});

describe('a long result', () => {
  it('has no link for a client of a revision that does not know links, and the handle all the same', async () => {
    const config = { results: { maxTokens }, mcpServers: { a: { ...fixture('raw-legacy'), prefix: false } } };
    for (const [version, types] of [
      ['2025-03-26', ['text']],
      ['2025-06-18', ['text', 'resource_link']],
    ] as const) {
      const client = startProgram({ config });
      await client.legacyHandshake(version);
      const { message } = await client.request('tools/call', { name: 'big', arguments: { bytes: 100_000 } });
      const result = resultOf(message) as unknown as ToolResult;
      expect(result.content.map(({ type }) => type)).toEqual(types);
      expect(handleIn(result)).toMatch(/^[0-9a-f]{24}$/);
    }
  });

  it('of a task is cut as well', async () => {
    const config = { results: { maxTokens }, mcpServers: { work: { ...fixture('task-legacy'), prefix: false } } };
    const client = startProgram({ config });
    await client.legacyHandshake('2025-11-25');
    const label = 'word '.repeat(10_000);
    const params = { name: 'slow_compute', arguments: { label }, task: {} };
    const created = resultOf((await client.request('tools/call', params)).message).task as JsonObject;
    const { message } = await client.request('tasks/result', { taskId: created.taskId as string });
    const handle = handleIn(resultOf(message) as unknown as ToolResult);
    const read = await client.request('tools/call', { name: 'read_result', arguments: { handle, grep: 'computed' } });
    expect(resultOf(read.message).isError).toBeUndefined();
  });

  it.each([
    ['handshake', connectLegacy],
    ['stateless', connectModern],
  ] as const)('of a call that asked its %s client something is cut as well', async (_, connect) => {
    const config = { results: { maxTokens }, mcpServers: { shop: { ...fixture('raw-asking'), prefix: false } } };
    const { command, args, env, dir } = prepareProgram({ config });
    const client = await connect({ start: startOf(command, args, env, dir) }, 'asked');
    const item = 'tea '.repeat(10_000);
    const result = await client.call('order', { item });
    expect(client.asked).toHaveLength(1);
    await expectAllReadable(toReader(client), result, `ordered undefined of ${item}`);
  });

  it('in mode dynamic is read by a tool that stands beside those of an open toolbox', async () => {
    const config = { mode: 'dynamic', results: { maxTokens }, mcpServers: { a: fixture('raw-legacy') } };
    const client = await startEra('legacy', { config });
    expect(await client.names()).toEqual(['open_toolbox', 'read_result']);
    await client.call('open_toolbox', { toolbox: 'default' });
    const result = resultOf(await client.call('default__a__big', { bytes: 100_000 })) as unknown as ToolResult;
    const page = resultOf(await client.call('read_result', { handle: handleIn(result), range: 'chars 10-20' }));
    expect(textsOf(page as unknown as ToolResult)[0]).toBe('x'.repeat(10));
  });

  it.each(eras)('is cut by default in mode auto, for tools that are shown side by side (%s)', async (era) => {
    const config = { mode: 'auto', mcpServers: { a: fixture('raw-legacy', { TOOLS: 'big' }) } };
    const client = await startEra(era, { config });
    const names = await client.names();
    expect(names).toContain('read_result');
    const name = names.find((each) => each.endsWith('big')) ?? '';
    const result = resultOf(await client.call(name, { bytes: 200_000 })) as unknown as ToolResult;
    const page = resultOf(await client.call('read_result', { handle: handleIn(result), range: 'chars 199990-' }));
    expect(textsOf(page as unknown as ToolResult)[0]).toBe('x'.repeat(10));
  });

  it('of a pinned tool keeps its structured content, which the client checks', async () => {
    const { config, at } = prepare({ mode: 'search', pinned: ['files/read_text_file'], results: { maxTokens } });
    const { command, args, env, dir } = prepareProgram({ config });
    const client = await connectV1(command, args, env, dir);
    const name = (await client.listTools()).map((tool) => tool.name).find((each) => each.endsWith('read_text_file'));
    const result = await client.callTool(name ?? '', { path: at('long.log') });
    expect(result.structuredContent).toEqual({ content: logText });
    expect(handleIn(result)).toMatch(/^[0-9a-f]{24}$/);
  });

  it('is whole for a person who calls the tool from the command line, while a daemon cuts it for models', async () => {
    const house = openHousehold({ config: { results: { maxTokens }, mcpServers: { a: fixture('raw-legacy') } } });
    const attached = house.attach();
    await attached.legacyHandshake();
    const { message } = await attached.request('tools/call', { name: 'a:big', arguments: { bytes: 100_000 } });
    expect(handleIn(resultOf(message) as unknown as ToolResult)).toMatch(/^[0-9a-f]{24}$/);
    const called = await house.run('call', '--config', house.configPath, 'a.big', 'bytes=100000');
    expect(called.stderr).toContain('through the daemon');
    expect(called.stdout).toContain('x'.repeat(100_000));
  });

  it('is passed on whole, and read_result is not there, without the key', async () => {
    for (const results of [undefined, { maxTokens: 0 }]) {
      const config = { ...(results && { results }), mcpServers: { a: { ...fixture('raw-legacy'), prefix: false } } };
      const client = await startEra('legacy', { config });
      expect(await client.names()).not.toContain('read_result');
      const result = resultOf(await client.call('big', { bytes: 100_000 })) as unknown as ToolResult;
      expect(textsOf(result)).toEqual(['x'.repeat(100_000)]);
      const { error } = await client.call('read_result', { handle: 'x' });
      expect(error).toMatchObject({ code: -32600 });
    }
  });
});
