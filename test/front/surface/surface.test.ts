import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../../src/index.ts';
import { realClients } from '../../clients/initialize-messages.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { connect, connectModern, openBench, toolServer } from './bench-client.ts';

const searchTools = ['search_tools', 'describe_tools', 'open_toolbox', 'use_tool', 'read_result'];
const surfaceOf = (names: readonly string[]) => (names.includes('search_tools') ? 'search' : 'flat');
const byName = (name: string) => ({
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name, version: '1' },
});
const auto = (...counts: number[]) => ({
  mode: 'auto',
  mcpServers: Object.fromEntries(counts.map((count, index) => [`server${index}`, toolServer(count)])),
});

describe('mode auto', () => {
  it.each([
    [0, 18],
    [1, 60],
    [2, 130],
  ])('shows real clients what suits them of catalog %i, with %i tools', async (catalog, count) => {
    const workbench = openBench(auto(count));
    for (const { id, shown, initialize } of realClients) {
      const client = await connect(workbench, initialize);
      const names = await client.names();
      expect(surfaceOf(names), `${id}, ${count} tools`).toBe(shown[catalog]);
      if (shown[catalog] === 'search') expect(names).toEqual(expect.arrayContaining(searchTools));
      else {
        // Mode auto holds long results, which `read_result` gives out.
        expect(names).toHaveLength(count + 1);
        expect(names).toEqual(expect.arrayContaining(['server0__echo', 'read_result']));
        for (const name of names) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_]{0,45}$/);
      }
      const args = { tool: { toolbox: 'server0', server: 'server0', name: 'echo' }, arguments: { a: 1 } };
      const call =
        shown[catalog] === 'search'
          ? { name: 'use_tool', arguments: args }
          : { name: 'server0__echo', arguments: { a: 1 } };
      expect((await client.ask('tools/call', call)).structuredContent).toEqual({ a: 1 });
    }
  });

  it('does not wait with the handshake for servers, and says what holds for both surfaces', async () => {
    const workbench = openBench(auto(3));
    const client = await connect(workbench, byName('zed'));
    expect(workbench.servers()[0]?.state).not.toBe('ready');
    expect(client.instructions).toContain('search_tools');
    expect(client.instructions).toContain('server0');
    expect(surfaceOf(await client.names())).toBe('flat');
    const next = await connect(workbench, byName('zed'));
    expect(next.instructions).not.toContain('search_tools');
  });

  it('tells a client at once how to search where the number of servers decides', async () => {
    const servers = Array.from({ length: 21 }, (_, index) => [
      `s${index}`,
      { command: 'no-such-command', start: 'lazy' },
    ]);
    const workbench = openBench({ mode: 'auto', mcpServers: Object.fromEntries(servers) });
    expect((await connect(workbench, byName('zed'))).instructions).toContain('search_tools');
  });

  it('shows search when a server could not be heard', async () => {
    const { mcpServers } = auto(2);
    const workbench = openBench({
      mode: 'auto',
      mcpServers: { ...mcpServers, broken: { command: 'no-such-command' } },
    });
    expect(surfaceOf(await (await connect(workbench, byName('zed'))).names())).toBe('search');
    expect(surfaceOf(await (await connect(workbench, byName('cursor'))).names())).toBe('flat');
  });

  it('does not count a server that is switched off', async () => {
    const { mcpServers } = auto(2);
    const off = { command: 'no-such-command', disabled: true };
    const workbench = openBench({ mode: 'auto', mcpServers: { ...mcpServers, off } });
    expect(surfaceOf(await (await connect(workbench, byName('zed'))).names())).toBe('flat');
  });

  it('does not change its mind in a run, even if the catalog grows, and tells a later client the same', async () => {
    const workbench = openBench({ mode: 'auto', mcpServers: { a: toolServer(19, { TOOLS: 'echo,grow' }) } });
    const client = await connect(workbench, byName('zed'));
    const before = await client.names();
    expect(surfaceOf(before)).toBe('flat');
    await client.ask('tools/call', { name: 'a__grow', arguments: { count: 5 } });
    await eventually(async () => expect((await client.names()).length).toBeGreaterThan(20));
    expect(surfaceOf(await client.names())).toBe('flat');
    expect(surfaceOf(await (await connect(workbench, byName('zed'))).names())).toBe('flat');
  });

  it('stays as it is over a reload, unless the mode is configured otherwise', async () => {
    const [a, b] = [toolServer(5), toolServer(30)];
    const workbench = openBench({ mode: 'auto', mcpServers: { a } });
    const client = await connect(workbench, byName('zed'));
    expect(await client.names()).toHaveLength(5 + 1);
    const apply = (file: object) =>
      workbench.apply(parseConfigValue(file as Parameters<typeof parseConfigValue>[0], { dir: '/', env: {} }));
    await apply({ mode: 'auto', mcpServers: { a, b } });
    await eventually(async () => expect(await client.names()).toHaveLength(35 + 1));
    await apply({ mode: 'auto', clients: { zed: { mode: 'meta' } }, mcpServers: { a, b } });
    expect(await client.names()).toEqual(['open_toolbox', 'use_tool', 'read_result']);
    await apply({ mode: 'auto', clients: { zed: { schemas: 'portable' } }, mcpServers: { a, b } });
    expect(surfaceOf(await client.names())).toBe('search');
    expect(client.heard.filter(({ method }) => method === 'notifications/tools/list_changed').length).toBeGreaterThan(
      1,
    );
  });

  it('decides for the stateless era without looking at the name that comes with each request', async () => {
    const workbench = openBench(auto(60));
    const lists = await Promise.all(
      ['claude-code', 'cursor', 'zed', 'unheard-of'].map((name) => connectModern(workbench, name).names()),
    );
    for (const names of lists) expect(names).toEqual(lists[0]);
    expect(surfaceOf(lists[0] ?? [])).toBe('search');
    const stated = connectModern(workbench, 'zed', { client: 'cursor' });
    expect(surfaceOf(await stated.names())).toBe('flat');
  });

  it('believes what was stated for a client before what the client says', async () => {
    const workbench = openBench(auto(60));
    expect(surfaceOf(await (await connect(workbench, byName('cursor'), { client: 'zed' })).names())).toBe('search');
    expect(surfaceOf(await (await connect(workbench, byName('zed'), { client: 'cursor' })).names())).toBe('flat');
    // An id that is not known is that of an unknown client.
    for (const client of ['nonsense', '__proto__', ''])
      expect(surfaceOf(await (await connect(workbench, byName('cursor'), { client })).names())).toBe('search');
  });

  it('uses what an earlier run has stored, and starts no server to decide', async () => {
    const stateDir = join(tempDir(), 'state');
    mkdirSync(stateDir, { mode: 0o700 });
    const file = auto(30);
    const first = openBench(file, { stateDir });
    await (await connect(first, byName('zed'))).names();
    await first.close();
    const second = openBench(file, { stateDir });
    const client = await connect(second, byName('zed'));
    expect(surfaceOf(await client.names())).toBe('search');
    expect(client.instructions).toContain('search_tools');
    expect(second.servers()[0]?.state).toBe('known');
  });
});

