// @module-tag large
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { type EraClient, eras, linesOf, listChanged, resultOf, startEra, textOf } from '../support.ts';

/** The same configuration and state in every run; servers note when they are started, and one reads what it offers from a file. */
function setUp() {
  const cwd = tempDir();
  const [state, toolsFile, pidLog] = [join(cwd, 'state'), join(cwd, 'tools'), join(cwd, 'pids')];
  writeFileSync(toolsFile, 'echo,pid');
  const offers = { OFFERS: 'prompts,resources', PID_LOG: pidLog, INSTRUCTIONS: 'Ask nicely.' };
  const mcpServers = {
    old: { ...fixture('raw-legacy', { ...offers, TOOLS_FILE: toolsFile, ODD_TOOL: 1 }), cwd },
    new: { ...fixture('raw-modern', { ...offers, TOOLS: 'echo,add,pid' }), cwd, env: { SOME_TOKEN: 'swordfish-9876' } },
  };
  return {
    state,
    toolsFile,
    starts: () => linesOf(pidLog).length,
    mcpServers,
    env: { WORKBENCH_STATE: state },
  };
}

const listMethods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** The answers as they came, but for the promise how long they hold, which depends on the time. */
async function listsOf(client: EraClient): Promise<string[]> {
  const lists: string[] = [];
  for (const method of listMethods) {
    const { ttlMs: _, ...list } = resultOf(await client.ask(method));
    lists.push(JSON.stringify(list));
  }
  return lists;
}

async function finish(client: EraClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe.each(eras)('the second run of the program, for a %s client', (era) => {
  it('lists in mode flat what the first did, byte for byte, without a process, and starts a server for a call', async () => {
    const { mcpServers, env, starts } = setUp();
    const first = await startEra(era, { config: { mcpServers }, env });
    const before = await listsOf(first);
    expect(before[0]).toContain('odd_definition');
    expect(starts()).toBe(2);
    await finish(first);

    const second = await startEra(era, { config: { mcpServers }, env });
    expect(await listsOf(second)).toEqual(before);
    expect(starts()).toBe(2);
    // A process that was started before this one would be counted, too.
    expect(resultOf(await second.call('old:echo', { a: 1 })).structuredContent).toEqual({ a: 1 });
    expect(starts()).toBe(3);
    expect(resultOf(await second.ask('prompts/get', { name: 'new:greet', arguments: { who: 'Eve' } }))).toHaveProperty(
      'messages',
    );
    expect(starts()).toBe(4);
    await finish(second);
    expect(second.heard(listChanged)).toEqual([]);
  });

  it('starts no process for a server that lacks a list of what it says it has', async () => {
    const { env } = setUp();
    const cwd = tempDir();
    const pidLog = join(cwd, 'pids');
    const lacking = { OFFERS: 'prompts,resources', LACKS: 'resources/templates/list', PID_LOG: pidLog, TOOLS: 'echo' };
    const config = { mcpServers: { s: { ...fixture('raw-legacy', lacking), cwd } } };
    for (const _run of [1, 2]) {
      const client = await startEra(era, { config, env });
      expect(await client.names()).toContain('s:echo');
      expect(client.stderr).not.toContain('WB1014');
      await finish(client);
    }
    expect(linesOf(pidLog)).toHaveLength(1);
  });

  it('announces what has changed when the server is used, and says that a tool is gone', async () => {
    const { mcpServers, env, toolsFile, starts } = setUp();
    const first = await startEra(era, { config: { mcpServers }, env });
    await listsOf(first);
    await finish(first);

    writeFileSync(toolsFile, 'pid,add');
    const second = await startEra(era, { config: { mcpServers }, env });
    const oldNames = async () => (await second.names()).filter((name) => name.startsWith('old:'));
    if (era === 'modern')
      second.post('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'listen' });
    expect(await oldNames()).toEqual(['old:echo', 'old:pid', 'old:links', 'old:odd_definition']);
    expect(starts()).toBe(2);
    expect(textOf(await second.call('old:echo'))).toMatch(/Tool 'echo' not found in server 'old'.*\[WB1803\]/);
    await eventually(() => second.heard(listChanged).length > 0);
    expect(await oldNames()).toEqual(['old:pid', 'old:add', 'old:links', 'old:odd_definition']);
    await finish(second);
  });

  it('opens a toolbox with what the first run heard, and does not count a server that cannot be started any more', async () => {
    const { mcpServers, env } = setUp();
    const folder = tempDir();
    const gone = { ...fixture('raw-legacy', { NAME: 'gone' }), cwd: folder };
    const config = { toolboxes: { box: { description: 'Box', mcpServers: { ...mcpServers, gone } } } };
    const open = async () => {
      const client = await startEra(era, { config, env });
      const { structuredContent } = resultOf(await client.call('open_toolbox', { toolbox: 'box' }));
      return { client, opened: structuredContent as JsonObject };
    };
    const first = await open();
    expect(first.opened).toMatchObject({ servers_connected: 3, server_instructions: { old: 'Ask nicely.' } });
    await finish(first.client);
    rmSync(folder, { recursive: true });
    const second = await open();
    expect(second.opened).toEqual({
      ...first.opened,
      servers_connected: 2,
      servers_failed: [{ server: 'gone', reason: expect.stringMatching(/\[WB10\d\d\]$/) }],
    });
    await finish(second.client);
  });
});

describe('what is kept between runs', () => {
  it('is in files that hold no secret of the configuration, and may be deleted', async () => {
    const { mcpServers, env, state, starts } = setUp();
    for (const run of [1, 2]) {
      const client = await startEra('legacy', { config: { mcpServers }, env });
      await listsOf(client);
      await finish(client);
      expect(starts()).toBe(2 * run);
      const folder = join(state, 'catalog');
      const files = readdirSync(folder);
      expect(files.filter((name) => name.endsWith('.jsonl'))).toHaveLength(2);
      const written = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
      expect(written).toContain('odd_definition');
      expect(written).not.toContain('swordfish');
      rmSync(folder, { recursive: true });
    }
  });

  it('is not believed by commands with --fresh', async () => {
    const { mcpServers, env, toolsFile, starts } = setUp();
    const show = async (...args: string[]) => {
      const { command, dir, ...start } = prepareProgram({ config: { mcpServers }, args, env });
      const { stdout } = await promisify(execFile)(command, start.args, {
        cwd: dir,
        env: { ...process.env, ...start.env },
      });
      return JSON.parse(stdout);
    };
    expect((await show('tools', '--json', '--fresh')).tools).toHaveLength(8);
    expect(starts()).toBe(2);
    rmSync(toolsFile);
    const names = (await show('tools', '--json', '--fresh')).tools.map(
      (tool: { publicName: string }) => tool.publicName,
    );
    expect(names).toEqual(['new:echo', 'new:add', 'new:pid', 'new:links']);
    const servers = (await show('list', '--json', '--fresh')).servers as {
      name: string;
      state: string;
      tools?: number;
    }[];
    expect(servers).toEqual([
      expect.objectContaining({ name: 'old', state: 'failing' }),
      expect.objectContaining({ name: 'new', state: 'ready', tools: 4 }),
    ]);
    expect(servers[0]).not.toHaveProperty('tools');
  });
});
