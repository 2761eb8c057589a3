// @module-tag large
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { isAlive, tempDir } from './processes.ts';
import { type Connect, connectV1, connectV2Legacy, connectV2Modern, type Progress } from './sdk-clients.ts';
import { fixture, reference, type ServerStart } from './servers.ts';

const clients = { v1: connectV1, 'v2-legacy': connectV2Legacy, 'v2-modern': connectV2Modern } as const;
type ClientName = keyof typeof clients;

const connect = (client: ClientName, { command, args, env }: ServerStart) => {
  const open: Connect = clients[client];
  return open(command, args, env);
};

const pairs: [ClientName, 'raw-legacy' | 'raw-modern' | 'sdk-modern' | 'sdk-dual'][] = [
  ['v1', 'raw-legacy'],
  ['v1', 'sdk-dual'],
  ['v2-legacy', 'raw-legacy'],
  ['v2-legacy', 'sdk-dual'],
  ['v2-modern', 'raw-modern'],
  ['v2-modern', 'sdk-modern'],
  ['v2-modern', 'sdk-dual'],
];

describe.each(pairs)('%s against %s', (name, server) => {
  it('connects, lists, calls, hears progress and sees a failure as a result', async () => {
    const options = server.startsWith('raw') ? { INSTRUCTIONS: `Instructions of ${server}.` } : {};
    const client = await connect(name, fixture(server, options));
    expect(client.serverName).toBe(server);
    expect(client.instructions).toBe(`Instructions of ${server}.`);

    const names = (await client.listTools()).map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['echo', 'add', 'slow', 'fail']));

    const sum = await client.callTool('add', { a: 2, b: 3 });
    expect(sum).toMatchObject({ content: [{ type: 'text', text: '5' }], structuredContent: { sum: 5 } });
    expect((await client.callTool('echo', { message: 'hi' })).content[0]?.text).toContain('hi');
    expect(await client.callTool('fail')).toMatchObject({ isError: true, content: [{ text: 'it failed' }] });

    // Only the first step: both SDKs may lose progress that is read together with the result.
    const steps: Progress[] = [];
    await client.callTool('slow', { ms: 200, steps: 2 }, { onProgress: (progress) => steps.push(progress) });
    expect(steps[0]).toMatchObject({ progress: 1, total: 2 });
  });

  it('leaves no process behind when it is closed', async () => {
    const client = await connect(name, fixture(server));
    const pid = client.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    await client.close();
    expect(isAlive(pid)).toBe(false);
  });
});

describe.each<[ClientName, 'raw-legacy' | 'raw-modern']>([
  ['v1', 'raw-legacy'],
  ['v2-legacy', 'raw-legacy'],
  ['v2-modern', 'raw-modern'],
])('%s against the raw server of its era', (name, server) => {
  it.each([
    ['opaque cursors', {}],
    ['the empty string as a cursor', { EMPTY_CURSOR: 1 }],
  ])('follows all pages with %s', async (_, options) => {
    const client = await connect(name, fixture(server, { TOOLS: '', TOOL_COUNT: 7, PAGE_SIZE: 3, ...options }));
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
  });

  it('hears that the list has changed and then sees the new tools', async () => {
    const client = await connect(name, fixture(server, { TOOLS: 'grow' }));
    await client.listTools();
    let announcements = 0;
    await client.onToolsChanged(() => announcements++);
    await client.callTool('grow', { count: 2 });
    await eventually(() => announcements > 0);
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(['grow', 'extra_1', 'extra_2']);
  });

  it('tells the server when a call is given up', async () => {
    const file = join(tempDir(), 'cancelled');
    const client = await connect(name, fixture(server, { CANCEL_LOG: file }));
    const abort = new AbortController();
    const answer = client.callTool(
      'slow',
      { ms: 20_000, steps: 1_000 },
      { onProgress: () => abort.abort(), signal: abort.signal },
    );
    await expect(answer).rejects.toThrow();
    await eventually(() => expect(readFileSync(file, 'utf8')).toContain('"tool":"slow"'));
  });

  it('gives the server the variables it is told to', async () => {
    const client = await connect(name, { ...fixture(server), env: { FIXTURE_SAYS: 'hello' } });
    const { structuredContent } = await client.callTool('env', { names: ['FIXTURE_SAYS'] });
    expect(structuredContent).toMatchObject({ values: { FIXTURE_SAYS: 'hello' } });
  });

  it('starts one process', async () => {
    const file = join(tempDir(), 'pids');
    const client = await connect(name, fixture(server, { PID_LOG: file }));
    expect(readFileSync(file, 'utf8')).toBe(`${client.pid}\n`);
  });

  it('passes an error of the protocol on as a failure', async () => {
    const client = await connect(name, fixture(server));
    await expect(client.callTool('boom')).rejects.toThrow('boom');
  });

  it('gets along with noise on stdout', async () => {
    const client = await connect(name, fixture(server, { NOISE: 1 }));
    expect(await client.callTool('add', { a: 1, b: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
  });
});

describe('the wrong era', () => {
  it.each<[ClientName, 'raw-legacy' | 'raw-modern' | 'sdk-modern']>([
    ['v1', 'raw-modern'],
    ['v1', 'sdk-modern'],
    ['v2-legacy', 'raw-modern'],
    ['v2-modern', 'raw-legacy'],
  ])('keeps %s and %s apart', async (name, server) => {
    await expect(connect(name, fixture(server))).rejects.toThrow();
  });
});

describe.each<[ClientName]>([['v1'], ['v2-legacy']])('%s against the reference servers', (name) => {
  it('calls a tool of server-everything', async () => {
    const client = await connect(name, reference('everything', 'stdio'));
    expect(client.instructions).toContain('Everything Server');
    expect((await client.listTools()).map((tool) => tool.name)).toContain('get-sum');
    expect(await client.callTool('echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'Echo: hi' }] });
  });

  it('lists a folder with server-filesystem and an empty graph with server-memory', async () => {
    const dir = tempDir();
    const files = await connect(name, reference('filesystem', dir));
    const allowed = await files.callTool('list_allowed_directories');
    expect(allowed.content[0]?.text).toContain(dir);
    const memory = await connect(name, { ...reference('memory'), env: { MEMORY_FILE_PATH: join(dir, 'memory.json') } });
    expect((await memory.callTool('read_graph')).content[0]?.text).toContain('"entities": []');
  });
});
