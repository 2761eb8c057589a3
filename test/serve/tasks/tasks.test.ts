import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome, Outcome } from '../../../src/base/call/call.ts';
import { type TaskNews, TaskRefused } from '../../../src/base/call/task.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { rpcError } from '../../../src/base/rpc/rpc.ts';
import { createTaskStore, taskLimits } from '../../../src/serve/tasks/task-store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createTrip,
  done,
  everything,
  form,
  gathered,
  request,
  sampling,
  setUpLegacy,
  setUpModern,
  tellAnswers,
  toJson,
} from '../support.ts';

/** What a server does with a call, played by hand. */
function createPlay() {
  const calls: { call: Call; end(outcome: CallOutcome): void; fail(error: Error): void }[] = [];
  const play = (call: Call) => new Promise<CallOutcome>((end, fail) => calls.push({ call, end, fail }));
  return { calls, play, news: (news: TaskNews = {}) => calls.at(-1)?.call.task?.onTask?.(news) };
}

const accepted = { action: 'accept', content: {} };
const hour = 60 * 60_000;

describe('a task of a client of 2025-11-25', () => {
  const setUp = (capabilities = everything, version = '2025-11-25') => {
    const { calls, play, news } = createPlay();
    const setup = setUpLegacy(play, { capabilities, version });
    const ask = (method: string, params: JsonObject = {}) => {
      const trip = createTrip();
      const answer = setup.edge.request(request(method, params), trip).then((outcome) => toJson(outcome as Outcome));
      return { ...trip, answer };
    };
    const create = async (task: JsonObject = {}) => {
      const { answer } = setup.call({ task });
      await setup.clock.advance(0);
      news();
      const { taskId, ...rest } = ((await answer) as { task: JsonObject }).task;
      return { taskId: taskId as string, ...rest };
    };
    const get = (taskId: string) => ask('tasks/get', { taskId }).answer;
    return { ...setup, calls, news, ask, create, get };
  };

  it('a task of a client of 2025-11-25 is known as soon as the call is one, and the call goes on without it', async () => {
    const { call, clock, calls, news, edge } = setUp();
    const { answer } = call({ task: { ttl: 5_000 }, _meta: { keep: 1 } });
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    await clock.advance(0);
    expect([answered, edge.busy]).toEqual([false, true]);
    expect(calls[0]?.call).toMatchObject({
      task: { wish: { ttl: 5_000 } },
      params: { name: 'ask', _meta: { keep: 1 } },
    });
    expect(calls[0]?.call.params).not.toHaveProperty('task');
    news({ pollIntervalMs: 7 });
    const at = new Date(0).toISOString();
    expect(await answer).toEqual({
      task: {
        taskId: expect.any(String),
        status: 'working',
        createdAt: at,
        lastUpdatedAt: at,
        ttl: 5_000,
        pollInterval: 100,
      },
    });
    calls[0]?.end(done);
    await clock.advance(0);
    expect(edge.busy).toBe(false);
  });

  it.each([
    [undefined, hour],
    [0, 1_000],
    [90_000.4, 90_000],
    [1e15, 24 * hour],
    [null, hour],
  ])(
    'a task of a client of 2025-11-25 that is wanted for %j ms is kept for %d ms, then forgotten',
    async (ttl, kept) => {
      const { create, get, clock, calls } = setUp();
      const task = await create(ttl === undefined ? {} : { ttl });
      expect(task).toMatchObject({ ttl: kept });
      await clock.advance(kept - 1);
      expect(await get(task.taskId)).toMatchObject({ status: 'working' });
      await clock.advance(1);
      expect(await get(task.taskId)).toMatchObject({ error: { code: -32602, data: { code: 'WB1808' } } });
      expect(calls[0]?.call.signal.aborted).toBe(true);
    },
  );

  it.each([[7], ['x'], [null], [{ ttl: -1 }], [{ ttl: 'long' }]])(
    'a task of a client of 2025-11-25 is not begun for "task": %j',
    async (task) => {
      const { call, calls } = setUp();
      expect(await call({ task: task as JsonObject }).answer).toMatchObject({ error: { code: -32602 } });
      expect(calls).toEqual([]);
    },
  );

  it('a task of a client of 2025-11-25 is none when it is refused, fails or is cancelled before it has begun', async () => {
    const { call, calls, ask, clock } = setUp();
    const refused = call({ task: {} });
    await clock.advance(0);
    calls[0]?.fail(new TaskRefused('ask'));
    expect(await refused.answer).toMatchObject({ error: { code: -32601, message: expect.stringContaining("'ask'") } });
    const failed = call({ task: {} });
    await clock.advance(0);
    calls[1]?.end({ error: rpcError(-32602, 'Unknown tool') });
    expect(await failed.answer).toEqual({ error: { code: -32602, message: 'Unknown tool' } });
    const given = call({ task: {} });
    given.cancel();
    await clock.advance(0);
    expect(calls[2]?.call.signal.aborted).toBe(true);
    calls[2]?.end({ error: rpcError(-32603, 'cancelled') });
    await given.answer;
    expect(await ask('tasks/list').answer).toEqual({ tasks: [] });
  });

  it('a task of a client of 2025-11-25 is one also when the call ends before it has begun', async () => {
    const { call, calls, clock, ask } = setUp();
    const { answer } = call({ task: {} });
    await clock.advance(0);
    calls[0]?.end({ result: RawJson.of({ content: [], isError: true }) });
    const { task } = (await answer) as { task: JsonObject };
    expect(task.status).toBe('working');
    expect(await ask('tasks/get', { taskId: task.taskId as string }).answer).toMatchObject({ status: 'failed' });
  });

  it('a task of a client of 2025-11-25 outlives the request that began it, and says what becomes of it on the general stream', async () => {
    const { call, calls, news, clock, general } = setUp();
    const trip = call({ task: {}, _meta: { progressToken: 'p' } });
    await clock.advance(0);
    news();
    const { taskId } = ((await trip.answer) as { task: { taskId: string } }).task;
    trip.cancel();
    expect(calls[0]?.call.signal.aborted).toBe(false);
    news({ statusMessage: 'half' });
    calls[0]?.call.notify('notifications/progress', { progress: 1 });
    calls[0]?.end(done);
    await clock.advance(0);
    calls[0]?.call.notify('notifications/progress', { progress: 2 });
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId } };
    expect(general).toMatchObject([
      { method: 'notifications/tasks/status', params: { taskId, status: 'working', statusMessage: 'half' } },
      { method: 'notifications/progress', params: { progress: 1, progressToken: 'p', _meta } },
      { method: 'notifications/tasks/status', params: { taskId, status: 'completed' } },
    ]);
    expect(general).toHaveLength(3);
  });

  it('a task of a client of 2025-11-25 asks on the stream of whoever waits for its result last, and waits when nobody does', async () => {
    const { create, calls, ask, get, edge, clock } = setUp();
    const { taskId } = await create();
    const answer = calls[0]?.call.ask(form);
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
    const first = ask('tasks/result', { taskId });
    await clock.advance(0);
    expect(first.sent).toMatchObject([
      { ...form, params: { ...form.params, _meta: { 'io.modelcontextprotocol/related-task': { taskId } } } },
    ]);
    first.cancel();
    await clock.advance(0);
    expect(first.sent[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: first.sent[0]?.id },
    });
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
    const [second, third] = [ask('tasks/result', { taskId }), ask('tasks/result', { taskId })];
    await clock.advance(0);
    expect(second.sent.map(({ method }) => method)).toEqual(['elicitation/create', 'notifications/cancelled']);
    second.cancel();
    await clock.advance(0);
    expect(third.sent).toHaveLength(1);
    edge.answered(third.sent[0]?.id as string, { result: accepted });
    expect(await answer).toEqual({ result: accepted });
    expect(await get(taskId)).toMatchObject({ status: 'working' });
    calls[0]?.end(done);
    expect(await third.answer).toMatchObject({
      content: [{ text: 'done' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
  });

  it('a task of a client of 2025-11-25 asks only what the client takes', async () => {
    const { create, calls, get } = setUp({ elicitation: {} });
    const { taskId } = await create();
    expect(await calls[0]?.call.ask(sampling)).toMatchObject({ error: { code: -32601 } });
    expect(await get(taskId)).toMatchObject({ status: 'working' });
  });

  it('a task of a client of 2025-11-25 stays cancelled, and its call is given up', async () => {
    const { create, calls, ask, get, clock } = setUp();
    const { taskId } = await create();
    const waiting = ask('tasks/result', { taskId });
    expect(await ask('tasks/cancel', { taskId }).answer).toMatchObject({ taskId, status: 'cancelled' });
    expect(calls[0]?.call.signal.aborted).toBe(true);
    calls[0]?.end(done);
    await clock.advance(0);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await waiting.answer).toMatchObject({ error: { message: 'The task was cancelled.' } });
    expect(await ask('tasks/cancel', { taskId }).answer).toMatchObject({ error: { code: -32602 } });
  });

  it('a task of a client of 2025-11-25 is listed page by page, by cursors that are ours', async () => {
    const { create, ask } = setUp();
    const ids: string[] = [];
    for (let number = 0; number < 60; number++) ids.push((await create()).taskId);
    const first = (await ask('tasks/list').answer) as { tasks: { taskId: string }[]; nextCursor: string };
    const rest = (await ask('tasks/list', { cursor: first.nextCursor }).answer) as { tasks: { taskId: string }[] };
    expect([first, rest].flatMap(({ tasks }) => tasks.map(({ taskId }) => taskId))).toEqual(ids);
    expect(rest).not.toHaveProperty('nextCursor');
    for (const cursor of ['', 'x', 7])
      expect(await ask('tasks/list', { cursor }).answer).toMatchObject({ error: { code: -32602 } });
  });

  it.each(['2025-06-18', '2025-03-26', '2024-11-05'])(
    'a task of a client of 2025-11-25 does not exist in %s',
    async (version) => {
      const { call, calls, clock, ask } = setUp(everything, version);
      const { answer } = call({ task: {} });
      await clock.advance(0);
      expect(calls[0]?.call.task).toBeUndefined();
      expect(calls[0]?.call.params).toEqual({ name: 'ask' });
      calls[0]?.end(done);
      expect(await answer).toMatchObject({ content: [{ text: 'done' }] });
      expect(await ask('tasks/list').answer).toMatchObject({ error: { code: -32601 } });
    },
  );
});

