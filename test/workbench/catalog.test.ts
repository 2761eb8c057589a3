import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallOutcome, Client } from '../../src/base/call/call.ts';
import { WorkbenchError } from '../../src/base/errors/errors.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { createFront } from '../../src/front/create-front.ts';
import type { FrontSession } from '../../src/front/front.ts';
import { Workbench } from '../../src/workbench/workbench.ts';
import { buildCall, createSession } from '../downstream/fake-server.ts';
import { createFakeServer } from '../downstream/link/link-world.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { tempDir } from '../support/processes.ts';

const day = 24 * 60 * 60 * 1_000;
const tool = (name: string): JsonObject => ({ name, inputSchema: { type: 'object' } });
const flat = { mcpServers: { a: { command: 'x', args: ['a'] }, b: { command: 'x', args: ['b'] } } };
const boxed = { toolboxes: { box: { description: 'Box', ...flat } } };

const open: Workbench[] = [];
afterEach(() => Promise.all(open.splice(0).map((workbench) => workbench.close())));

/** One state folder and one clock for several runs; in each the servers are new. */
function setUp() {
  const stateDir = tempDir();
  const clock = createFakeClock();
  return { clock, stateDir, run: (file: JsonObject, options = {}) => startRun(file, { clock, stateDir, ...options }) };
}

interface RunOptions {
  readonly clock: FakeClock;
  readonly stateDir?: string;
  readonly fresh?: boolean;
  readonly client?: Client;
  /** Whether the client asks to be told of changes, which needs the lists. */
  readonly listens?: boolean;
}

function startRun(file: JsonObject, { clock, client = createSession('host'), listens = true, ...options }: RunOptions) {
  const a = createFakeServer(clock);
  const b = createFakeServer(clock);
  a.tools = [tool('one')];
  b.tools = [tool('two')];
  const parse = (next: JsonObject) => parseConfigValue(next, { dir: '/', env: {} });
  const workbench = new Workbench({
    config: parse(file),
    identity: { name: 'w', version: '0' },
    clock,
    random: () => 0,
    startLocal: (transport, handlers) => (transport.args[0] === 'a' ? a : b).startLocal(transport, handlers),
    ...options,
  });
  open.push(workbench);
  const finish = async <T>(promise: PromiseLike<T>): Promise<T> => {
    await clock.advance(0);
    return promise;
  };
  const session: FrontSession = createFront(workbench, clock).connect(client, { constantLists: false });
  let announced = 0;
  if (listens) session.onClientListChanged('tools', () => announced++);
  return {
    workbench,
    session,
    a,
    b,
    finish,
    /** No time passes, so a list that waits for a server that has to be started never comes. */
    async names(): Promise<string[]> {
      const page = await session.list('tools', undefined);
      return ((page?.value.tools ?? []) as JsonObject[]).map(({ name }) => String(name));
    },
    call: (name: string, args: JsonObject = {}) => session.callTool(buildCall({ params: { name, arguments: args } })),
    apply: (next: JsonObject) => finish(workbench.apply(parse(next))),
    starts: () => [a.processes.length, b.processes.length],
    states: () => workbench.servers().map(({ state }) => state),
    announced: () => announced,
  };
}

/** A run in which all servers are heard. */
async function hear(run: ReturnType<typeof startRun>): Promise<void> {
  run.workbench.startAll();
  await run.finish(run.workbench.settled());
  await run.workbench.close();
}

const textOf = (outcome: CallOutcome) => ('result' in outcome ? JSON.stringify(outcome.result.value) : '');

it('a workbench that is closed before it has needed its servers starts none of them', async () => {
  const { clock, run } = setUp();
  const first = run(flat, { listens: false });
  await first.workbench.close();
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1_000);
  expect(first.starts()).toEqual([0, 0]);
});

