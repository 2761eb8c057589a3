import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/base/call/call.ts';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { createFront } from '../../../src/front/create-front.ts';
import type { FrontSession } from '../../../src/front/front.ts';
import { Workbench } from '../../../src/workbench/workbench.ts';
import { buildCall, createSession } from '../../downstream/fake-server.ts';
import { createFakeServer, type FakeServer } from '../../downstream/link/link-world.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const parse = (file: JsonObject, env: Record<string, string> = {}) => parseConfigValue(file, { dir: '/', env });

/** Servers are told apart by their first argument, which a test may use again for another definition. */
function setUp(file: JsonObject) {
  const clock = createFakeClock();
  const servers = new Map<string, FakeServer>();
  const serverOf = (name: string): FakeServer => {
    let server = servers.get(name);
    if (server === undefined) {
      server = createFakeServer(clock);
      servers.set(name, server);
    }
    return server;
  };
  const redactor = createRedactor();
  const workbench = new Workbench({
    config: parse(file),
    identity: { name: 'w', version: '0' },
    clock,
    redactor,
    random: () => 0,
    startLocal: (transport, handlers) => serverOf(transport.args[0] ?? '').startLocal(transport, handlers),
  });
  const connect = (constantLists = false): FrontSession =>
    createFront(workbench, clock).connect(createSession('host'), { constantLists });
  /** Lets everything happen that takes no time, and gives what has come of it. */
  const finish = async <T>(promise: PromiseLike<T>): Promise<T> => {
    await clock.advance(0);
    return promise;
  };
  const reload = (next: JsonObject, env?: Record<string, string>) => finish(workbench.apply(parse(next, env)));
  /** Begins a call whose end is looked at later. */
  const begin = async (session: FrontSession, name: string) => {
    let outcome: CallOutcome | undefined;
    session.callTool(buildCall({ params: { name } })).then(
      (value) => {
        outcome = value;
      },
      () => {},
    );
    await clock.advance(0);
    return () => outcome;
  };
  const tools = async (session: FrontSession): Promise<string[]> => {
    const page = await finish(session.list('tools', undefined));
    return ((page?.value.tools ?? []) as JsonObject[]).map(({ name }) => String(name));
  };
  return { clock, workbench, redactor, serverOf, connect, reload, finish, begin, tools };
}

const server = (...args: string[]): JsonObject => ({ command: 'x', args });
const flat = (mcpServers: JsonObject, more: JsonObject = {}): JsonObject => ({ mcpServers, ...more });
const box = (mcpServers: JsonObject): JsonObject => ({ description: 'Box', mcpServers });
const done = { content: [{ type: 'text', text: 'done' }] };
const drainMs = 8_000;

