import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/base/call/call.ts';
import type { Answer, Question } from '../../../src/base/call/question.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { rpcCode } from '../../../src/base/rpc/rpc.ts';
import { parkLimits } from '../../../src/serve/modern/parked-calls.ts';
import {
  at,
  done,
  everything,
  form,
  gathered,
  type ModernSent,
  type ModernSetup,
  roots,
  sampling,
  samplingWithTools,
  setUpModern,
  tellAnswers,
  url,
} from '../support.ts';

const asks = (...questions: Question[]) => {
  return async (call: Call) => tellAnswers(...(await Promise.all(questions.map((each) => call.ask(each)))));
};
const accept = (name = 'Ann') => ({ action: 'accept', content: { name } });
const answersOf = (result: JsonObject) => at(result, 'structuredContent', 'answers') as unknown as Answer[];
const keysOf = (result: JsonObject) => Object.keys((at(result, 'inputRequests') ?? {}) as JsonObject);

/** Calls and waits for the questions. */
async function untilAsked({ call, clock }: ModernSetup, sent: ModernSent = {}): Promise<JsonObject> {
  const { answer } = call(sent);
  await clock.advance(gathered);
  const result = await answer;
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  return result;
}

/** The next round of a call: what the client says to what it was asked. */
function reply(asked: JsonObject, inputResponses: JsonObject, { params, ...sent }: ModernSent = {}): ModernSent {
  return { ...sent, params: { ...params, inputResponses, requestState: asked.requestState as string } };
}

