import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Answer } from '../../src/base/question.ts';
import { buildAskedCall, createSession, startFake, timeoutMs } from './fake-server.ts';

const accepted: Answer = { result: { action: 'accept', content: { n: 1 } } };
const form = { message: 'How many?', requestedSchema: { type: 'object' } };

describe('a question of a server of the handshake era', () => {
  it('reaches the client whose call is under way, cleaned, and its answer the server', async () => {
    const { connection, ask, answer, answers, settle } = startFake();
    const { call, asked } = buildAskedCall();
    const done = connection.call(call);
    ask('q', 'elicitation/create', { ...form, task: {}, _meta: { progressToken: 1 } });
    expect(asked.map(({ question }) => question)).toEqual([{ method: 'elicitation/create', params: form }]);
    asked[0]?.answer(accepted);
    await settle();
    expect(answers('q')).toEqual([{ jsonrpc: '2.0', id: 'q', ...accepted }]);
    answer(1, { content: [] });
    expect(await done).toMatchObject({ result: { value: { content: [] } } });
  });

  it('on a stream belongs to the call of that stream, whoever else calls', async () => {
    const { connection, ask } = startFake();
    const [ann, bob] = [
      buildAskedCall({ client: createSession('ann') }),
      buildAskedCall({ client: createSession('bob') }),
    ];
    void connection.call(ann.call);
    void connection.call(bob.call);
    ask('q', 'roots/list', {}, 1);
    expect([ann.asked.length, bob.asked.length]).toEqual([1, 0]);
  });

  it('on the stream of a call that is over is refused', async () => {
    const { connection, ask, answer, answers, settle } = startFake();
    const [first, second] = [buildAskedCall(), buildAskedCall()];
    void connection.call(first.call);
    void connection.call(second.call);
    answer(1, {});
    await settle();
    ask('q', 'roots/list', {}, 1);
    await settle();
    expect(answers('q')).toMatchObject([{ error: { code: -32602 } }]);
    expect(second.asked).toEqual([]);
  });

  it('is refused when several clients have used the server, even long ago, and that is told', async () => {
    const { connection, ask, answer, answers, uncertain, settle } = startFake();
    void connection.call(buildAskedCall({ client: createSession('ann') }).call);
    answer(1, {});
    const bob = buildAskedCall({ client: createSession('bob') });
    void connection.call(bob.call);
    ask('q', 'elicitation/create', form);
    await settle();
    expect(answers('q')).toMatchObject([{ error: { code: -32603, message: expect.stringContaining('call again') } }]);
    expect(bob.asked).toEqual([]);
    expect(uncertain).toEqual([{ method: 'elicitation/create', params: form }]);
  });

  it('reaches its client all the same when the connection is known to be for one only', async () => {
    const { connection, ask, answer, uncertain } = startFake({ questions: { isExclusive: () => true } });
    void connection.call(buildAskedCall({ client: { name: 'a', principal: '' } }).call);
    answer(1, {});
    await Promise.resolve();
    const later = buildAskedCall({ client: { name: 'a', principal: '' } });
    void connection.call(later.call);
    ask('q', 'elicitation/create', form);
    expect([later.asked.length, uncertain.length]).toEqual([1, 0]);
  });

  it('goes to the call begun last when a session has several, and to none without a session', async () => {
    const { connection, ask, answers, settle } = startFake();
    const client = createSession('ann');
    const [first, last] = [buildAskedCall({ client }), buildAskedCall({ client })];
    void connection.call(first.call);
    void connection.call(last.call);
    ask('q', 'roots/list');
    expect([first.asked.length, last.asked.length]).toEqual([0, 1]);

    const other = startFake();
    void other.connection.call(buildAskedCall().call);
    void other.connection.call(buildAskedCall().call);
    other.ask('q', 'roots/list');
    await Promise.all([settle(), other.settle()]);
    expect(other.answers('q')).toMatchObject([{ error: { code: -32603 } }]);
    expect(answers('q')).toEqual([]);
  });

  it('is put again, to the other call of the session, when the one it went with ends before it is answered', async () => {
    const { connection, ask, answer, answers, settle } = startFake();
    const client = createSession('ann');
    const [asking, working] = [buildAskedCall({ client }), buildAskedCall({ client })];
    void connection.call(asking.call);
    void connection.call(working.call);
    ask('q', 'elicitation/create', form);
    answer(2, {});
    await settle();
    expect([working.asked.length, asking.asked.length, answers('q')]).toEqual([1, 1, []]);
    asking.asked[0]?.answer(accepted);
    await settle();
    expect(answers('q')).toEqual([{ jsonrpc: '2.0', id: 'q', ...accepted }]);
  });

  it('ends with the last call it could belong to', async () => {
    const { connection, ask, answer, answers, settle } = startFake();
    const client = createSession('ann');
    const calls = [buildAskedCall({ client }), buildAskedCall({ client })];
    for (const { call } of calls) void connection.call(call);
    ask('q', 'elicitation/create', form);
    const later = buildAskedCall({ client });
    void connection.call(later.call);
    answer(2, {});
    answer(1, {});
    await settle();
    expect(answers('q')).toMatchObject([{ error: { message: expect.stringContaining('has ended') } }]);
    expect(later.asked).toEqual([]);
  });

  it('about roots does not go with a call that happens to be under way when one client has the connection to itself', async () => {
    const background = async () => ({ result: { roots: [] } });
    const { connection, ask, answers, settle } = startFake({ questions: { isExclusive: () => true, background } });
    const { call, asked } = buildAskedCall({ client: createSession('ann') });
    void connection.call(call);
    ask('q', 'roots/list');
    await settle();
    expect(asked).toEqual([]);
    expect(answers('q')).toMatchObject([{ result: { roots: [] } }]);
  });

  it('outside of a call is asked in the background, or refused where that is not possible', async () => {
    const free = startFake({ questions: { background: async ({ method }) => ({ result: { method } }) } });
    const bound = startFake();
    for (const { ask, settle } of [free, bound]) {
      ask('q', 'roots/list');
      await settle();
    }
    expect(free.answers('q')).toMatchObject([{ result: { method: 'roots/list' } }]);
    expect(bound.answers('q')).toMatchObject([
      { error: { code: -32602, message: expect.stringContaining('outside') } },
    ]);
  });

  it.each<[string, Json, number]>([
    ['tools/list', {}, -32601],
    ['roots/list', [], -32602],
  ])('is refused when it is none: %s with %j', async (method, params, code) => {
    const { connection, ask, answers, settle } = startFake();
    const { call, asked } = buildAskedCall();
    void connection.call(call);
    ask('q', method, params);
    await settle();
    expect(answers('q')).toMatchObject([{ error: { code } }]);
    expect(asked).toEqual([]);
  });

  it('is answered with an error when its call ends first, and is taken back from the client', async () => {
    const { connection, ask, answer, answers, settle } = startFake();
    const { call, asked } = buildAskedCall();
    void connection.call(call);
    ask('q', 'elicitation/create', form);
    answer(1, {});
    await settle();
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(answers('q')).toMatchObject([{ error: { code: -32603 } }]);
    asked[0]?.answer(accepted);
    await settle();
    expect(answers('q')).toHaveLength(1);
  });

  it('is answered with an error when the client cancels the call', async () => {
    const { connection, ask, sent, answers, settle } = startFake();
    const control = new AbortController();
    const { call, asked } = buildAskedCall({ signal: control.signal });
    const done = connection.call(call);
    ask('q', 'elicitation/create', form);
    control.abort();
    await settle();
    expect(await done).toHaveProperty('error');
    expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(1);
    expect(answers('q')).toMatchObject([{ error: { code: -32603 } }]);
    expect(asked[0]?.signal?.aborted).toBe(true);
  });

  it('that the server takes back is taken back from the client, and the call goes on', async () => {
    const { connection, ask, say, answer, answers, settle } = startFake();
    const { call, asked } = buildAskedCall();
    const done = connection.call(call);
    ask('q', 'elicitation/create', form);
    say('notifications/cancelled', { requestId: 'q' });
    await settle();
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(answers('q')).toEqual([]);
    answer(1, { fine: true });
    expect(await done).toHaveProperty('result');
  });

  it('stops the time limit of its call until it is answered', async () => {
    const { connection, clock, ask } = startFake();
    const { call, asked } = buildAskedCall();
    const done = connection.call(call).then(undefined, (error: unknown) => error);
    await clock.advance(timeoutMs - 1);
    ask('q', 'elicitation/create', form);
    await clock.advance(timeoutMs * 100);
    asked[0]?.answer(accepted);
    await clock.advance(0);
    await expect(Promise.race([done, Promise.resolve('under way')])).resolves.toBe('under way');
    await clock.advance(1);
    expect(await done).toMatchObject({ code: 'WB1011' });
  });
});