describe('a reload', () => {
  it('a reload leaves a server that is defined as before its process and its call', async () => {
    const { clock, serverOf, connect, reload, begin } = setUp(flat({ a: server('a'), b: server('b') }));
    const session = connect();
    await clock.advance(0);
    const outcome = await begin(session, 'a:plain');
    expect(await reload(flat({ a: server('a') }, { separator: '__' }))).toMatchObject({ kept: ['a'], removed: ['b'] });
    await clock.advance(drainMs + 1);
    expect([serverOf('a').processes.length, serverOf('a').last.stopped, serverOf('b').last.stopped]).toEqual([
      1,
      false,
      true,
    ]);
    serverOf('a').last.answer(done);
    await clock.advance(0);
    expect(outcome()).toMatchObject({ result: { value: done } });
  });

  it('a reload has the new definition of a server ready before it takes the place of the old one, whose call may end', async () => {
    const { clock, serverOf, connect, workbench, finish, begin, tools } = setUp(flat({ a: server('old') }));
    const session = connect();
    await clock.advance(0);
    const before = await begin(session, 'a:plain');
    serverOf('new').manner = 'slow';
    const reloaded = workbench.apply(parse(flat({ a: server('new') })));
    await clock.advance(0);
    await begin(session, 'a:plain');
    expect([serverOf('old').last.calls.length, serverOf('new').last.calls.length]).toEqual([2, 0]);
    serverOf('old').last.answer(done);
    await clock.advance(1_200);
    expect(await finish(reloaded)).toMatchObject({ replaced: ['a'] });
    expect(await tools(session)).toHaveLength(4);
    const after = await begin(session, 'a:plain');
    expect([serverOf('old').last.calls.length, serverOf('new').last.calls.length]).toEqual([2, 1]);
    expect(serverOf('old').last.stopped).toBe(false);
    const [first] = serverOf('old').last.calls;
    serverOf('old').last.say({ id: first?.id ?? null, result: done });
    serverOf('new').last.answer(done);
    await clock.advance(0);
    expect([before(), after()]).toMatchObject([{ result: { value: done } }, { result: { value: done } }]);
    expect(serverOf('old').last.stopped).toBe(true);
  });

  it('a reload ends a server that is gone when its calls take too long, and answers them', async () => {
    const { clock, serverOf, connect, reload, begin } = setUp(flat({ a: server('a'), b: server('b') }));
    const session = connect();
    await clock.advance(0);
    const outcome = await begin(session, 'b:plain');
    await reload(flat({ a: server('a') }));
    await clock.advance(drainMs - 1);
    expect([serverOf('b').last.stopped, outcome()]).toEqual([false, undefined]);
    await clock.advance(1);
    expect(serverOf('b').last.stopped).toBe(true);
    expect(outcome()).toMatchObject({ result: { value: { isError: true } } });
  });

  it('a reload announces a list only when it differs', async () => {
    const { clock, connect, reload, tools } = setUp(flat({ a: server('a'), b: server('b') }));
    const session = connect();
    await tools(session);
    let told = 0;
    session.onClientListChanged('tools', () => told++);
    await reload(flat({ a: server('a'), b: server('b') }, { startWaitMs: 77 }));
    await reload(flat({ a: server('other'), b: server('b') }));
    await clock.advance(100);
    expect(told).toBe(0);
    await reload(flat({ a: server('other') }));
    await clock.advance(100);
    expect(told).toBe(1);
    expect(await tools(session)).toEqual(['a:read', 'a:put', 'a:write', 'a:plain']);
  });

  it('a reload starts what it adds where everything is shown at once, and announces its tools', async () => {
    const { clock, serverOf, connect, reload, tools } = setUp(flat({ a: server('a') }));
    const session = connect();
    await tools(session);
    let told = 0;
    session.onClientListChanged('tools', () => told++);
    await reload(flat({ a: server('a'), b: server('b') }));
    await clock.advance(100);
    expect([serverOf('b').processes.length, told]).toEqual([1, 1]);
    expect(await tools(session)).toHaveLength(8);
  });

  it('a reload starts of what it adds only what is wanted eagerly, where toolboxes are opened', async () => {
    const { clock, serverOf, connect, reload } = setUp({ toolboxes: { one: box({ a: server('a') }) } });
    connect();
    await reload({
      toolboxes: { one: box({ a: server('a'), b: server('b'), c: { ...server('c'), start: 'eager' } }) },
    });
    await clock.advance(0);
    expect(['a', 'b', 'c'].map((name) => serverOf(name).processes.length)).toEqual([0, 0, 1]);
  });

  it('a reload shows the new definition also when it does not start, and says why', async () => {
    const { clock, serverOf, connect, workbench, reload, begin } = setUp(flat({ a: server('old') }));
    const session = connect();
    await clock.advance(0);
    serverOf('new').manner = new WorkbenchError('WB1001', 'no such command');
    await reload(flat({ a: server('new') }));
    expect(workbench.statusOf('a')).toMatchObject({ state: 'failing', failure: { code: 'WB1001' } });
    expect((await begin(session, 'a:plain'))()).toMatchObject({ result: { value: { isError: true } } });
  });

  it('a reload teaches the redactor the secrets of the new configuration', async () => {
    const { redactor, reload } = setUp(flat({ a: server('a') }));
    await reload(flat({ a: { ...server('a'), env: { TOKEN: '${TOKEN}' } } }), { TOKEN: 'very-secret' });
    expect(redactor.hide('it is very-secret')).toBe('it is ‹TOKEN›');
  });

  it('a reload asked for while another is under way comes after it', async () => {
    const { clock, workbench, serverOf, connect } = setUp(flat({ a: server('1') }));
    connect();
    await clock.advance(0);
    serverOf('2').manner = 'slow';
    const reloads = ['2', '3'].map((arg) => workbench.apply(parse(flat({ a: server(arg) }))));
    await clock.advance(1_200);
    await clock.advance(0);
    expect((await Promise.all(reloads)).map(({ replaced }) => replaced)).toEqual([['a'], ['a']]);
    expect(['1', '2', '3'].map((arg) => serverOf(arg).last.stopped)).toEqual([true, true, false]);
  });

  it('a reload that is under way when the workbench is closed leaves nothing running', async () => {
    const { clock, workbench, serverOf, connect, finish } = setUp(flat({ a: server('1') }));
    connect();
    await clock.advance(0);
    serverOf('2').manner = 'mute';
    const reloaded = workbench.apply(parse(flat({ a: server('2') })));
    await clock.advance(0);
    await finish(workbench.close());
    await finish(reloaded);
    expect(['1', '2'].map((arg) => serverOf(arg).last.stopped)).toEqual([true, true]);
  });

  it('a reload gives a server its process under the key it has now', async () => {
    const { clock, serverOf, workbench, reload, finish } = setUp({
      toolboxes: { s: box({ a: server('1') }), t: box({ a: server('2') }) },
    });
    workbench.startAll();
    await finish(workbench.settled());
    await reload({ toolboxes: { t: box({ a: server('2') }) } });
    await clock.advance(0);
    expect(workbench.servers()).toMatchObject([{ key: 'a', state: 'ready', toolboxes: ['t'], tools: 4 }]);
    expect([serverOf('1').last.stopped, serverOf('2').last.stopped]).toEqual([true, false]);
    serverOf('2').tools = [];
    serverOf('2').last.say({ method: 'notifications/tools/list_changed' });
    await clock.advance(1_000);
    expect(workbench.toolboxes()).toMatchObject([{ name: 't', entries: [] }]);
  });
});