describe('a question to a stateless client', () => {
  it('a question to a stateless client ends its request, and the next request brings the answer to the call that still runs', async () => {
    const setup = setUpModern(asks(form));
    const asked = await untilAsked(setup);
    expect(asked).toEqual({
      resultType: 'input_required',
      inputRequests: { q1: form },
      requestState: expect.stringMatching(/^wb1\./),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'workbench', version: '1.0.0' } },
    });
    expect(setup.front.calls).toHaveLength(1);
    expect(setup.front.calls[0]).toMatchObject({ features: { takesQuestions: true, capabilities: everything } });
    const result = await setup.call(reply(asked, { q1: accept() })).answer;
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(answersOf(result)).toEqual([{ result: accept() }]);
    expect(setup.front.calls).toHaveLength(1);
  });

  it.each(['tools/call', 'prompts/get', 'resources/read'])(
    'a question to a stateless client can be asked during %s',
    async (method) => {
      const setup = setUpModern(asks(form));
      const asked = await untilAsked(setup, { method });
      expect(asked).not.toHaveProperty('ttlMs');
      expect(await setup.call(reply(asked, { q1: accept() }, { method })).answer).toMatchObject({
        resultType: 'complete',
      });
    },
  );

  it('a question to a stateless client cannot be asked during a completion, and nothing waits for it', async () => {
    const setup = setUpModern(asks(form));
    const params = { ref: {}, argument: {} };
    const result = await setup.call({ method: 'completion/complete', params }).answer;
    expect(answersOf(result)).toMatchObject([{ error: { code: rpcCode.invalidParams } }]);
    expect(setup.front.calls[0]).toMatchObject({ features: { takesQuestions: false } });
  });

  it('a question to a stateless client waits a moment for others, so that they travel together', async () => {
    const setup = setUpModern(async (call) => {
      const first = call.ask(form);
      await new Promise<void>((resolve) => setup.clock.after(gathered - 1, resolve));
      return tellAnswers(...(await Promise.all([first, call.ask(roots)])));
    });
    const asked = await untilAsked(setup);
    expect(asked.inputRequests).toEqual({ q1: form, q2: roots });
    const result = await setup.call(reply(asked, { q2: { roots: [] }, q1: accept() })).answer;
    expect(answersOf(result)).toEqual([{ result: accept() }, { result: { roots: [] } }]);
  });

  it('a question to a stateless client can follow another, under a new key and a new state each time', async () => {
    const setup = setUpModern(async (call) => {
      const first = await call.ask(form);
      const second = await call.ask(form);
      return tellAnswers(first, second, await call.ask(sampling));
    });
    const states: unknown[] = [];
    let asked = await untilAsked(setup);
    for (const [key, name] of [
      ['q1', 'Ann'],
      ['q2', 'Bob'],
    ] as const) {
      states.push(asked.requestState);
      expect(keysOf(asked)).toEqual([key]);
      asked = await untilAsked(setup, reply(asked, { [key]: accept(name) }));
    }
    states.push(asked.requestState);
    expect(new Set(states).size).toBe(3);
    const result = await setup.call(reply(asked, { q3: { role: 'assistant' } })).answer;
    expect(answersOf(result)).toEqual([
      { result: accept('Ann') },
      { result: accept('Bob') },
      { result: { role: 'assistant' } },
    ]);
  });

  it('a question to a stateless client that is left out is asked again, and what nobody asked is ignored', async () => {
    const setup = setUpModern(asks(form, roots));
    const asked = await untilAsked(setup);
    const again = await untilAsked(setup, reply(asked, { q2: { roots: [] }, q3: accept('Eve'), other: {} }));
    expect(again.inputRequests).toEqual({ q1: form });
    expect(again.requestState).not.toBe(asked.requestState);
    const third = await untilAsked(setup, reply(again, {}));
    const result = await setup.call(reply(third, { q1: accept() })).answer;
    expect(answersOf(result)).toEqual([{ result: accept() }, { result: { roots: [] } }]);
  });

  it.each([null, 7, 'yes', [], { q1: 'yes' }, { q1: null }, { q1: [] }])(
    'a question to a stateless client is not answered by %j, and can still be',
    async (inputResponses) => {
      const setup = setUpModern(asks(form));
      const asked = await untilAsked(setup);
      const wrong = setup.call(reply(asked, inputResponses as JsonObject));
      expect(await wrong.answer).toMatchObject({ error: { code: rpcCode.invalidParams } });
      expect(await setup.call(reply(asked, { q1: accept() })).answer).toMatchObject({ resultType: 'complete' });
    },
  );

  it('a question to a stateless client to open an address has no id in this era', async () => {
    const asked = await untilAsked(setUpModern(asks(url)));
    expect(at(asked, 'inputRequests', 'q1', 'params')).toEqual({
      mode: 'url',
      message: 'Sign in',
      url: 'https://example.test/in',
    });
  });

  it('a question to a stateless client that comes while the client is away is put when it is there again', async () => {
    let call: Call | undefined;
    const setup = setUpModern(async (each) => {
      call = each;
      const first = each.ask(form);
      await first;
      return tellAnswers(await first, await (late as Promise<Answer>));
    });
    let late: Promise<Answer> | undefined;
    const asked = await untilAsked(setup);
    late = (call as Call).ask(roots);
    // Nobody has seen the second one yet, so nobody can have answered it.
    const again = await untilAsked(setup, reply(asked, { q1: accept(), q2: accept('Eve') }));
    expect(again.inputRequests).toEqual({ q2: roots });
    const result = await setup.call(reply(again, { q2: { roots: [] } })).answer;
    expect(answersOf(result)).toEqual([{ result: accept() }, { result: { roots: [] } }]);
  });

  it.each([
    ['before it is put', gathered - 1],
    ['while the client is away', gathered],
  ])('a question to a stateless client can be taken back by the server %s', async (_, after) => {
    const control = new AbortController();
    const setup = setUpModern(async (call) => tellAnswers(await call.ask(form, control.signal)));
    const first = setup.call();
    await setup.clock.advance(after);
    control.abort();
    await setup.clock.advance(gathered);
    const asked = await first.answer;
    const result = after === gathered ? await setup.call(reply(asked, { q1: accept() })).answer : asked;
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(answersOf(result)).toMatchObject([{ error: { message: 'The question was taken back.' } }]);
  });

  it('a question to a stateless client is not even put when it was taken back before', async () => {
    const setup = setUpModern(async (call) => tellAnswers(await call.ask(form, AbortSignal.abort())));
    expect(await setup.call().answer).toMatchObject({ resultType: 'complete' });
  });

  it('a question to a stateless client can be outlived by its call: what came of that waits for the client', async () => {
    let finish = () => {};
    const setup = setUpModern(async (call) => {
      void call.ask(form);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return done;
    });
    const asked = await untilAsked(setup);
    finish();
    await setup.clock.advance(1);
    expect(await setup.call(reply(asked, { q1: accept() })).answer).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('a question to a stateless client is forgotten when the call ends at once', async () => {
    let answer: Promise<Answer> | undefined;
    const setup = setUpModern(async (call) => {
      answer = call.ask(form);
      return done;
    });
    expect(await setup.call().answer).toMatchObject({ resultType: 'complete' });
    expect(await answer).toMatchObject({ error: {} });
    expect(await setup.front.calls[0]?.ask(form)).toMatchObject({ error: {} });
  });

  it('a question to a stateless client is refused when it is nested too deep to be written, or too many are open', async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    const setup = setUpModern(async (call) => {
      for (let count = 0; count < 64; count++) void call.ask(form);
      return tellAnswers(await call.ask(form));
    });
    expect(answersOf(await setup.call().answer)).toMatchObject([
      { error: { message: expect.stringMatching(/^Busy/) } },
    ]);
    const nested = setUpModern(asks({ ...form, params: deep }));
    expect(answersOf(await nested.call().answer)).toMatchObject([{ error: {} }]);
  });
});

