import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/base/call/call.ts';
import type { TaskNews } from '../../../src/base/call/task.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildAskedCall, buildCall, type CallParts, createSession, startFake, timeoutMs } from '../fake-server.ts';

const capabilities = { tasks: { requests: { tools: { call: {} } } } };
const related = (taskId: string) => ({ _meta: { 'io.modelcontextprotocol/related-task': { taskId } } });
const form = { message: 'How many?', requestedSchema: { type: 'object' } };
const working = { taskId: 't1', status: 'working', createdAt: '1', lastUpdatedAt: '1', ttl: null };
const ok = { content: [{ type: 'text', text: 'ok' }] };

/** A call that a server of the handshake era has made a task of. */
async function beginLegacy(parts: CallParts = {}, task: JsonObject = {}) {
  const fake = startFake({ capabilities });
  const news: TaskNews[] = [];
  const { call, asked } = buildAskedCall({ task: {}, onTask: (each) => news.push(each), ...parts });
  const done = fake.connection.call(call);
  done.then(undefined, () => {});
  fake.answer(1, { task: { ...working, ...task } });
  await fake.settle();
  return {
    ...fake,
    done,
    news,
    asked,
    last: (method: string) => fake.requests().findLast((each) => each.method === method),
  };
}

describe('a call as a task at a server of the handshake era', () => {
  it('asks for a task and at once for its result, and ends as that does', async () => {
    const { requests, answer, done, last } = await beginLegacy({ task: { ttl: 5 } });
    expect(requests().map(({ method, params }) => [method, params])).toEqual([
      ['tools/call', { name: 'tool', task: { ttl: 5 } }],
      ['tasks/result', { taskId: 't1' }],
    ]);
    answer(last('tasks/result')?.id, { ...ok, _meta: { kept: 1, ...related('t1')._meta } });
    expect(await done).toMatchObject({ result: { value: { ...ok, _meta: { kept: 1 } } } });
    expect(await done).not.toMatchObject({ result: { value: related('t1') } });
  });

  it.each([
    ['does not offer tasks', {}, { task: {} }],
    ['offers other tasks', { tasks: { requests: {} } }, { task: {} }],
    ['was not to make one', capabilities, {}],
  ])('is a plain call when the server %s', async (_case, offered, parts) => {
    const { connection, requests, answer } = startFake({ capabilities: offered });
    const done = connection.call(buildCall(parts));
    expect(requests()).toMatchObject([{ params: { name: 'tool' } }]);
    expect(requests()[0]?.params).not.toHaveProperty('task');
    answer(1, { task: working });
    expect(await done).toMatchObject({ result: { value: { task: working } } });
    expect(requests()).toHaveLength(1);
  });

  it.each([
    [undefined, 1_000],
    [250, 250],
    [1, 100],
    [3_600_000, timeoutMs / 2],
    ['often', 1_000],
  ])('is asked how it is doing every so often: a poll interval of %j is %d ms', async (pollInterval, everyMs) => {
    const { clock, requests } = await beginLegacy({}, { pollInterval: pollInterval as number });
    const polls = () => requests().filter(({ method }) => method === 'tasks/get').length;
    await clock.advance(everyMs - 1);
    expect(polls()).toBe(0);
    await clock.advance(1);
    expect(polls()).toBe(1);
  });

  it('tells how it is doing, asked or unasked, also as progress, which only grows', async () => {
    const told: JsonObject[] = [];
    const { clock, answer, say, news, last } = await beginLegacy(
      { wantsProgress: true, notify: (_method, params) => told.push(params) },
      { statusMessage: 'begun' },
    );
    await clock.advance(1_000);
    answer(last('tasks/get')?.id, { ...working, statusMessage: 'half' });
    await clock.advance(0);
    say('notifications/progress', { progressToken: 1, progress: 5 });
    say('notifications/tasks/status', { ...working, statusMessage: 'more', pollInterval: 500 });
    say('notifications/tasks/status', { ...working, statusMessage: 'more', pollInterval: 500 });
    say('notifications/tasks/status', { ...working, taskId: 'other', statusMessage: 'of another' });
    await clock.advance(0);
    expect(news).toEqual([
      { statusMessage: 'begun', pollIntervalMs: 1_000 },
      { statusMessage: 'half', pollIntervalMs: 1_000 },
      { statusMessage: 'more', pollIntervalMs: 500 },
    ]);
    expect(told.map(({ message, progress }) => message ?? progress)).toEqual(['begun', 'half', 5, 'more']);
    const values = told.map(({ progress }) => Number(progress));
    for (const [index, value] of values.entries()) expect(value).toBeGreaterThan(values[index - 1] ?? 0);
  });

  it('hears progress from the answer that makes the task, in one breath with it, to its end', async () => {
    const told: JsonObject[] = [];
    const { connection, answer, say, settle } = startFake({ capabilities });
    const notify: Call['notify'] = (_method, params) => told.push(params);
    const done = connection.call(buildCall({ task: {}, wantsProgress: true, notify }));
    answer(1, { task: working });
    say('notifications/progress', { progressToken: 1, progress: 1 });
    await settle();
    say('notifications/progress', { progressToken: 1, progress: 2 });
    answer(2, ok);
    await done;
    say('notifications/progress', { progressToken: 1, progress: 3 });
    expect(told).toEqual([{ progress: 1 }, { progress: 2 }]);
  });

  it('has the questions that name its task, whoever else calls', async () => {
    const fake = startFake({ capabilities });
    const [ann, bob] = [
      buildAskedCall({ client: createSession('ann'), task: {} }),
      buildAskedCall({ client: createSession('bob'), task: {} }),
    ];
    void fake.connection.call(ann.call);
    void fake.connection.call(bob.call);
    fake.answer(1, { task: working });
    fake.answer(2, { task: { ...working, taskId: 't2' } });
    // In one breath with the answers.
    fake.ask('q1', 'elicitation/create', { ...form, ...related('t2') });
    await fake.settle();
    fake.ask('q2', 'elicitation/create', { ...form, ...related('t1') });
    fake.ask('q3', 'elicitation/create', { ...form, ...related('unknown') });
    await fake.clock.advance(1);
    expect([ann.asked.length, bob.asked.length]).toEqual([1, 1]);
    expect(bob.asked[0]?.question.params).toEqual(form);
    bob.asked[0]?.answer({ result: { action: 'decline' } });
    await fake.settle();
    expect(fake.answers('q1')).toMatchObject([{ result: { action: 'decline' } }]);
    expect(fake.answers('q3')).toMatchObject([{ error: {} }]);
  });

  it('is cancelled with its call, and what it asked is taken back', async () => {
    const control = new AbortController();
    const { done, ask, asked, last, settle, requests } = await beginLegacy({ signal: control.signal });
    ask('q', 'elicitation/create', { ...form, ...related('t1') });
    control.abort();
    expect(await done).toMatchObject({ error: { message: 'The call was cancelled.' } });
    expect(last('tasks/cancel')?.params).toEqual({ taskId: 't1' });
    expect(asked[0]?.signal?.aborted).toBe(true);
    await settle();
    expect(requests().filter(({ method }) => method === 'tasks/cancel')).toHaveLength(1);
  });

  it('has its time from the last sign of life', async () => {
    const { clock, answer, last, done } = await beginLegacy({}, { pollInterval: timeoutMs });
    const live = async (lastUpdatedAt: string, ms: number) => {
      await clock.advance(ms);
      answer(last('tasks/get')?.id, { ...working, lastUpdatedAt, pollInterval: timeoutMs });
    };
    await live('2', timeoutMs / 2);
    await live('3', timeoutMs / 2);
    await clock.advance(timeoutMs - 1);
    expect(last('tasks/cancel')).toBeUndefined();
    // The same as before is none.
    answer(last('tasks/get')?.id, { ...working, lastUpdatedAt: '3' });
    await clock.advance(1);
    await expect(done).rejects.toMatchObject({ code: 'WB1011' });
    expect(last('tasks/cancel')?.params).toEqual({ taskId: 't1' });
  });

  it('ends with the error of its result when it is over, and asks again when it is not', async () => {
    const { clock, refuse, answer, last, done, requests } = await beginLegacy();
    refuse(last('tasks/result')?.id, { code: -32602, message: 'not yet' });
    await clock.advance(0);
    answer(last('tasks/get')?.id, working);
    await clock.advance(1_000);
    expect(requests().filter(({ method }) => method === 'tasks/result')).toHaveLength(2);
    refuse(last('tasks/result')?.id, { code: -32000, message: 'broken' });
    await clock.advance(0);
    answer(last('tasks/get')?.id, { ...working, status: 'failed' });
    expect(await done).toEqual({ error: { code: -32000, message: 'broken' } });
  });

  it('is lost with the server', async () => {
    const { peer, done } = await beginLegacy();
    peer.fail(new Error('gone'));
    await expect(done).rejects.toMatchObject({ message: 'gone' });
  });
});