describe('a call', () => {
  it('is over with its answer: no time limit is told to the server afterwards', async () => {
    const { connection, clock, answer, sent } = startFake();
    const done = connection.call(buildAskedCall().call);
    answer(1, {});
    await done;
    await clock.advance(timeoutMs * 2);
    expect(sent).toHaveLength(1);
  });

  it('has its whole time again after every sign of progress, even one that is not told', async () => {
    const { connection, clock, say } = startFake();
    const done = connection
      .call(buildAskedCall({ wantsProgress: true }).call)
      .then(undefined, (error: unknown) => error);
    for (const progress of [1, 1]) {
      await clock.advance(timeoutMs - 1);
      say('notifications/progress', { progressToken: 1, progress });
    }
    await clock.advance(timeoutMs - 1);
    await expect(Promise.race([done, Promise.resolve('under way')])).resolves.toBe('under way');
    await clock.advance(1);
    expect(await done).toMatchObject({ code: 'WB1011' });
  });

  it('that is cancelled before it is sent is not sent, and its client does not count as one that called', async () => {
    const { connection, ask, sent } = startFake();
    const gone = buildAskedCall({ client: createSession('ann'), signal: AbortSignal.abort() });
    expect(await connection.call(gone.call)).toHaveProperty('error');
    expect(sent).toEqual([]);
    const { call, asked } = buildAskedCall({ client: createSession('bob') });
    void connection.call(call);
    ask('q', 'roots/list');
    expect(asked).toHaveLength(1);
  });
});