describe('mode flat, of servers that an earlier run has heard', () => {
  it('mode flat, of servers that an earlier run has heard greets a client with their words before it reads their lists', async () => {
    const { stateDir, run } = setUp();
    await hear(run(flat));
    // A file of which only the beginning is left still says who spoke.
    for (const name of readdirSync(join(stateDir, 'catalog')).filter((each) => each.endsWith('.jsonl'))) {
      const file = join(stateDir, 'catalog', name);
      const [head] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${head}\n{"instructions":"Ask nicely."}\n{`);
    }
    const second = run(flat, { listens: false });
    expect(second.session.instructions).toContain('Server "a" says: Ask nicely.');
    expect(second.starts()).toEqual([0, 0]);
    // Their lists cannot be read, so they are started, without any further word of the client.
    await new Promise((resolve) => setImmediate(resolve));
    await second.finish(second.workbench.settled());
    expect([second.starts(), await second.names()]).toEqual([
      [1, 1],
      ['a:one', 'b:two'],
    ]);
  });

  it('mode flat, of servers that an earlier run has heard lists them without starting them, and says that they are known', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    expect(second.states()).toEqual(['known', 'known']);
    expect(await second.names()).toEqual(['a:one', 'b:two']);
    await clock.advance(60_000);
    expect(second.starts()).toEqual([0, 0]);
    expect(second.workbench.servers()[0]).toMatchObject({
      era: 'legacy',
      info: { name: 'fake', version: '1' },
      tools: 1,
      listedAt: 0,
    });
  });

  it('mode flat, of servers that an earlier run has heard starts one at its first use, and announces nothing when it lists the same', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    await second.names();
    const called = second.call('a:one');
    await clock.advance(0);
    second.a.last.answer({ content: [{ type: 'text', text: 'done' }] });
    expect(textOf(await second.finish(called))).toContain('done');
    await clock.advance(1_000);
    expect([second.starts(), second.states(), second.announced()]).toEqual([[1, 0], ['ready', 'known'], 0]);
    expect(second.workbench.servers()[0]).not.toHaveProperty('listedAt');
  });

  it('mode flat, of servers that an earlier run has heard announces what a server lists in another way when it is started, and knows that in the next run', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    await second.names();
    second.a.tools = [tool('one'), tool('more')];
    const called = second.call('a:one');
    await clock.advance(0);
    second.a.last.answer();
    await second.finish(called);
    await clock.advance(1_000);
    expect(second.announced()).toBe(1);
    expect(await second.names()).toEqual(['a:one', 'a:more', 'b:two']);
    await second.workbench.close();
    expect(await run(flat).names()).toEqual(['a:one', 'a:more', 'b:two']);
  });

  it('mode flat, of servers that an earlier run has heard says of a tool that is gone that it is gone, and does not ask the server for it', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    await second.names();
    second.a.tools = [tool('other')];
    expect(textOf(await second.finish(second.call('a:one')))).toMatch(
      /Tool 'one' not found in server 'a'.*other.*WB1803/,
    );
    expect(second.a.last.calls).toEqual([]);
    await clock.advance(1_000);
    expect([second.announced(), await second.names()]).toEqual([1, ['a:other', 'b:two']]);
  });

  it('mode flat, of servers that an earlier run has heard goes on listing the tools of one that cannot be started, and says at each call why', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    second.a.manner = new WorkbenchError('WB1001', 'no such command');
    expect(textOf(await second.finish(second.call('a:one')))).toMatch(/Failed to connect.*'a'.*no such command/);
    await clock.advance(1_000);
    expect([await second.names(), second.announced()]).toEqual([['a:one', 'b:two'], 0]);
    expect(second.workbench.servers()[0]).toMatchObject({ state: 'failing', tools: 1, listedAt: 0 });
  });

  it('mode flat, of servers that an earlier run has heard starts those that are not known, and waits for them only', async () => {
    const { run } = setUp();
    await hear(run({ mcpServers: { a: flat.mcpServers.a } }));
    const second = run(flat);
    second.a.manner = 'mute';
    void second.call('a:one');
    expect(await second.finish(second.names())).toEqual(['a:one', 'b:two']);
    expect([second.starts(), second.states()]).toEqual([
      [1, 1],
      ['starting', 'ready'],
    ]);
  });

  it('mode flat, of servers that an earlier run has heard starts one that is wanted from the beginning all the same', async () => {
    const { clock, run } = setUp();
    const file = { mcpServers: { ...flat.mcpServers, a: { command: 'x', args: ['a'], start: 'eager' } } };
    await hear(run(file));
    const second = run(file);
    await clock.advance(0);
    expect(second.starts()).toEqual([1, 0]);
  });

  it('mode flat, of servers that an earlier run has heard hears them again some seconds after the first list, one after the other, and lets them sleep again', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    await clock.advance(2 * 60_000);
    const second = run(flat);
    second.a.tools = [tool('new')];
    await clock.advance(5_000);
    expect(second.starts()).toEqual([0, 0]);
    expect(await second.names()).toEqual(['a:one', 'b:two']);
    await clock.advance(4_000);
    expect([second.starts(), second.states()]).toEqual([
      [1, 0],
      ['ready', 'known'],
    ]);
    await clock.advance(2_000);
    expect([second.starts(), second.states()]).toEqual([
      [1, 1],
      ['sleeping', 'ready'],
    ]);
    await clock.advance(2_000);
    expect([second.states(), second.announced()]).toEqual([['sleeping', 'sleeping'], 1]);
    expect(await second.names()).toEqual(['a:new', 'b:two']);
  });

  it('mode flat, of servers that an earlier run has heard does not let one sleep that came into use while it was heard', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    await clock.advance(2 * 60_000);
    const second = run(flat);
    await second.names();
    await clock.advance(4_000);
    void second.call('a:one');
    await clock.advance(0);
    second.a.last.answer({ content: [] });
    await clock.advance(2_000);
    expect(second.states()[0]).toBe('ready');
  });

  it('mode flat, of servers that an earlier run has heard does not hear those again that were heard a moment ago', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    await clock.advance(30_000);
    const second = run(flat);
    await second.names();
    await clock.advance(20_000);
    expect(second.starts()).toEqual([0, 0]);
  });

  it('mode flat, of servers that an earlier run has heard believes what was heard for a client that can do the same, and nothing else', async () => {
    const { run } = setUp();
    const host = (capabilities: JsonObject) => {
      const client = createSession('host');
      return client.session === undefined ? client : { ...client, session: { ...client.session, capabilities } };
    };
    const asking = { elicitation: { form: {} } };
    for (const [capabilities, states] of [
      [{}, ['configured', 'configured']],
      [asking, ['configured', 'configured']],
      [{}, ['known', 'known']],
      [asking, ['known', 'known']],
    ] as const) {
      const each = run(boxed, { client: host(capabilities) });
      expect(each.states()).toEqual(states);
      await hear(each);
    }
  });

  it('mode flat, of servers that an earlier run has heard knows in the next run that one was heard again, although it had not changed', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    await clock.advance(day);
    await hear(run(flat));
    expect(run(flat).workbench.servers()[0]?.listedAt).toBe(day);
  });

  it.each<[string, object, JsonObject]>([
    ['the configuration says so', {}, { ...flat, keepCatalog: false }],
    ['there is no folder', { stateDir: undefined }, flat],
    ['everything shall be heard anew', { fresh: true }, flat],
  ])('mode flat, of servers that an earlier run has heard starts all of them when %s', async (_, options, file) => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(file, options);
    await clock.advance(0);
    expect(second.starts()).toEqual([1, 1]);
  });

  it('mode flat, of servers that an earlier run has heard keeps nothing when the configuration says so', async () => {
    const { stateDir, run } = setUp();
    await hear(run({ ...flat, keepCatalog: false }));
    expect(() => readdirSync(join(stateDir, 'catalog'))).toThrow();
  });

  it('mode flat, of servers that an earlier run has heard shows nothing of one that is disabled now', async () => {
    const { run } = setUp();
    await hear(run(flat));
    const second = run({ mcpServers: { ...flat.mcpServers, a: { command: 'x', args: ['a'], disabled: true } } });
    expect([second.states(), await second.names()]).toEqual([['disabled', 'known'], ['b:two']]);
  });

  it('mode flat, of servers that an earlier run has heard does not keep what could not be read whole', async () => {
    const { clock, run } = setUp();
    await hear(run(flat));
    const second = run(flat, { fresh: true });
    second.a.tools = [tool('new')];
    second.a.listFault = true;
    await clock.advance(0);
    await second.workbench.close();
    expect(await run(flat).names()).toEqual(['a:one', 'b:two']);
  });
});

describe('open_toolbox, of servers that an earlier run has heard', () => {
  const openBox = { toolbox: 'box' };
  const contentOf = (outcome: CallOutcome) =>
    'result' in outcome ? (outcome.result.value.structuredContent as JsonObject) : {};

  it('open_toolbox, of servers that an earlier run has heard answers as if they ran, and has them started', async () => {
    const { clock, run } = setUp();
    const first = run(boxed);
    const before = contentOf(await first.finish(first.call('open_toolbox', openBox)));
    await first.workbench.close();
    const second = run(boxed);
    expect(contentOf(await second.call('open_toolbox', openBox))).toEqual(before);
    expect(before).toMatchObject({ servers_connected: 2 });
    await clock.advance(0);
    expect([second.starts(), second.states()]).toEqual([
      [1, 1],
      ['ready', 'ready'],
    ]);
  });

  it('open_toolbox, of servers that an earlier run has heard answers the same while they are starting, after a moment in which they could have failed', async () => {
    const { clock, run } = setUp();
    await hear(run(boxed));
    const second = run(boxed);
    second.a.manner = 'mute';
    const opening = second.call('open_toolbox', openBox);
    await clock.advance(250);
    expect(second.states()[0]).toBe('starting');
    const before = contentOf(await opening);
    expect(before).toMatchObject({ servers_connected: 2 });
    expect(contentOf(await second.call('open_toolbox', openBox))).toEqual(before);
  });

  it('open_toolbox, of servers that an earlier run has heard tells at once and afterwards which of them could not be started, and lists its tools all the same', async () => {
    const { clock, run } = setUp();
    await hear(run(boxed));
    const second = run(boxed);
    second.a.manner = new WorkbenchError('WB1002', 'will not start');
    const failed = { servers_connected: 1, servers_failed: [{ server: 'a' }] };
    expect(contentOf(await second.call('open_toolbox', openBox))).toMatchObject(failed);
    await clock.advance(0);
    const opened = second.call('open_toolbox', openBox);
    await clock.advance(1_000);
    const content = contentOf(await opened);
    expect(content).toMatchObject(failed);
    expect(content.tools).toHaveLength(2);
    expect(second.a.processes).toHaveLength(2);
  });

  it('open_toolbox, of servers that an earlier run has heard starts one that cannot be started once each time, not twice', async () => {
    const { clock, run } = setUp();
    const first = run(boxed);
    first.a.manner = new WorkbenchError('WB1002', 'will not start');
    await first.finish(first.call('open_toolbox', openBox));
    await clock.advance(5_000);
    expect(first.a.processes).toHaveLength(1);
  });
});

describe('a reload', () => {
  it('a reload shows a server that is new and known at once, and does not start it', async () => {
    const { run } = setUp();
    await hear(run(flat));
    const second = run({ mcpServers: { a: flat.mcpServers.a } });
    expect(await second.names()).toEqual(['a:one']);
    await second.apply(flat);
    expect([await second.names(), second.starts()]).toEqual([
      ['a:one', 'b:two'],
      [0, 0],
    ]);
  });

  it('a reload starts a server that is defined in another way, because nothing is known of that one', async () => {
    const { run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    second.a.tools = [tool('changed')];
    await second.apply({ mcpServers: { ...flat.mcpServers, a: { command: 'x', args: ['a', 'b'] } } });
    expect([await second.names(), second.starts()]).toEqual([
      ['a:changed', 'b:two'],
      [1, 0],
    ]);
  });

  it('a reload takes another timeout for no other program', async () => {
    const { run } = setUp();
    await hear(run(flat));
    const second = run(flat);
    await second.apply({ mcpServers: { ...flat.mcpServers, a: { command: 'x', args: ['a'], timeoutMs: 5 } } });
    expect([await second.names(), second.starts()]).toEqual([
      ['a:one', 'b:two'],
      [0, 0],
    ]);
  });
});
