import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/base/call/question.ts';
import type { Json } from '../../../src/base/json/json.ts';
import { buildAskedCall, createSession, startFake, timeoutMs } from '../fake-server.ts';

const accepted: Answer = { result: { action: 'accept', content: { n: 1 } } };
const form = { message: 'How many?', requestedSchema: { type: 'object' } };
const able = { elicitation: { form: {} } };

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

  it('belongs to the only call that is open, however many clients are connected', async () => {
    const { connection, ask, answer, needs } = startFake();
    void connection.call(buildAskedCall({ client: createSession('ann') }).call);
    answer(1, {});
    const bob = buildAskedCall({ client: createSession('bob'), capabilities: able });
    void connection.call(bob.call);
    ask('q', 'elicitation/create', form);
    expect(bob.asked).toHaveLength(1);
    expect(needs).toEqual([]);
  });

  it('is refused while several clients have calls open, and it is told that each needs a server of its own', async () => {
    const { connection, ask, answers, needs, settle } = startFake();
    const [ann, bob] = ['ann', 'bob'].map((name) => buildAskedCall({ client: createSession(name) }));
    for (const each of [ann, bob]) void connection.call(each?.call as never);
    ask('q', 'elicitation/create', form);
    await settle();
    expect(answers('q')).toMatchObject([{ error: { code: -32603, message: expect.stringContaining('call again') } }]);
    expect([ann?.asked, bob?.asked]).toEqual([[], []]);
    expect(needs).toEqual(['apart']);
  });

  it('is refused for a while after another client has given up its call: the server may still work on that', async () => {
    const { connection, clock, ask, answers, settle } = startFake();
    const gone = new AbortController();
    const ann = buildAskedCall({ client: createSession('ann'), signal: gone.signal });
    const bob = buildAskedCall({ client: createSession('bob'), capabilities: able });
    for (const { call } of [ann, bob]) void connection.call(call);
    gone.abort();
    ask('early', 'elicitation/create', form);
    await settle();
    expect(answers('early')).toMatchObject([{ error: { code: -32603 } }]);
    await clock.advance(10_000);
    ask('late', 'elicitation/create', form);
    expect(bob.asked).toHaveLength(1);
  });

  it('belongs to one client over however many connections, when it has no session and says the same of itself', async () => {
    const { connection, ask } = startFake();
    const requests = [1, 2].map(() =>
      buildAskedCall({ client: { name: 'a', version: '1', principal: 'p' }, capabilities: able }),
    );
    for (const { call } of requests) void connection.call(call);
    ask('q', 'elicitation/create', form);
    expect(requests.map(({ asked }) => asked.length)).toEqual([0, 1]);
  });

  it.each([
    ['another name', { name: 'b', version: '1', principal: 'p' }],
    ['another version', { name: 'a', version: '2', principal: 'p' }],
    ['somebody else behind it', { name: 'a', version: '1', principal: 'q' }],
  ])('does not belong to one client when one of two without sessions has %s', async (_case, other) => {
    const { connection, ask, answers, settle } = startFake();
    for (const client of [{ name: 'a', version: '1', principal: 'p' }, other])
      void connection.call(buildAskedCall({ client }).call);
    ask('q', 'elicitation/create', form);
    await settle();
    expect(answers('q')).toMatchObject([{ error: { code: -32603 } }]);
  });

  it('goes to a call that says it can be asked, before one that was begun later and does not', async () => {
    const { connection, ask, needs } = startFake();
    const [can, cannot] = [buildAskedCall({ capabilities: able }), buildAskedCall()];
    for (const { call } of [can, cannot]) void connection.call(call);
    ask('q', 'elicitation/create', form);
    expect([can.asked.length, cannot.asked.length, needs]).toEqual([1, 0, []]);
  });

  it('that its client cannot be asked shows that the server needs one for each, which is told the truth', async () => {
    const { connection, ask, needs } = startFake();
    void connection.call(buildAskedCall().call);
    ask('q', 'elicitation/create', form);
    expect(needs).toEqual(['apart']);
  });

  it('goes to the call begun last when a client has several', async () => {
    const { connection, ask } = startFake();
    const client = createSession('ann');
    const [first, last] = [buildAskedCall({ client }), buildAskedCall({ client })];
    void connection.call(first.call);
    void connection.call(last.call);
    ask('q', 'elicitation/create', form);
    expect([first.asked.length, last.asked.length]).toEqual([0, 1]);
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

  it('about roots is put again outside of any call when the one it went with ends before it is answered', async () => {
    const { connection, ask, answer, answers, needs, settle } = startFake();
    const client = createSession('ann');
    const { call, asked } = buildAskedCall({ client });
    void connection.call(call);
    ask('q', 'roots/list');
    expect([asked.length, client.asked.length]).toEqual([1, 0]);
    answer(1, {});
    await settle();
    expect(client.asked).toHaveLength(1);
    client.asked[0]?.answer({ result: { roots: [] } });
    await settle();
    expect(answers('q')).toMatchObject([{ result: { roots: [] } }]);
    expect(needs).toContain('roots');
  });

  it('outside of a call belongs to the only client that has called and is still connected', async () => {
    const { connection, ask, answer, answers, settle } = startFake();
    const [ann, bob] = [createSession('ann'), createSession('bob')];
    for (const [at, client] of [ann, bob].entries()) {
      void connection.call(buildAskedCall({ client }).call);
      answer(at + 1, {});
    }
    ask('two', 'elicitation/create', form);
    await settle();
    expect(answers('two')).toMatchObject([{ error: { code: -32603 } }]);
    ann.leave();
    ask('one', 'elicitation/create', form);
    bob.asked[0]?.answer(accepted);
    await settle();
    expect(answers('one')).toMatchObject([accepted]);
  });

  it('outside of a call belongs to the only connected client when nobody has called, or is refused', async () => {
    const ann = createSession('ann');
    const free = startFake({ company: { connected: () => [ann] } });
    const several = startFake({ company: { connected: () => [ann, createSession('bob')] } });
    const bound = startFake();
    for (const { ask, settle } of [free, several, bound]) {
      ask('q', 'elicitation/create', form);
      await settle();
    }
    expect(ann.asked).toHaveLength(1);
    expect(several.answers('q')).toMatchObject([{ error: { code: -32603 } }]);
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
    ask('q', 'elicitation/create', form);
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

  it('in the log belongs to the only open call, and to the client on whose stream it comes', async () => {
    const { connection, answer, say, needs } = startFake();
    const heard: string[] = [];
    const ofClient = (name: string) =>
      buildAskedCall({ client: createSession(name), logLevel: 'debug', notify: () => heard.push(name) }).call;
    const message = { level: 'info', data: 'x' };
    const first = connection.call(ofClient('ann'));
    say('notifications/message', message);
    answer(1, {});
    await first;
    void connection.call(ofClient('bob'));
    say('notifications/message', message);
    void connection.call(ofClient('ann'));
    say('notifications/message', message, 2);
    expect([heard, needs]).toEqual([['ann', 'bob', 'bob'], []]);
    say('notifications/message', message);
    expect([heard.length, needs]).toEqual([3, ['apart']]);
  });

  it('in the log outside of a call reaches the only client that is still connected, down to its level', async () => {
    const { connection, answer, say, needs } = startFake();
    const [ann, bob] = [createSession('ann', 'debug'), createSession('bob', 'warning')];
    for (const [at, client] of [ann, bob].entries()) {
      void connection.call(buildAskedCall({ client }).call);
      answer(at + 1, {});
    }
    say('notifications/message', { level: 'info', data: 'anybody' });
    expect([ann.told, bob.told, needs]).toEqual([[], [], ['apart']]);
    ann.leave();
    for (const level of ['info', 'error']) say('notifications/message', { level, data: 'of Bob' });
    expect(ann.told).toEqual([]);
    expect(bob.told).toEqual([['notifications/message', { level: 'error', data: 'of Bob', logger: 'files' }]]);
  });

  it('in the log that nobody wants to hear shows nothing', async () => {
    const { connection, say, needs } = startFake();
    for (const name of ['ann', 'bob']) void connection.call(buildAskedCall({ client: createSession(name) }).call);
    say('notifications/message', { level: 'info', data: 'x' });
    expect(needs).toEqual([]);
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