describe('a state', () => {
  const refusal = (reason: string) => ({
    error: {
      code: rpcCode.invalidParams,
      message: expect.stringMatching(/^This question is no longer open: .+\. Call the tool again\.$/),
      data: { code: 'WB1806', reason },
    },
  });
  const params = { arguments: { a: 1, b: { c: [1, 2], d: null } } };
  const others: [string, string, (asked: JsonObject) => ModernSent][] = [
    ['of somebody else', 'invalid', (asked) => reply(asked, { q1: accept() }, { params, principal: 'bob' })],
    [
      'with other arguments',
      'changed',
      (asked) => reply(asked, { q1: accept() }, { params: { arguments: { a: 2, b: { c: [1, 2], d: null } } } }),
    ],
    ['with another name', 'changed', (asked) => reply(asked, { q1: accept() }, { params: { ...params, name: 'x' } })],
    ['with no arguments', 'changed', (asked) => reply(asked, { q1: accept() })],
    [
      'that was changed',
      'invalid',
      (asked) => reply({ requestState: `${asked.requestState}A` }, { q1: accept() }, { params }),
    ],
    ['that is none', 'invalid', () => reply({ requestState: 'wb1.' }, { q1: accept() }, { params })],
  ];

  it.each(others)('%s is refused as %s, runs nothing, and spoils nothing', async (_, reason, toSent) => {
    const setup = setUpModern(asks(form));
    const asked = await untilAsked(setup, { params });
    expect(await setup.call(toSent(asked)).answer).toEqual(refusal(reason));
    expect(setup.front.calls).toHaveLength(1);
    const right = { arguments: { b: { d: null, c: [1, 2] }, a: 1 } };
    // The order of members says nothing.
    const result = await setup.call(reply(asked, { q1: accept() }, { params: right })).answer;
    expect(answersOf(result)).toEqual([{ result: accept() }]);
  });

  it('a state belongs to one method', async () => {
    const setup = setUpModern(asks(form));
    const asked = await untilAsked(setup, { params: { uri: 'u' } });
    const sent = reply(asked, { q1: accept() }, { method: 'prompts/get', params: { uri: 'u' } });
    const { error } = await setup.call(sent).answer;
    expect(error).toMatchObject({ data: { reason: 'changed' }, message: expect.stringContaining('Make the request') });
  });

  it('a state counts once, while its call goes on and when it is over', async () => {
    let finish = () => {};
    const setup = setUpModern(async (call) => {
      const answer = await call.ask(form);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return tellAnswers(answer);
    });
    const asked = await untilAsked(setup);
    const second = setup.call(reply(asked, { q1: accept() }));
    expect(await setup.call(reply(asked, { q1: accept('Eve') })).answer).toEqual(refusal('used'));
    finish();
    expect(answersOf(await second.answer)).toEqual([{ result: accept() }]);
    expect(await setup.call(reply(asked, { q1: accept('Eve') })).answer).toEqual(refusal('over'));
    expect(setup.front.calls).toHaveLength(1);
  });

  it('a state of an earlier round counts no more', async () => {
    const setup = setUpModern(async (call) => {
      await call.ask(form);
      return tellAnswers(await call.ask(form));
    });
    const first = await untilAsked(setup);
    const second = await untilAsked(setup, reply(first, { q1: accept() }));
    expect(await setup.call(reply(first, { q2: accept('Eve') })).answer).toEqual(refusal('used'));
    expect(answersOf(await setup.call(reply(second, { q2: accept() })).answer)).toEqual([{ result: accept() }]);
  });

  it('a state of another process is refused: nothing is run again by itself', async () => {
    const asked = await untilAsked(setUpModern(asks(form)));
    const other = setUpModern(asks(form));
    expect(await other.call(reply(asked, { q1: accept() })).answer).toEqual(refusal('restarted'));
    expect(other.front.calls).toHaveLength(0);
  });

  it.each([7, null, {}, []])('a state must be a string, not %j', async (requestState) => {
    const { answer } = setUpModern(() => done).call({ params: { requestState } });
    expect(await answer).toMatchObject({ error: { code: rpcCode.invalidParams } });
  });

  it('a state expires: the server is told, the call is cancelled, and a late answer is refused', async () => {
    const answers: Answer[] = [];
    let sawAbortFirst: boolean | undefined;
    const setup = setUpModern(async (call) => {
      const all = [form, sampling, roots].map((each) => call.ask(each));
      for (const each of all) answers.push(await each);
      sawAbortFirst = call.signal.aborted;
      await new Promise(() => {});
      return done;
    });
    const asked = await untilAsked(setup);
    const { signal } = setup.front.calls[0] as Call;
    await setup.clock.advance(parkLimits.answerMs - 1);
    expect([answers.length, signal.aborted]).toEqual([0, false]);
    await setup.clock.advance(1);
    expect(answers).toMatchObject([{ result: { action: 'cancel' } }, { error: {} }, { error: {} }]);
    expect(sawAbortFirst).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(await setup.call(reply(asked, { q1: accept() })).answer).toEqual(refusal('expired'));
  });

  it('a state does not expire while the client waits', async () => {
    const setup = setUpModern(async (call) => {
      await call.ask(form);
      return new Promise(() => {});
    });
    const asked = await untilAsked(setup);
    setup.call(reply(asked, { q1: accept() }));
    await setup.clock.advance(2 * parkLimits.answerMs);
    expect(setup.front.calls[0]?.signal.aborted).toBe(false);
  });
});

