import { describe, expect, it } from 'vitest';
import type { Call, ClientSession } from '../../src/base/call/call.ts';
import type { Answer } from '../../src/base/call/question.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { rpcCode, rpcError } from '../../src/base/rpc/rpc.ts';
import { maxOpenQuestions } from '../../src/serve/edge/question-table.ts';
import { answerMs } from '../../src/serve/legacy/questions.ts';
import {
  at,
  done,
  everything,
  form,
  roots,
  sampling,
  samplingWithTools,
  setUpLegacy,
  tellAnswers,
  url,
} from './support.ts';

const asks = async (call: Call) => tellAnswers(await call.ask(form));
const idOf = (question: JsonObject | undefined) => question?.id as string;
const named: Answer = { result: { action: 'accept', content: { name: 'Ann' } } };
const answersOf = (result: JsonObject) => at(result, 'structuredContent', 'answers') as unknown as Answer[];
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a question to a client of the handshake era', () => {
  it('a question to a client of the handshake era travels on the stream of its call, and its answer goes back to the server', async () => {
    const { call, edge, general } = setUpLegacy(asks);
    const { sent, answer } = call();
    await settle();
    expect(sent).toMatchObject([{ jsonrpc: '2.0', id: expect.any(String), ...form }]);
    expect(general).toEqual([]);
    edge.answered(idOf(sent[0]), named);
    expect(answersOf(await answer)).toEqual([named]);
    expect(sent).toHaveLength(1);
  });

  it('a question to a client of the handshake era has an id of its own, and so has each answer', async () => {
    const { call, edge } = setUpLegacy(async (each) =>
      tellAnswers(...(await Promise.all([each.ask(form), each.ask(sampling)]))),
    );
    const { sent, answer } = call();
    await settle();
    const error = { error: rpcError(-1, 'rejected') };
    edge.answered(idOf(sent[1]), error);
    edge.answered(idOf(sent[0]), named);
    expect(answersOf(await answer)).toEqual([named, error]);
  });

  it('a question to a client of the handshake era is answered once: what comes twice, late or unasked is dropped', async () => {
    const { call, edge } = setUpLegacy(async (each) => {
      const first = await each.ask(form);
      return tellAnswers(first, await each.ask(form));
    });
    const { sent, answer } = call();
    await settle();
    for (const id of ['other', 7, null]) edge.answered(id, named);
    expect(sent).toHaveLength(1);
    edge.answered(idOf(sent[0]), named);
    edge.answered(idOf(sent[0]), { result: { action: 'decline' } });
    await settle();
    edge.answered(idOf(sent[0]), { result: { action: 'decline' } });
    await settle();
    expect(sent).toHaveLength(2);
    edge.answered(idOf(sent[1]), { result: { action: 'cancel' } });
    expect(answersOf(await answer)).toEqual([named, { result: { action: 'cancel' } }]);
  });

  it('a question to a client of the handshake era is taken back when the server does not want it any more', async () => {
    const control = new AbortController();
    const { call } = setUpLegacy(async (each) => tellAnswers(await each.ask(form, control.signal)));
    const { sent, answer } = call();
    await settle();
    control.abort();
    expect(answersOf(await answer)).toMatchObject([{ error: { message: 'The question was taken back.' } }]);
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: idOf(sent[0]) } });
    expect(at(sent[1], 'params', 'reason')).toEqual(expect.any(String));
  });

  it('a question to a client of the handshake era is not even asked when it was taken back before', async () => {
    const { call } = setUpLegacy(async (each) => tellAnswers(await each.ask(form, AbortSignal.abort())));
    const { sent, answer } = call();
    expect(answersOf(await answer)).toMatchObject([{ error: {} }]);
    expect(sent).toEqual([]);
  });

  it('a question to a client of the handshake era is taken back when its call is cancelled', async () => {
    const { call } = setUpLegacy(asks);
    const { sent, answer, cancel } = call();
    await settle();
    cancel();
    expect(answersOf(await answer)).toMatchObject([{ error: {} }]);
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: idOf(sent[0]) } });
  });

  it('a question to a client of the handshake era is taken back when its call ends without waiting for it', async () => {
    let asked: Promise<Answer> | undefined;
    const { call } = setUpLegacy(async (each) => {
      asked = each.ask(form);
      await settle();
      return done;
    });
    const { sent, answer } = call();
    await answer;
    expect(await asked).toMatchObject({ error: {} });
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled' });
  });

  it('a question to a client of the handshake era is given up when nobody ever answers', async () => {
    const { call, clock } = setUpLegacy(asks);
    const { sent, answer } = call();
    await clock.advance(answerMs - 1);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: idOf(sent[0]) } });
    expect(answersOf(await answer)).toMatchObject([{ error: { message: 'The client did not answer in time.' } }]);
  });

  it.each(['close', 'silence'] as const)(
    'a question to a client of the handshake era gets an error when the client is gone (%s), and so do later ones',
    async (end) => {
      const { call, edge } = setUpLegacy(async (each) => {
        const first = await each.ask(form);
        return tellAnswers(first, await each.ask(form));
      });
      const { sent, answer } = call();
      await settle();
      edge[end]();
      expect(answersOf(await answer)).toMatchObject([{ error: {} }, { error: {} }]);
      expect(sent).toHaveLength(1);
    },
  );

  it('a question to a client of the handshake era is refused when too many are open, until one is answered', async () => {
    let asking: Call | undefined;
    const { call, edge } = setUpLegacy((each) => {
      asking = each;
      return new Promise(() => {});
    });
    const { sent } = call();
    await settle();
    const ask = () => (asking as Call).ask(form);
    for (let count = 0; count < maxOpenQuestions; count++) void ask();
    expect(await ask()).toMatchObject({ error: { message: expect.stringMatching(/^Busy/) } });
    expect(sent).toHaveLength(maxOpenQuestions);
    edge.answered(idOf(sent[0]), named);
    void ask();
    await settle();
    expect(sent).toHaveLength(maxOpenQuestions + 1);
  });

  it('a question to a client of the handshake era is refused when it is nested too deep to be written', async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    const { call } = setUpLegacy(async (each) => tellAnswers(await each.ask({ ...form, params: deep })));
    expect(answersOf(await call().answer)).toMatchObject([{ error: { message: 'The question is nested too deep.' } }]);
  });

  it.each([
    ['nothing', '2025-11-25', {}, []],
    ['everything', '2025-11-25', everything, ['form', 'url', 'sampling', 'tools', 'roots']],
    ['everything', '2025-06-18', everything, ['form', 'sampling', 'roots']],
    ['everything', '2025-03-26', everything, ['sampling', 'roots']],
    ['everything', '2024-11-05', everything, ['sampling', 'roots']],
    ['elicitation without a mode', '2025-11-25', { elicitation: {} }, ['form']],
    ['elicitation without a mode', '2025-06-18', { elicitation: {} }, ['form']],
    ['addresses only', '2025-11-25', { elicitation: { url: {} } }, ['url']],
    ['sampling without tools', '2025-11-25', { sampling: {} }, ['sampling']],
    ['what is no object', '2025-11-25', { elicitation: true, sampling: 1, roots: null }, []],
  ])(
    'a question to a client of the handshake era is put only when the client can take it: %s in %s',
    async (_, version, capabilities, taken) => {
      const kinds = { form, url, sampling, tools: samplingWithTools, roots };
      const { call, edge, front } = setUpLegacy(
        async (each) => tellAnswers(...(await Promise.all(Object.values(kinds).map((kind) => each.ask(kind))))),
        { version, capabilities: capabilities as JsonObject },
      );
      const { sent, answer } = call();
      await settle();
      expect(sent).toHaveLength(taken.length);
      for (const question of sent) edge.answered(idOf(question), named);
      const refused = (await answer.then(answersOf)).map((each) => 'error' in each && each.error.code);
      expect(refused).toEqual(Object.keys(kinds).map((kind) => !taken.includes(kind) && rpcCode.methodNotFound));
      expect(front.calls[0]).toMatchObject({ features: { takesQuestions: false } });
      expect(front.calls[0]?.features.capabilities).toEqual(front.calls[0]?.client.session?.capabilities);
    },
  );

  it.each([
    ['keeps the id that the server gave', url, 'e1'],
    ['gets an id when the server gave none', { ...url, params: { mode: 'url', message: 'm', url: 'u' } }, undefined],
  ])('a question to a client of the handshake era to open an address %s', async (_, question, id) => {
    const { call } = setUpLegacy(async (each) => tellAnswers(await each.ask(question)));
    const { sent } = call();
    await settle();
    expect(at(sent[0], 'params', 'elicitationId')).toEqual(id ?? expect.stringMatching(/^[\w-]{36}$/));
  });

  it('a question to a client of the handshake era names no mode to a client that knows only one', async () => {
    const asked = { ...form, params: { ...form.params, mode: 'form' } };
    const { call } = setUpLegacy(async (each) => tellAnswers(await each.ask(asked)), { version: '2025-06-18' });
    const { sent } = call();
    await settle();
    expect(sent[0]?.params).toEqual(form.params);
  });
});