describe('what a server of the handshake era says besides', () => {
  it('that something at an address is complete goes to the client that was sent there by a question', async () => {
    const { connection, ask, say } = startFake();
    const client = createSession('ann');
    void connection.call(buildAskedCall({ client }).call);
    ask('q', 'elicitation/create', { mode: 'url', url: 'https://a', elicitationId: 'e1', message: 'm' });
    say('notifications/elicitation/complete', { elicitationId: 'unknown' });
    say('notifications/elicitation/complete', { elicitationId: 'e1', more: 1 });
    say('notifications/elicitation/complete', {});
    expect(client.told).toEqual([['notifications/elicitation/complete', { elicitationId: 'e1' }]]);
  });

  it('or by a refusal, which is passed on as it is', async () => {
    const { connection, refuse, say } = startFake();
    const [ann, bob] = [createSession('ann'), createSession('bob')];
    const calls = [ann, bob].map((client) => connection.call(buildAskedCall({ client }).call));
    const error = {
      code: -32042,
      message: 'open it',
      data: { elicitations: [{ elicitationId: 'e2', url: 'https://a' }] },
    };
    refuse(2, error);
    expect(await calls[1]).toEqual({ error });
    say('notifications/elicitation/complete', { elicitationId: 'e2' });
    expect([ann.told.length, bob.told.length]).toEqual([0, 1]);
  });

  it('in the log reaches a call only as long as nobody else has called', async () => {
    const { connection, answer, say, logged } = startFake();
    const heard: string[] = [];
    const ofClient = (name: string) =>
      buildAskedCall({ client: createSession(name), logLevel: 'debug', notify: () => heard.push(name) }).call;
    const message = { level: 'info', data: 'x' };
    const first = connection.call(ofClient('ann'));
    say('notifications/message', message);
    answer(1, {});
    await first;
    const second = connection.call(ofClient('bob'));
    say('notifications/message', message);
    say('notifications/message', message, 2);
    answer(2, {});
    await second;
    say('notifications/message', message);
    expect(heard).toEqual(['ann', 'bob']);
    expect(logged).toEqual([]);
  });

  it.each<[string, Json, number]>([
    ['was promised to hear of roots', { roots: { listChanged: true } }, 1],
    ['was not', { roots: {} }, 0],
    ['was not told of any', {}, 0],
  ])('nothing, but is told of new roots when it %s', (_case, declared, times) => {
    const { connection, sent } = startFake({ declared: declared as never });
    connection.rootsChanged();
    expect(sent.filter(({ method }) => method === 'notifications/roots/list_changed')).toHaveLength(times);
  });

  it('and it is never sent the answers of a round', async () => {
    const { connection, requests, settle } = startFake();
    void connection.call(buildAskedCall({ round: { inputResponses: { a: {} } }, capabilities: { roots: {} } }).call);
    await settle();
    expect(requests().map(({ params }) => params)).toEqual([{ name: 'tool' }]);
  });

  it('and a state, which it cannot have given, does not make its call a second time', async () => {
    const { connection, requests } = startFake();
    const outcome = await connection.call(buildAskedCall({ round: { requestState: 's' } }).call);
    expect(outcome).toMatchObject({ error: { code: -32602, data: { code: 'WB1806', reason: 'invalid' } } });
    expect(requests()).toEqual([]);
  });
});
