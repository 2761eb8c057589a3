import { afterEach, describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../src/base/call/call.ts';
import type { WorkbenchError } from '../../src/base/errors/errors.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { Workbench } from '../../src/workbench/workbench.ts';
import { buildCall } from '../downstream/fake-server.ts';
import { createFakeServer, type FakeServer } from '../downstream/link/link-world.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { tempDir } from '../support/processes.ts';

const open: Workbench[] = [];
afterEach(() => Promise.all(open.splice(0).map((workbench) => workbench.close())));

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object', properties: { q: {} } },
  ...more,
});

/** A workbench whose servers are told apart by their first argument. */
function start(file: JsonObject, options: { stateDir?: string; tools?: Record<string, JsonObject[]> } = {}) {
  const clock = createFakeClock();
  const servers = new Map<string, FakeServer>();
  const serverOf = (name: string): FakeServer => {
    const known = servers.get(name) ?? createFakeServer(clock);
    if (!servers.has(name)) known.tools = options.tools?.[name] ?? [tool('query')];
    servers.set(name, known);
    return known;
  };
  const parse = (value: JsonObject) => parseConfigValue(value, { dir: '/', env: {} });
  const warnings: string[] = [];
  const workbench = new Workbench({
    config: parse(file),
    identity: { name: 'w', version: '0' },
    clock,
    random: () => 0,
    startLocal: (transport, handlers) => serverOf(String(transport.args[0])).startLocal(transport, handlers),
    ...(options.stateDir === undefined ? {} : { stateDir: options.stateDir }),
  });
  open.push(workbench);
  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    await clock.advance(0);
    return promise;
  };
  return {
    workbench,
    warnings,
    serverOf,
    settle,
    apply: (next: JsonObject) => settle(workbench.apply(parse(next))),
    async hear() {
      workbench.startAll();
      await settle(workbench.settled());
    },
    /** What comes of a call; the server that gets it answers at once. */
    async call(server: string, name: string, args: JsonObject, to?: string): Promise<CallOutcome | WorkbenchError> {
      const outcome = workbench
        .forward({ toolbox: 'box', server, name }, buildCall({ params: { name, arguments: args } }))
        .catch((error: WorkbenchError) => error);
      await clock.advance(0);
      if (to !== undefined) serverOf(to).last.answer({ content: [] });
      return settle(outcome);
    },
    sent: (to: string) => serverOf(to).last.calls.map(({ params }) => params),
  };
}

const instances = { eu: { args: ['eu'] }, us: { args: ['us'] } };
const fileOf = (more: JsonObject = {}): JsonObject => ({
  toolboxes: { box: { description: 'B', mcpServers: { pg: { command: 'pg', instances, ...more } } } },
});
const shown = ({ workbench }: ReturnType<typeof start>) =>
  workbench.toolboxes().flatMap(({ entries }) => entries.map(({ address }) => `${address.server}.${address.name}`));