describe('a task of a stateless client', () => {
  const takesTasks: JsonObject = { ...everything, extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const setUp = () => {
    const { calls, play, news } = createPlay();
    const setup = setUpModern(play);
    const ask = (method: string, params: JsonObject, principal = 'ann') =>
      setup.call({ method, params, principal, capabilities: takesTasks }).answer;
    const create = async (capabilities: JsonObject = takesTasks) => {
      const trip = setup.call({ capabilities });
      await setup.clock.advance(0);
      news();
      return { trip, task: (await trip.answer) as JsonObject & { taskId: string } };
    };
    return { ...setup, calls, news, ask, create };
  };

  it('a task of a stateless client is one when the server makes one of the call, and outlives its request', async () => {
    const { create, calls, ask, clock } = setUp();
    const { trip, task } = await create();
    expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: hour, pollIntervalMs: 1_000 });
    trip.cancel();
    calls[0]?.call.notify('notifications/progress', { progress: 1 });
    expect([calls[0]?.call.signal.aborted, trip.sent]).toEqual([false, []]);
    calls[0]?.end(done);
    await clock.advance(0);
    expect(await ask('tasks/get', { taskId: task.taskId })).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { content: [{ text: 'done' }] },
    });
  });

  it('a task of a stateless client is nobody else’s', async () => {
    const { create, ask } = setUp();
    const { task } = await create();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await ask(method, { taskId: task.taskId, inputResponses: {} }, 'bob')).toMatchObject({
        error: { code: -32602 },
      });
    expect(await ask('tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'working' });
  });

  it('a task of a stateless client is none for a request that does not take it', async () => {
    const { call, calls, clock, news } = setUp();
    const trip = call({ params: { task: {} } });
    await clock.advance(0);
    news();
    expect([trip.ended, calls[0]?.call.task, calls[0]?.call.params]).toEqual([undefined, undefined, { name: 'ask' }]);
    calls[0]?.end(done);
    expect(await trip.answer).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });

  it('a task of a stateless client asks by its state, each question under a key of its own', async () => {
    const { create, calls, ask } = setUp();
    const { taskId } = (await create()).task;
    const answers = [calls[0]?.call.ask(form), calls[0]?.call.ask(sampling)];
    expect(await ask('tasks/get', { taskId })).toMatchObject({
      status: 'input_required',
      inputRequests: { q1: form, q2: sampling },
    });
    const wrong = await ask('tasks/update', { taskId, inputResponses: { q1: 7 } });
    expect(wrong).toMatchObject({ error: { code: -32602 } });
    await ask('tasks/update', { taskId, inputResponses: { q1: accepted, q9: accepted, __proto__: accepted } });
    expect(await answers[0]).toEqual({ result: accepted });
    const third = calls[0]?.call.ask(form);
    const { inputRequests } = (await ask('tasks/get', { taskId })) as { inputRequests: JsonObject };
    expect(Object.keys(inputRequests)).toEqual(['q2', 'q3']);
    await ask('tasks/cancel', { taskId });
    for (const answer of [answers[1], third]) expect(await answer).toMatchObject({ error: {} });
  });

  it('a task of a stateless client fails when the server asks what its client did not declare, but for roots', async () => {
    const { create, calls, ask } = setUp();
    const { taskId } = (await create({ extensions: takesTasks.extensions as JsonObject })).task;
    expect(await calls[0]?.call.ask({ method: 'roots/list', params: {} })).toMatchObject({ error: {} });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    expect(await calls[0]?.call.ask(sampling)).toMatchObject({ error: {} });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'failed', error: { code: -32021 } });
    expect(calls[0]?.call.signal.aborted).toBe(true);
  });

  it('a task of a stateless client follows what was asked before it', async () => {
    const { call, calls, clock, news, ask } = setUp();
    const first = call({ capabilities: takesTasks });
    await clock.advance(0);
    const answer = calls[0]?.call.ask(form);
    news();
    await clock.advance(gathered);
    const { requestState } = (await first.answer) as { requestState: string };
    const params = { requestState, inputResponses: { q1: accepted } };
    const task = await call({ capabilities: takesTasks, params }).answer;
    expect(await answer).toEqual({ result: accepted });
    expect(task).toMatchObject({ resultType: 'task', status: 'working' });
    calls[0]?.end(tellAnswers());
    await clock.advance(0);
    expect(await ask('tasks/get', { taskId: task.taskId as string })).toMatchObject({ status: 'completed' });
  });

  it('a task of a stateless client follows also when what was asked has been taken back meanwhile', async () => {
    const { call, calls, clock, news } = setUp();
    const first = call({ capabilities: takesTasks });
    await clock.advance(0);
    const control = new AbortController();
    void calls[0]?.call.ask(form, control.signal);
    await clock.advance(gathered);
    const { requestState } = (await first.answer) as { requestState: string };
    news();
    control.abort();
    const params = { requestState, inputResponses: { q1: accepted } };
    expect(await call({ capabilities: takesTasks, params }).answer).toMatchObject({ resultType: 'task' });
  });

  it.each([
    ['an error', { error: rpcError(-32002, 'not there') }, { code: -32602 }],
    [
      'an address to open',
      { error: rpcError(-32042, 'Sign in.', { elicitations: [{ url: 'https://a.test/' }] }) },
      { code: -32603, message: expect.stringContaining('https://a.test/') },
    ],
    ['a question', { inputRequired: RawJson.of({ requestState: 's' }) }, { code: -32603 }],
  ])('a task of a stateless client fails with %s in words of its era', async (_case, outcome, error) => {
    const { create, calls, ask, clock } = setUp();
    const { taskId } = (await create()).task;
    calls[0]?.end(outcome);
    await clock.advance(0);
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'failed', error });
  });
});