/** A call that a server of the stateless era has made a task of. */
async function beginModern(parts: CallParts = {}, task: JsonObject = {}) {
  const fake = startFake({ era: 'modern' });
  const news: TaskNews[] = [];
  const capable = { elicitation: { form: {} } };
  const { call, asked } = buildAskedCall({ capabilities: capable, onTask: (each) => news.push(each), ...parts });
  const done = fake.connection.call(call);
  done.then(undefined, () => {});
  fake.answer(1, { resultType: 'task', ...working, ...task });
  await fake.settle();
  const last = (method: string) => fake.requests().findLast((each) => each.method === method);
  return {
    ...fake,
    done,
    news,
    asked,
    last,
    /** The next time it is asked for, it says this. */
    async polled(said: JsonObject) {
      await fake.clock.advance(1_000);
      fake.answer(last('tasks/get')?.id, { resultType: 'complete', ...working, ...said });
      await fake.settle();
    },
  };
}

describe('a call as a task at a server of the stateless era', () => {
  it('is asked for until it is completed, by requests that declare the extension', async () => {
    const { polled, done, requests, news } = await beginModern({}, { pollIntervalMs: 1_000, statusMessage: 'a' });
    await polled({ statusMessage: 'b' });
    await polled({ status: 'completed', result: { ...ok, resultType: 'complete' } });
    expect(await done).toMatchObject({ result: { value: ok } });
    expect(requests().map(({ method }) => method)).toEqual(['tools/call', 'tasks/get', 'tasks/get']);
    for (const { params } of requests())
      expect((params as JsonObject)._meta).toMatchObject({
        'io.modelcontextprotocol/clientCapabilities': {
          elicitation: { form: {} },
          extensions: { 'io.modelcontextprotocol/tasks': {} },
        },
      });
    expect(news.map(({ statusMessage }) => statusMessage)).toEqual(['a', 'b', undefined]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['an error', { status: 'failed', error: { code: -5, message: 'm', data: 1 } }, { code: -5, message: 'm', data: 1 }],
    ['a fault without words', { status: 'failed' }, { code: -32603 }],
    [
      'its cancellation',
      { status: 'cancelled', statusMessage: 'why' },
      { message: 'The server cancelled the task: why' },
    ],
    ['no result', { status: 'completed' }, { message: expect.stringContaining('without a result') as never }],
    [
      'what is no end',
      { status: 'completed', result: { resultType: 'input_required', requestState: 's' } },
      { message: expect.stringContaining('without a result') as never },
    ],
  ])('ends in an error with %s', async (_case, said, error) => {
    const { polled, done } = await beginModern();
    await polled(said);
    expect(await done).toMatchObject({ error });
  });

  it('asks each question once, and gives the answers together', async () => {
    const { polled, asked, last, requests, done, answer } = await beginModern();
    const question = { method: 'elicitation/create', params: form };
    const inputRequests = { a: question, b: question };
    await polled({ status: 'input_required', inputRequests });
    await polled({ status: 'input_required', inputRequests });
    expect(asked.map((each) => each.question)).toEqual([question, question]);
    asked[1]?.answer({ result: { action: 'decline' } });
    expect(last('tasks/update')).toBeUndefined();
    asked[0]?.answer({ result: { action: 'cancel' } });
    await polled({ status: 'input_required', inputRequests });
    expect(last('tasks/update')?.params).toMatchObject({
      taskId: 't1',
      inputResponses: { a: { action: 'cancel' }, b: { action: 'decline' } },
    });
    answer(last('tasks/update')?.id, { resultType: 'complete' });
    await polled({ status: 'input_required', inputRequests: { ...inputRequests, c: question } });
    expect(asked).toHaveLength(3);
    await polled({ status: 'completed', result: ok });
    expect(await done).toMatchObject({ result: {} });
    expect(asked[2]?.signal?.aborted).toBe(true);
    expect(requests().filter(({ method }) => method === 'tasks/update')).toHaveLength(1);
  });

  it.each([
    ['a question is not answered', { method: 'elicitation/create', params: form }, 'was not answered: no'],
    ['a question is against the rules', { method: 'roots/list' }, 'against the rules'],
  ])('is cancelled when %s', async (_case, question, message) => {
    const { polled, asked, done, last } = await beginModern();
    await polled({ status: 'input_required', inputRequests: { a: question } });
    asked[0]?.answer({ error: { code: 1, message: 'no' } });
    expect(await done).toMatchObject({ error: { message: expect.stringContaining(message) } });
    expect(last('tasks/cancel')?.params).toMatchObject({ taskId: 't1' });
  });

  it('is cancelled with its call', async () => {
    const control = new AbortController();
    const { done, last } = await beginModern({ signal: control.signal });
    control.abort();
    expect(await done).toMatchObject({ error: { message: 'The call was cancelled.' } });
    expect(last('tasks/cancel')?.params).toMatchObject({ taskId: 't1' });
  });

  it('is over when the server does not know it any more, and lost with the server at once', async () => {
    const first = await beginModern();
    await first.clock.advance(1_000);
    first.refuse(first.last('tasks/get')?.id, { code: -32602, message: 'Task not found' });
    expect(await first.done).toMatchObject({ error: { message: 'Task not found' } });
    const second = await beginModern({}, { pollIntervalMs: 60_000 });
    second.peer.fail(new Error('gone'));
    await expect(second.done).rejects.toMatchObject({ message: 'gone' });
  });
});