describe('a client that changes its name', () => {
  it('reaches the same tools under every name, and none that a filter leaves out', async () => {
    const hidden = { ...toolServer(60), toolFilters: ['!t1', '!t2'] };
    const workbench = openBench({ mode: 'auto', pinned: ['a/t1', 'a/t3'], mcpServers: { a: hidden } });
    for (const name of ['claude-code', 'cursor', 'Visual Studio Code', 'zed', 'generic', 'x'.repeat(5_000), '']) {
      const client = await connect(workbench, byName(name));
      const names = await client.names();
      expect(names).not.toContain('a__t1');
      for (const call of [
        { name: 'a__t1', arguments: {} },
        { name: 'use_tool', arguments: { tool: { toolbox: 'a', server: 'a', name: 't1' }, arguments: {} } },
      ]) {
        const answer = await client
          .ask('tools/call', call)
          .catch((error: Error) => ({ isError: true, text: error.message }));
        expect(answer.isError, `${name}: ${JSON.stringify(call)}`).toBe(true);
      }
    }
  });
});

describe('"clients" of the configuration', () => {
  it('decides for the clients that it names, in any mode', async () => {
    const { mcpServers } = auto(4);
    const clients = {
      cursor: { mode: 'search' },
      zed: { maxNameLength: 16 },
      robot: { names: ['My Robot'], mode: 'meta' },
      generic: { mode: 'dynamic' },
    };
    const workbench = openBench({ mode: 'flat', clients, mcpServers: { 'a-long-server-name': mcpServers.server0 } });
    const names = async (name: string) => (await connect(workbench, byName(name))).names();
    expect(await names('claude-code')).toContain('a-long-server-name:echo');
    expect(surfaceOf(await names('cursor'))).toBe('search');
    expect((await names('zed'))[0]).toMatch(/^a-long-se_[0-9a-f]{6}$/);
    expect(await names('my_robot')).toEqual(['open_toolbox', 'use_tool']);
    expect(await names('unheard-of')).toEqual(['open_toolbox']);
  });

  it('gives way to the mode that the pipe was opened with', async () => {
    const workbench = openBench({ ...auto(4), clients: { cursor: { mode: 'search' } } });
    const client = await connect(workbench, byName('cursor'), { mode: 'flat' });
    expect(await client.names()).toContain('server0:echo');
  });
});

describe('pinned tools', () => {
  const file = (more: object) => ({
    ...auto(60),
    pinned: ['server0/t5', 'server0/server0/echo', 'server0/nope'],
    ...more,
  });

  it.each(['auto', 'search'])('stand beside the tools that search in mode %s, and can be called', async (mode) => {
    const workbench = openBench(file({ mode }));
    for (const client of [await connect(workbench, byName('zed')), connectModern(workbench, 'zed')]) {
      const tools = await client.tools();
      const pinned = tools.filter(({ name }) => String(name).startsWith('server0__'));
      expect(pinned.map(({ name }) => name).sort()).toEqual(['server0__echo', 'server0__t5']);
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(searchTools));
      for (const { _meta } of pinned) expect(_meta).toMatchObject({ 'anthropic/alwaysLoad': true });
      const answer = await client.ask('tools/call', { name: 'server0__echo', arguments: { a: 1 } });
      expect(answer.structuredContent).toEqual({ a: 1 });
    }
  });

  it('are marked for clients that see everything and hide most of it themselves', async () => {
    const tools = await (await connect(openBench(file({})), byName('claude-code'))).tools();
    expect(tools).toHaveLength(60 + 1);
    const marked = tools.filter(({ _meta }) => JSON.stringify(_meta ?? null).includes('alwaysLoad'));
    expect(marked.map(({ name }) => name).sort()).toEqual(['server0__echo', 'server0__t5']);
  });

  it('may differ from client to client', async () => {
    const workbench = openBench(file({ clients: { zed: { pinned: [] }, cline: { pinned: ['server0/t1'] } } }));
    expect((await (await connect(workbench, byName('zed'))).names()).filter((name) => name.includes('__'))).toEqual([]);
    expect(await (await connect(workbench, byName('cline'))).names()).toContain('server0__t1');
  });
});