describe('instances of a server', () => {
  it('get the calls that select them, without the argument, and only they are started', async () => {
    const run = start(fileOf());
    expect(await run.call('pg', 'query', { instance: 'us', q: 1 }, 'us')).toMatchObject({ result: {} });
    expect(run.sent('us')).toEqual([{ name: 'query', arguments: { q: 1 } }]);
    expect(run.serverOf('eu').processes).toEqual([]);
    expect(run.workbench.servers().map(({ name, state }) => [name, state])).toEqual([
      ['pg/eu', 'configured'],
      ['pg/us', 'ready'],
    ]);
  });

  it('do not get a call that selects none of them', async () => {
    const run = start(fileOf());
    await run.hear();
    for (const given of [{}, { instance: 'asia' }, { instance: null }, { instance: ['eu'] }])
      expect(await run.call('pg', 'query', given)).toMatchObject({ code: 'WB1848' });
    expect(await run.call('pg', 'nothing', { instance: 'eu' })).toMatchObject({ code: 'WB1803' });
    expect([...run.sent('eu'), ...run.sent('us')]).toEqual([]);
  });

  it('are told apart after one of them turns out not to have the tool', async () => {
    const run = start(fileOf(), { tools: { eu: [tool('query'), tool('more')], us: [tool('query')] } });
    await run.call('pg', 'query', { instance: 'eu' }, 'eu');
    expect(await run.call('pg', 'more', { instance: 'us' })).toMatchObject({ code: 'WB1848' });
    expect(run.sent('us')).toEqual([]);
  });

  it('can be added and removed while the others go on', async () => {
    const run = start(fileOf());
    await run.hear();
    const reload = await run.apply(fileOf({ instances: { eu: { args: ['eu'] }, asia: { args: ['asia'] } } }));
    expect(reload).toMatchObject({ kept: ['pg/eu'], added: ['pg/asia'], removed: ['pg/us'] });
    expect(run.serverOf('eu').processes).toHaveLength(1);
    expect(await run.call('pg', 'query', { instance: 'us' })).toMatchObject({ code: 'WB1848' });
    expect(await run.call('pg', 'query', { instance: 'asia' }, 'asia')).toMatchObject({ result: {} });
    expect(shown(run)).toEqual(['pg.query']);
  });

  it('are known by themselves in the next run', async () => {
    const stateDir = tempDir();
    const first = start(fileOf(), { stateDir });
    await first.hear();
    await first.workbench.close();
    const second = start(fileOf(), { stateDir });
    expect(second.workbench.servers().map(({ state }) => state)).toEqual(['known', 'known']);
    expect(shown(second)).toEqual(['pg.query']);
  });

  it('are reported when their tools differ', async () => {
    const other = tool('query', { inputSchema: { type: 'object', properties: { q: { type: 'string' } } } });
    const run = start(fileOf(), { tools: { eu: [tool('query')], us: [other] } });
    await run.hear();
    expect(shown(run)).toEqual(['pg.query', 'pg-us.query']);
    expect(run.workbench.shapes.problems()).toEqual([
      {
        code: 'WB1849',
        message: expect.stringContaining("is shown by itself under 'pg-us': it differs from that of the instance 'eu'"),
      },
    ]);
    expect(await run.call('pg-us', 'query', { q: 'x' }, 'us')).toMatchObject({ result: {} });
  });
});

describe('tools that the configuration shapes', () => {
  const shaped = (tools: JsonObject): JsonObject => ({
    toolboxes: { box: { description: 'B', mcpServers: { a: { command: 'x', args: ['a'], tools } } } },
  });

  it('are reported with what was changed and where, hidden ones too', async () => {
    const run = start(shaped({ query: { name: 'ask' }, gone: { hidden: true }, missing: {} }), {
      tools: { a: [tool('query'), tool('gone')] },
    });
    await run.hear();
    const path = 'toolboxes.box.mcpServers.a.tools';
    expect(run.workbench.shapes.reshaped()).toEqual([
      {
        address: { toolbox: 'box', server: 'a', name: 'ask' },
        own: 'query',
        changes: [{ what: 'name', path: `${path}.query.name` }],
      },
    ]);
    expect(run.workbench.shapes.hidden()).toEqual([
      { address: { toolbox: 'box', server: 'a', name: 'gone' }, path: `${path}.gone.hidden` },
    ]);
    expect(run.workbench.shapes.problems()).toEqual([
      {
        code: 'WB1847',
        message: expect.stringContaining(`${path}.missing in the configuration matches none of the 2 tools`),
      },
    ]);
    expect(run.workbench.servers()[0]).toMatchObject({ tools: 2, toolsShown: 1 });
  });

  it('change with the file, and are undone by removing the lines', async () => {
    const run = start(shaped({ query: { name: 'ask' } }));
    await run.hear();
    expect(shown(run)).toEqual(['a.ask']);
    expect(await run.apply(shaped({ query: { hidden: true } }))).toMatchObject({
      kept: ['a'],
      settings: ['toolboxes'],
    });
    expect(shown(run)).toEqual([]);
    await run.apply(shaped({}));
    expect(shown(run)).toEqual(['a.query']);
    expect(run.serverOf('a').processes).toHaveLength(1);
  });

  it.each([
    ['is made again when a person says that it may be', { readOnlyHint: true }, {}, 2],
    [
      'is not made again when a person says that it must not be',
      { readOnlyHint: false, idempotentHint: false },
      { readOnlyHint: true },
      1,
    ],
  ])('a lost call %s', async (_, annotations, own, times) => {
    const run = start(shaped({ query: { annotations } }), { tools: { a: [tool('query', { annotations: own })] } });
    await run.hear();
    const outcome = run.workbench
      .forward({ toolbox: 'box', server: 'a', name: 'query' }, buildCall())
      .catch((error: unknown) => error);
    await run.settle(Promise.resolve());
    run.serverOf('a').last.exit();
    await run.settle(Promise.resolve());
    if (times === 2) run.serverOf('a').last.answer({ content: [] });
    await run.settle(outcome);
    const calls = run.serverOf('a').processes.flatMap((process) => process.calls);
    expect(calls).toHaveLength(times);
  });
});