describe('what a request did not declare', () => {
  it.each([
    ['a form', form, {}, { elicitation: { form: {} } }],
    ['a form', form, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['an address', url, { elicitation: {} }, { elicitation: { url: {} } }],
    ['an address', url, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ['sampling', sampling, { roots: {} }, { sampling: {} }],
    ['sampling with tools', samplingWithTools, { sampling: {} }, { sampling: { tools: {} } }],
  ])('cannot be asked: %s of %j with %j', async (_, question, capabilities, requiredCapabilities) => {
    let answer: Promise<Answer> | undefined;
    const setup = setUpModern((call) => {
      answer = call.ask(question);
      return new Promise(() => {});
    });
    expect(await setup.call({ capabilities: capabilities as JsonObject }).answer).toMatchObject({
      error: { code: rpcCode.missingCapability, data: { requiredCapabilities } },
    });
    expect(await answer).toMatchObject({ error: { code: rpcCode.methodNotFound } });
    expect(setup.front.calls[0]?.signal.aborted).toBe(true);
  });

  it('costs the call nothing when it is roots, which servers ask for on their own account', async () => {
    let answer: Promise<Answer> | undefined;
    const setup = setUpModern(async (call) => {
      answer = call.ask(roots);
      await answer;
      return { result: RawJson.of({ content: [] }) };
    });
    expect(await setup.call({ capabilities: { roots: null } }).answer).toMatchObject({ content: [] });
    expect(await answer).toMatchObject({ error: { code: rpcCode.methodNotFound } });
  });

  it('is decided by the request that waits, not by the first', async () => {
    const setup = setUpModern(asks(form, sampling));
    const asked = await untilAsked(setup);
    const result = await setup.call(reply(asked, { q1: accept() }, { capabilities: { elicitation: {} } })).answer;
    expect(result).toMatchObject({ error: { data: { requiredCapabilities: { sampling: {} } } } });
    expect(setup.front.calls[0]?.signal.aborted).toBe(true);
  });
});

describe('too many calls that wait', () => {
  it.each([
    ['of one principal', { callsPerPrincipal: 2 }, ['ann', 'ann', 'ann']],
    ['in total', { calls: 2 }, ['ann', 'bob', 'cy']],
  ])('%s: the next is cancelled with an error that says so, until one is over', async (_, limits, principals) => {
    const setup = setUpModern(asks(form), limits);
    const states: JsonObject[] = [];
    for (const principal of principals.slice(0, 2)) states.push(await untilAsked(setup, { principal }));
    const principal = principals[2] as string;
    const beyond = setup.call({ principal });
    await setup.clock.advance(gathered);
    expect(await beyond.answer).toMatchObject({
      error: {
        code: rpcCode.internal,
        message: expect.stringContaining('too many questions'),
        data: { code: 'WB1807' },
      },
    });
    expect(setup.front.calls.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
    const [first] = principals;
    await setup.call(reply(states[0] as JsonObject, { q1: accept() }, { principal: first as string })).answer;
    await untilAsked(setup, { principal });
  });

  it('too many calls of one principal that wait do not keep others away', async () => {
    const setup = setUpModern(asks(form), { callsPerPrincipal: 1 });
    await untilAsked(setup, { principal: 'ann' });
    await untilAsked(setup, { principal: 'bob' });
  });

  it('too many calls that wait do not stop one that has asked before', async () => {
    const setup = setUpModern(
      async (call) => {
        await call.ask(form);
        return tellAnswers(await call.ask(form));
      },
      { calls: 1 },
    );
    const asked = await untilAsked(setup);
    await untilAsked(setup, reply(asked, { q1: accept() }));
  });
});

describe('the request of a client that waits', () => {
  it('the request of a client that waits cancels the call, in every round', async () => {
    let answer: Answer | undefined;
    const setup = setUpModern(async (call) => {
      await call.ask(form);
      answer = await call.ask(form);
      return done;
    });
    const asked = await untilAsked(setup);
    const second = setup.call(reply(asked, { q1: accept() }));
    await setup.clock.advance(1);
    second.cancel();
    await setup.clock.advance(gathered);
    expect(setup.front.calls[0]?.signal.aborted).toBe(true);
    expect(answer).toMatchObject({ error: {} });
  });

  it('the request of a client that waits cancels nothing once it is answered with questions', async () => {
    const setup = setUpModern(asks(form));
    const first = setup.call();
    await setup.clock.advance(gathered);
    first.cancel();
    expect(setup.front.calls[0]?.signal.aborted).toBe(false);
    const asked = await first.answer;
    expect(answersOf(await setup.call(reply(asked, { q1: accept() })).answer)).toEqual([{ result: accept() }]);
  });
});

describe('progress and log messages', () => {
  const logLevel = 'io.modelcontextprotocol/logLevel';
  const log = (data: number, level = 'info') => ({ level, data });

  it('progress and log messages reach the request that waits, under its own token and level', async () => {
    const setup = setUpModern(async (call) => {
      for (const progress of [1, 2]) call.notify('notifications/progress', { progress });
      call.notify('notifications/message', log(1));
      await call.ask(form);
      call.notify('notifications/progress', { progress: 5 });
      call.notify('notifications/message', log(2));
      call.notify('notifications/message', log(3, 'error'));
      return done;
    });
    const first = setup.call({ meta: { progressToken: 'one', [logLevel]: 'debug' } });
    await setup.clock.advance(gathered);
    expect(first.sent.map(({ params }) => params)).toEqual([
      { progress: 1, progressToken: 'one' },
      { progress: 2, progressToken: 'one' },
      log(1),
    ]);
    const second = setup.call(
      reply(await first.answer, { q1: accept() }, { meta: { progressToken: 2, [logLevel]: 'error' } }),
    );
    await second.answer;
    expect(second.sent.map(({ params }) => params)).toEqual([{ progress: 5, progressToken: 2 }, log(3, 'error')]);
    expect(first.sent).toHaveLength(3);
  });

  it('progress and log messages wait while the client is away: the newest progress, and no more messages than can be kept', async () => {
    const setup = setUpModern(async (call) => {
      await call.ask(form);
      call.notify('notifications/progress', { progress: 100 });
      return done;
    });
    const asked = await untilAsked(setup, { meta: { progressToken: 1, [logLevel]: 'debug' } });
    const { notify } = setup.front.calls[0] as Call;
    for (let count = 1; count <= 120; count++) {
      notify('notifications/message', log(count));
      notify('notifications/progress', { progress: count / 2 });
    }
    const second = setup.call(reply(asked, { q1: accept() }, { meta: { progressToken: 'two', [logLevel]: 'debug' } }));
    await second.answer;
    const logs = second.sent.filter(({ method }) => method === 'notifications/message');
    expect(logs.map((each) => at(each, 'params', 'data'))).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 21),
    );
    expect(second.sent.slice(100).map(({ params }) => params)).toEqual([
      { progress: 60, progressToken: 'two' },
      { progress: 100, progressToken: 'two' },
    ]);
  });

  it('progress and log messages are not sent to a request that does not want them', async () => {
    const setup = setUpModern(async (call) => {
      await call.ask(form);
      call.notify('notifications/progress', { progress: 1 });
      call.notify('notifications/message', log(1));
      return done;
    });
    const asked = await untilAsked(setup, { meta: { progressToken: 1, [logLevel]: 'debug' } });
    const second = setup.call(reply(asked, { q1: accept() }));
    await second.answer;
    expect(second.sent).toEqual([]);
  });
});

describe('the end of the service', () => {
  it('the end of the service cancels what waits for an answer, tells the server, and lets nothing wait any more', async () => {
    let answer: Answer | undefined;
    const setup = setUpModern(async (call) => {
      answer = await call.ask(form);
      return done;
    });
    const asked = await untilAsked(setup);
    setup.close();
    await setup.clock.advance(1);
    expect(answer).toMatchObject({ error: {} });
    expect(setup.front.calls[0]?.signal.aborted).toBe(true);
    expect(await setup.call(reply(asked, { q1: accept() })).answer).toMatchObject({
      error: { data: { reason: 'over' } },
    });
    const late = setup.call();
    await setup.clock.advance(gathered);
    expect(await late.answer).toMatchObject({ error: { data: { code: 'WB1807' } } });
  });
});
