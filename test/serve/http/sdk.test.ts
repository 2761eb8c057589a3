// @module-tag large
import { describe, expect, it } from 'vitest';
import { createTokenAuthenticator, createWorkbench, parseConfigValue, serveHttp } from '../../../src/index.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { share } from '../../support/selection.ts';
import { fixture } from '../../support/servers.ts';
import { type ConnectHttp, clientNames, clients } from './sdk-http.ts';
import { initialize, modern, rpc, send, token } from './support.ts';

const servers = ['raw-legacy', 'raw-modern'] as const;

async function startBench(server: (typeof servers)[number] = 'raw-legacy', { allowed }: { allowed?: string[] } = {}) {
  const entry = { ...fixture(server, { OFFERS: 'prompts,resources,completions' }), env: {} };
  const toolboxes = {
    raw: { description: 'Raw tools', mcpServers: { raw: entry } },
    hidden: { description: 'Not for everybody', mcpServers: { secret: { ...fixture('raw-legacy', { NAME: 'x' }) } } },
  };
  const config = parseConfigValue({ toolboxes }, { dir: import.meta.dirname, env: process.env });
  const workbench = createWorkbench({ config });
  atEnd(() => workbench.close());
  const all = createTokenAuthenticator(token);
  const authenticator =
    allowed === undefined
      ? all
      : { authenticate: () => ({ principal: { id: 'scoped', toolboxes: new Set(allowed) } }) };
  const service = await serveHttp({ workbench, authenticator, port: 0, sse: true, limits: { drainMs: 500 } });
  atEnd(() => service.close());
  return service;
}

const matrix = clientNames.flatMap((client) => servers.map((server) => [client, server] as const));

describe.each(matrix)('an SDK client (%s) through HTTP to %s', (name, server) => {
  const connect: ConnectHttp = clients[name];

  it('lists, calls, sees progress in order, cancels, and hears of changes', async () => {
    const service = await startBench(server);
    const client = await connect(`${service.url}/raw`, token);
    const before = (await client.listTools()).map((tool) => tool.name);
    expect(before).toEqual(expect.arrayContaining(['raw:echo', 'raw:slow']));

    const progress: number[] = [];
    const slow = await client.callTool(
      'raw:slow',
      { ms: 100, steps: 4 },
      { onProgress: (each) => progress.push(each.progress) },
    );
    expect(slow.content[0]?.text).toBe('done after 4 steps');
    // What an SDK reads together with the answer it may lose; what it delivers comes in order and from the beginning.
    expect(progress.length).toBeGreaterThan(0);
    expect(progress).toEqual([1, 2, 3, 4].slice(0, progress.length));
    const burst: number[] = [];
    await client.callTool('raw:progress_burst', { count: 50 }, { onProgress: (each) => burst.push(each.progress) });
    expect(burst).toEqual(Array.from({ length: burst.length }, (_, at) => at + 1));

    const stopper = new AbortController();
    const hanging = client.callTool('raw:hang', {}, { signal: stopper.signal });
    stopper.abort();
    await expect(hanging).rejects.toThrow();
    expect((await client.callTool('raw:add', { a: 2, b: 3 })).content[0]?.text).toBe('5');

    let heard = 0;
    await client.onToolsChanged(() => heard++);
    await client.callTool('raw:grow', { count: 2 });
    await eventually(() => heard > 0);
    expect((await client.listTools()).map((tool) => tool.name)).toEqual([...before, 'raw:extra_1', 'raw:extra_2']);
    await client.close();
  });

  it('gets prompts, completes them and reads resources under their public names', async () => {
    const service = await startBench(server);
    const { more, close } = await connect(`${service.url}/raw`, token);
    expect((await more.listPrompts()).prompts.map(({ name }) => name)).toContain('raw:greet');
    const { messages } = await more.getPrompt({ name: 'raw:greet', arguments: { who: 'Ada' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'greet: Ada' } }]);
    const ref = { type: 'ref/prompt', name: 'raw:greet' } as const;
    const { completion } = await more.complete({ ref, argument: { name: 'who', value: 'A' } });
    expect(completion.values[0]).toContain('"name":"greet"');
    expect((await more.listResources()).resources.map(({ uri }) => uri)).toContain('raw+file:///readme.md');
    expect((await more.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    for (const uri of ['raw+file:///readme.md', 'ui://raw+app/main.html', 'raw+file:///Zürich'])
      expect((await more.readResource({ uri })).contents.map((each) => each.uri)).toEqual([uri]);
    await expect(more.readResource({ uri: 'raw+file:///missing' })).rejects.toThrow();
    await close();
  });
});

const times = share(500);

describe('the endpoints', () => {
  it('show everything in the configured mode, and one toolbox flat', async () => {
    const service = await startBench();
    for (const name of clientNames) {
      const client = await clients[name](service.url, token);
      expect((await client.listTools()).map((tool) => tool.name)).toEqual(['open_toolbox', 'use_tool']);
      const tool = { toolbox: 'raw', server: 'raw', name: 'echo' };
      expect((await client.callTool('use_tool', { tool, arguments: { a: 1 } })).content[0]?.text).toBe('{"a":1}');
    }
    expect((await send(service, { ...modern('tools/list'), path: '/mcp/nothing' })).status).toBe(404);
  });

  it('do not have the toolboxes that a principal may not use, under any name', async () => {
    const service = await startBench('raw-legacy', { allowed: ['raw', 'other'] });
    expect((await send(service, { ...modern('tools/list'), path: '/mcp/hidden' })).status).toBe(404);
    expect((await send(service, { ...modern('tools/list'), path: '/mcp/other' })).status).toBe(404);
    const list = await send(service, modern('tools/list'));
    expect(list.text).not.toContain('hidden');
    const client = await clients.v1(service.url, token);
    const tool = { toolbox: 'hidden', server: 'secret', name: 'echo' };
    for (const [name, args] of [
      ['use_tool', { tool }],
      ['open_toolbox', { toolbox: 'hidden' }],
    ] as const) {
      const { isError, content } = await client.callTool(name, args);
      expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("Toolbox 'hidden' not found")]);
      expect(content[0]?.text).not.toContain('secret');
    }
  });
});