describe('a client of the handshake era between calls', () => {
  const sessionOf = (setup: ReturnType<typeof setUpLegacy>) => setup.client.session as ClientSession;

  it('a client of the handshake era between calls says who it is, and can be asked and told on its general stream', async () => {
    const setup = setUpLegacy(() => done);
    const { client, edge, general } = setup;
    expect(client).toMatchObject({ name: 'old', principal: 'ann' });
    const asked = sessionOf(setup).ask(roots, new AbortController().signal);
    await settle();
    expect(general).toMatchObject([{ id: expect.any(String), method: 'roots/list' }]);
    edge.answered(idOf(general[0]), { result: { roots: [] } });
    expect(await asked).toEqual({ result: { roots: [] } });
    sessionOf(setup).tell('notifications/elicitation/complete', { elicitationId: 'e1' });
    expect(general[1]).toMatchObject({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' } });
  });

  it('a client of the handshake era between calls is not asked what it did not declare', async () => {
    const setup = setUpLegacy(() => done, { capabilities: {} });
    expect(await sessionOf(setup).ask(roots, new AbortController().signal)).toMatchObject({
      error: { code: rpcCode.methodNotFound },
    });
    expect(setup.general).toEqual([]);
  });

  it('a client of the handshake era between calls announces that its roots changed, as long as somebody listens', () => {
    const setup = setUpLegacy(() => done);
    let heard = 0;
    const stop = sessionOf(setup).onRootsChanged(() => heard++);
    setup.edge.notified('notifications/initialized');
    expect(heard).toBe(0);
    setup.edge.notified('notifications/roots/list_changed');
    stop();
    setup.edge.notified('notifications/roots/list_changed');
    expect(heard).toBe(1);
  });

  it('a client of the handshake era between calls says once that it is gone, and hears nothing after it', () => {
    const setup = setUpLegacy(() => done);
    let gone = 0;
    sessionOf(setup).onClose(() => gone++);
    setup.edge.close();
    setup.edge.close();
    expect(gone).toBe(1);
    sessionOf(setup).tell('notifications/message', {});
    expect(setup.general).toEqual([]);
  });
});

describe('an address that a server wants opened first', () => {
  const error = rpcError(rpcCode.urlRequired, 'Sign in first.', {
    elicitations: [
      { mode: 'url', elicitationId: 'e1', url: 'https://one.test/', message: 'One' },
      { mode: 'url', elicitationId: 'e2', url: 'https://two.test/', message: 'Two' },
    ],
  });

  it('an address that a server wants opened first reaches a client that can show it as the server said it', async () => {
    expect(await setUpLegacy(() => ({ error })).call().answer).toEqual({ error });
  });

  it.each([
    ['2025-11-25', { elicitation: {} }],
    ['2025-06-18', everything],
    ['2024-11-05', {}],
  ])(
    'an address that a server wants opened first is named in words to any other: %s with %j',
    async (version, capabilities) => {
      const setup = setUpLegacy(() => ({ error }), { version, capabilities: capabilities as JsonObject });
      expect(await setup.call().answer).toEqual({
        error: {
          code: rpcCode.internal,
          message: 'Sign in first. Open https://one.test/ and https://two.test/ in a browser, then call again.',
        },
      });
    },
  );
});

describe('questions given as an answer', () => {
  it('questions given as an answer are an error for a client that does not take them', async () => {
    const inputRequired = (await import('../../src/base/json/raw-json.ts')).RawJson.of({ requestState: 's' });
    expect(await setUpLegacy(() => ({ inputRequired })).call().answer).toMatchObject({
      error: { code: rpcCode.internal },
    });
  });
});