describe('a session', () => {
  const openBox = (toolbox: string) => buildCall({ params: { name: 'open_toolbox', arguments: { toolbox } } });
  const two = { one: box({ a: server('a') }), two: box({ b: server('b') }) };

  it.each(['meta', 'dynamic'])('in mode %s learns of a new toolbox from instructions and tools', async (mode) => {
    const { clock, connect, reload, finish, tools } = setUp({ mode, toolboxes: { one: two.one } });
    const session = connect();
    await tools(session);
    let told = 0;
    session.onClientListChanged('tools', () => told++);
    await reload({ mode, toolboxes: two });
    await clock.advance(100);
    const page = await finish(session.list('tools', undefined));
    expect([told, session.instructions, JSON.stringify(page?.value)]).toEqual([
      1,
      expect.stringContaining('- two ('),
      expect.stringContaining('- two ('),
    ]);
    expect(await finish(session.callTool(openBox('two')))).toMatchObject({
      result: { value: { structuredContent: { toolbox: 'two' } } },
    });
  });

  it('a session keeps the toolboxes it has opened, and forgets those that are gone', async () => {
    // The server of toolbox two stays all the while, so that its tools would be back with it.
    const all = { ...two, same: box({ b: server('b') }) };
    const { connect, reload, finish, tools } = setUp({ mode: 'dynamic', toolboxes: all });
    const session = connect();
    for (const name of ['one', 'two']) await finish(session.callTool(openBox(name)));
    expect(await tools(session)).toHaveLength(9);
    await reload({ mode: 'dynamic', toolboxes: { one: all.one, same: all.same } });
    expect(await tools(session)).toHaveLength(5);
    await reload({ mode: 'dynamic', toolboxes: all });
    expect(await tools(session)).toHaveLength(5);
  });

  it.each([false, true])('a session follows the mode (constant lists: %s) and is told of it', async (constantLists) => {
    const { clock, connect, reload, tools } = setUp({ mode: 'meta', toolboxes: two });
    const session = connect(constantLists);
    expect(await tools(session)).toEqual(['open_toolbox', 'use_tool']);
    let told = 0;
    session.onClientListChanged('tools', () => told++);
    await reload({ mode: 'flat', toolboxes: two });
    expect(told).toBe(1);
    expect(await tools(session)).toHaveLength(8);
    expect(session.instructions).toContain('{server}:{tool}');
    await clock.advance(100);
    await reload({ mode: 'meta', toolboxes: two });
    expect(await tools(session)).toEqual(['open_toolbox', 'use_tool']);
    expect(told).toBe(2);
  });

  it('in mode flat gets names with the separator and pages of the size that are in force', async () => {
    const { clock, connect, reload, finish, tools } = setUp(flat({ a: server('a') }));
    const session = connect();
    await clock.advance(0);
    await reload(flat({ a: server('a') }, { separator: '__', pageSize: 3 }));
    expect(await tools(session)).toEqual(['a__read', 'a__put', 'a__write']);
    expect((await finish(session.list('tools', undefined)))?.value.nextCursor).toEqual(expect.any(String));
  });
});