describe('the tasks that are kept', () => {
  const limits = { ...taskLimits, tasks: 3, tasksPerPrincipal: 2 };
  const add = (store: ReturnType<typeof createTaskStore>, principal: string, onCancel = () => {}) =>
    store.add({ principal, onCancel });

  it('the tasks that are kept are so many for each principal and so many in all; what was fetched or cancelled makes room', () => {
    const store = createTaskStore(createFakeClock(), limits);
    const first = add(store, 'ann');
    expect([add(store, 'ann'), add(store, 'ann')]).toEqual([expect.anything(), undefined]);
    first?.finish(done);
    expect(add(store, 'ann')).toBeUndefined();
    if (first !== undefined) first.isFetched = true;
    expect(add(store, 'ann')).toBeDefined();
    expect(store.find(first?.id ?? '', 'ann')).toBeUndefined();
    const third = add(store, 'bob');
    expect([third, add(store, 'cat')]).toEqual([expect.anything(), undefined]);
    third?.cancel();
    expect(add(store, 'cat')).toBeDefined();
  });

  it('the tasks that are kept are cancelled and forgotten at the end of the service', () => {
    const store = createTaskStore(createFakeClock(), limits);
    let cancelled = 0;
    const task = add(store, 'ann', () => cancelled++);
    store.close();
    expect([cancelled, store.find(task?.id ?? '', 'ann'), add(store, 'ann')]).toEqual([1, undefined, undefined]);
  });
});
