// @module-tag large
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { type EraClient, eras, linesOf, listChanged, resultOf, startEra, textOf } from '../support.ts';

const dead = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
const never = 600_000;
const few = { TOOLS: 'echo,pid,exit' };
const fewOf = (server: string) => ['echo', 'pid', 'exit'].map((name) => `${server}:${name}`);

async function finish(client: EraClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe.each(eras)('a program whose servers take their time, for a %s client', (era) => {
  const start = (mcpServers: object, rest = {}) => startEra(era, { config: { ...rest, mcpServers } });

  it.each([
    [
      'flat',
      {
        mcpServers: {
          a: fixture('raw-legacy', { START_DELAY_MS: never }),
          b: fixture('raw-modern', { START_DELAY_MS: never }),
        },
      },
    ],
    [
      'meta',
      {
        toolboxes: { box: { description: 'Box', mcpServers: { a: fixture('raw-legacy', { START_DELAY_MS: never }) } } },
      },
    ],
    [
      'dynamic',
      {
        mode: 'dynamic',
        toolboxes: { box: { description: 'Box', mcpServers: { a: fixture('raw-legacy', { START_DELAY_MS: never }) } } },
      },
    ],
  ])('answers the handshake in mode %s while every server hangs', async (_mode, config) => {
    const client = await startEra(era, { config });
    if (era === 'modern')
      expect(resultOf(await client.ask('server/discover')).supportedVersions).toContain('2026-07-28');
    else expect(resultOf(await client.ask('ping'))).toEqual({});
    await finish(client);
  });

  it('waits with the first list for a server that is on its way', async () => {
    const client = await start({
      quick: fixture('raw-legacy', few),
      late: fixture('raw-modern', { ...few, START_DELAY_MS: 700 }),
    });
    expect(await client.names()).toEqual([...fewOf('quick'), ...fewOf('late')]);
    await finish(client);
  });

  it('answers the list after startWaitMs without a server that is not there yet, and announces it when it is', async () => {
    const client = await start(
      { late: fixture('raw-legacy', { ...few, START_DELAY_MS: 2_500 }), quick: fixture('raw-modern', few) },
      { startWaitMs: 1_000 },
    );
    await eventually(async () => expect(await client.names()).toEqual(fewOf('quick')));
    const before = client.heard(listChanged).length;
    if (era === 'modern')
      client.post('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'listen' });
    await eventually(() => client.heard(listChanged).length > before, 10_000);
    expect(await client.names()).toEqual([...fewOf('late'), ...fewOf('quick')]);
    await finish(client);
  });

  it('serves the others when one server is dead, and says so', async () => {
    const client = await start({
      dead,
      missing: { command: 'no-such-command-anywhere' },
      alive: fixture('raw-legacy', few),
    });
    expect(await client.names()).toEqual(fewOf('alive'));
    expect(textOf(await client.call('dead:anything'))).toMatch(/'dead'.*exited with code 3.*\[WB1004\]/);
    expect(textOf(await client.call('missing:anything'))).toContain('[WB1001]');
    await finish(client);
  });
});

describe('a server with manners of its own', () => {
  const start = (mcpServers: object, rest: { args?: string[]; env?: Record<string, string> } = {}) =>
    startEra('legacy', { config: { mcpServers }, ...rest });
  const pidOf = async (client: EraClient, tool: string) => textOf(await client.call(tool));

  it('a server with manners of its own that dies of the era probe is started again, and in the next run only once', async () => {
    const pidLog = join(tempDir(), 'pids');
    const env = { WORKBENCH_STATE: tempDir() };
    const old = { old: { ...fixture('raw-legacy', { ...few, DIE_ON_PROBE: 1, PID_LOG: pidLog }), cwd: tempDir() } };
    for (const starts of [2, 3]) {
      const client = await start(old, { env });
      expect(await client.names()).toEqual(fewOf('old'));
      expect(await pidOf(client, 'old:pid')).toBe(linesOf(pidLog).at(-1));
      expect(linesOf(pidLog)).toHaveLength(starts);
      await finish(client);
    }
  });

  it('a server with manners of its own that ignores methods it does not know is served', async () => {
    const client = await start({ mute: fixture('raw-legacy', { ...few, IGNORE_UNKNOWN: 1 }) });
    expect(await client.names()).toEqual(fewOf('mute'));
    await finish(client);
  });

  it('a server with manners of its own that stands in two toolboxes is one process', async () => {
    const pidLog = join(tempDir(), 'pids');
    const shared = fixture('raw-legacy', { PID_LOG: pidLog });
    const toolbox = (description: string) => ({ description, mcpServers: { shared } });
    const client = await startEra('legacy', { config: { toolboxes: { one: toolbox('One'), two: toolbox('Two') } } });
    const pids = ['one', 'two'].map(async (toolbox) =>
      textOf(await client.call('use_tool', { tool: { toolbox, server: 'shared', name: 'pid' } })),
    );
    const [first, second] = await Promise.all(pids);
    expect(first).toBe(second);
    expect(linesOf(pidLog)).toEqual([first]);
    await finish(client);
  });

  it.each(['raw-legacy', 'raw-modern'] as const)(
    'a server with manners of its own that crashes fails all its calls at once, and the next finds a new process (%s)',
    async (name) => {
      const client = await start({ crash: fixture(name) });
      const before = await pidOf(client, 'crash:pid');
      const both = [client.call('crash:hang'), client.call('crash:exit', { code: 9 })];
      for (const answer of await Promise.all(both)) {
        expect(resultOf(answer).isError).toBe(true);
        expect(textOf(answer)).toContain('[WB1010]');
      }
      const after = await pidOf(client, 'crash:pid');
      expect(after).toMatch(/^\d+$/);
      expect(after).not.toBe(before);
      expect(await client.names()).toContain('crash:echo');
      await finish(client);
    },
  );

  it.each([
    [
      'prints noise on stdout is served, and the noise is reported',
      { odd: fixture('raw-legacy', { ...few, NOISE: 1 }) },
      fewOf('odd'),
      'WB1006',
    ],
    [
      'lists malformed tools keeps its good ones, and the others are reported',
      { odd: fixture('raw-modern', { ...few, MALFORMED: 1 }) },
      fewOf('odd'),
      'WB1015',
    ],
  ])('a server with manners of its own that %s', async (_, servers, names, code) => {
    const client = await start(servers);
    expect(await client.names()).toEqual(names);
    expect(resultOf(await client.call('odd:echo', { a: 1 })).structuredContent).toEqual({ a: 1 });
    await eventually(() => expect(client.stderr).toContain(code));
    await finish(client);
  });

  it('a server with manners of its own whose pages go round in circles is listed as far as it went, and that is reported', async () => {
    const client = await start({ round: fixture('raw-legacy', { TOOLS: 'echo,add,pid,exit', CYCLE: 1 }) });
    expect(await client.names()).toEqual(['round:echo', 'round:add', 'round:pid', 'round:exit']);
    await eventually(() => expect(client.stderr).toContain('WB1014'));
    await finish(client);
  });
});