describe('clients that use the same ids at the same time', () => {
  it(`never see each other: 2 × ${times} calls with nonces in each era`, { tags: 'chance' }, async () => {
    const service = await startBench();
    const path = '/mcp/raw';
    const sessions = [await initialize(service, { path }), await initialize(service, { path })];
    const calls = Array.from({ length: times }, (_, id) => id).flatMap((id) =>
      [0, 1].flatMap((who) => {
        const args = { nonce: `${who}-${id}-${Math.random()}` };
        const params = { name: 'raw:echo', arguments: args };
        return [
          { id, args, sent: { headers: sessions[who] ?? {}, body: rpc('tools/call', params, id) } },
          { id, args, sent: modern('tools/call', params, { id }) },
        ];
      }),
    );
    for (let at = 0; at < calls.length; at += 200) {
      await Promise.all(
        calls.slice(at, at + 200).map(async ({ id, args, sent }) => {
          const { json } = await send(service, { ...sent, path });
          expect(json).toMatchObject({ id, result: { structuredContent: args } });
        }),
      );
    }
  });

  it('get the progress of their own calls only', async () => {
    const service = await startBench();
    const path = '/mcp/raw';
    const params = (who: number) => ({
      name: 'raw:slow',
      arguments: { ms: 100, steps: 2 + who },
      _meta: { progressToken: 1 },
    });
    const sessions = [await initialize(service, { path }), await initialize(service, { path })];
    const answers = await Promise.all(
      sessions.map((headers, who) => send(service, { path, headers, body: rpc('tools/call', params(who)) })),
    );
    const steps = answers.map(({ text }) => (text.match(/"total":\d/g) ?? []).join());
    expect(steps).toEqual(['"total":2,"total":2', '"total":3,"total":3,"total":3']);
  });
});
