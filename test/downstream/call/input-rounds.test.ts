import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { type buildAskedCall as build, buildAskedCall, createSession, startFake, timeoutMs } from '../fake-server.ts';

const capabilities = { elicitation: { form: {} }, roots: { listChanged: true }, sampling: {} };
const form = { method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } };
const roots = { method: 'roots/list' };
const asks = (inputRequests: Json, requestState?: Json): JsonObject => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});
const complete = { resultType: 'complete', content: [] };
const result = { action: 'accept' };

/** A call whose client is asked by us. */
function startLoop(parts: Parameters<typeof build>[0] = {}) {
  const fake = startFake({ era: 'modern' });
  const { call, asked } = buildAskedCall({ capabilities, ...parts });
  const done = fake.connection.call(call);
  done.then(undefined, () => {});
  const reply = async (answered: JsonObject) => {
    fake.answer(fake.requests().at(-1)?.id, answered);
    await fake.settle();
  };
  const params = () => fake.requests().map((request) => request.params as JsonObject);
  return { ...fake, asked, done, reply, params };
}

describe('a server of the stateless era', () => {
  it('is told with every call what the client of that call can do', () => {
    const { connection, params } = startLoop();
    const other = buildAskedCall({ capabilities: { sampling: { tools: {} } } }).call;
    void connection.call(other);
    const declared = params().map(({ _meta }) => (_meta as JsonObject)['io.modelcontextprotocol/clientCapabilities']);
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    expect(declared).toEqual([
      { elicitation: { form: {} }, roots: {}, sampling: {}, extensions },
      { sampling: { tools: {} }, extensions },
    ]);
  });

  it('is told in its lists what was declared for all', async () => {
    const { connection, requests } = startFake({ era: 'modern', declared: { roots: { listChanged: true } } });
    connection.edge.toParams({}, {});
    expect(connection.edge.toParams({}, {})).toMatchObject({
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { roots: {} } },
    });
    expect(requests()).toEqual([]);
  });

  it('cannot ask by a request of its own', async () => {
    const { ask, answers, asked, settle, connection } = startLoop();
    ask('q', 'roots/list');
    ask('p', 'ping');
    await settle();
    expect(answers('q')).toMatchObject([{ error: {} }]);
    expect(answers('p')).toMatchObject([{ result: {} }]);
    expect(asked).toEqual([]);
    connection.rootsChanged();
  });
});

describe('questions of a server of the stateless era, for a client that takes them as an answer', () => {
  it('are handed over with their state, without what is the era’s own', async () => {
    const { done, reply, asked } = startLoop({ takesQuestions: true });
    await reply({
      ...asks({ __proto__x: form, b: roots }, 'state'),
      _meta: { 'io.modelcontextprotocol/serverInfo': {}, vendor: 1 },
    });
    expect(await done).toMatchObject({
      inputRequired: {
        text: JSON.stringify({
          inputRequests: { __proto__x: form, b: roots },
          requestState: 'state',
          _meta: { vendor: 1 },
        }),
      },
    });
    expect(asked).toEqual([]);
  });

  it('keep their text, except for what would mean something else behind us', async () => {
    const { done, peer } = startLoop({ takesQuestions: true });
    const other = '{"method":"elicitation/create","params":{"n": 1.0}}';
    peer.receive(
      `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":${other},` +
        '"__proto__":{"method":"sampling/createMessage","params":{"includeContext":"allServers","maxTokens":1}}}}}',
    );
    const outcome = await done;
    expect('inputRequired' in outcome && outcome.inputRequired.text).toBe(
      `{"inputRequests":{"a":${other},"__proto__":{"method":"sampling/createMessage","params":{"maxTokens":1}}}}`,
    );
  });

  it('are answered by the next call, in the three methods that know questions', () => {
    const round = {
      inputResponses: JSON.parse('{"__proto__":{"action":"accept"}}') as JsonObject,
      requestState: '\u0000\ud800"é',
    };
    const { connection, requests } = startFake({ era: 'modern' });
    for (const method of ['tools/call', 'prompts/get', 'resources/read', 'completion/complete', 'x'])
      void connection.call(buildAskedCall({ method, round, takesQuestions: true }).call);
    const sent = requests().map(({ method, params }) => [method, (params as JsonObject).requestState] as const);
    expect(sent).toEqual([
      ['tools/call', round.requestState],
      ['prompts/get', round.requestState],
      ['resources/read', round.requestState],
      ['x', undefined],
    ]);
    const [first] = requests();
    expect(JSON.stringify(first)).toContain('"inputResponses":{"__proto__":{"action":"accept"}}');
  });
});

describe('questions of a server of the stateless era, for a client that is asked', () => {
  it('are asked all at once and answered by a new request with the same params', async () => {
    const { done, reply, asked, requests, params, settle } = startLoop({
      params: { name: 'tool', arguments: { a: 1 } },
    });
    await reply(asks(JSON.parse(`{"__proto__":${JSON.stringify(form)},"constructor":{"method":"roots/list"}}`), 's'));
    expect(asked.map(({ question }) => question)).toEqual([form, { method: 'roots/list', params: {} }]);
    asked[1]?.answer({ result: { roots: [] } });
    await settle();
    expect(requests()).toHaveLength(1);
    asked[0]?.answer({ result });
    await settle();
    const [first, second] = params();
    expect(requests().map(({ id }) => id)).toEqual([1, 2]);
    expect(JSON.stringify(second?.inputResponses)).toBe('{"__proto__":{"action":"accept"},"constructor":{"roots":[]}}');
    expect(second).toMatchObject({ ...first, requestState: 's' });
    await reply(complete);
    expect(await done).toMatchObject({ result: { value: { content: [] } } });
  });

  it.each(['', ' ', '\u0000\u2028\ud800\udfff"\\', 'é'.normalize('NFD'), '{"a":1}', 'x'.repeat(100_000)])(
    'come with a state that is sent back as it is (%#)',
    async (state) => {
      const { reply, asked, params, settle } = startLoop();
      await reply(asks({ a: roots }, state));
      asked[0]?.answer({ result: { roots: [] } });
      await settle();
      expect(params()[1]?.requestState).toBe(state);
    },
  );

  it('bring no state back that did not come, and answers of their own round only', async () => {
    const { reply, asked, params, settle } = startLoop();
    await reply(asks({ a: roots }, 'one'));
    asked[0]?.answer({ result: { roots: [1] } });
    await settle();
    await reply(asks({ b: roots }));
    asked[1]?.answer({ result: { roots: [2] } });
    await settle();
    expect(params()[2]).toMatchObject({ inputResponses: { b: { roots: [2] } } });
    expect(params()[2]).not.toHaveProperty('requestState');
    expect(params()[2]?.inputResponses).not.toHaveProperty('a');
  });

  it('may be none: then the call is repeated after a breath, with the state alone', async () => {
    const { reply, params, clock } = startLoop();
    await reply({ resultType: 'input_required', requestState: 'busy' });
    expect(params()).toHaveLength(1);
    await clock.advance(1_000);
    expect(params()[1]).toMatchObject({ requestState: 'busy' });
    expect(params()[1]).not.toHaveProperty('inputResponses');
  });

  it('end after eight rounds', async () => {
    const { done, reply, requests, clock } = startLoop();
    for (let round = 0; round < 12; round++) {
      await reply({ resultType: 'input_required', requestState: `${round}` });
      await clock.advance(1_000);
    }
    expect(requests()).toHaveLength(9);
    expect(await done).toMatchObject({ error: { code: -32603 } });
  });

  it('end the call when one is not answered, and take the others back', async () => {
    const { done, reply, asked, requests } = startLoop();
    await reply(asks({ a: form, b: roots }, 's'));
    asked[0]?.answer({ error: { code: -1, message: 'the user said no' } });
    expect(await done).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/was not answered: the user said no/) },
    });
    expect(asked[1]?.signal?.aborted).toBe(true);
    expect(requests()).toHaveLength(1);
  });

  it('are taken back when the client cancels the call', async () => {
    const control = new AbortController();
    const { done, reply, asked, requests } = startLoop({ signal: control.signal });
    await reply(asks({ a: form }));
    control.abort();
    expect(await done).toHaveProperty('error');
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(requests()).toHaveLength(1);
  });

  it('may take longer to answer than a server may take', async () => {
    const { done, reply, asked, clock, settle } = startLoop();
    await reply(asks({ a: form }));
    await clock.advance(timeoutMs * 10);
    asked[0]?.answer({ result });
    await settle();
    await reply(complete);
    expect(await done).toHaveProperty('result');
  });

  it('are asked cleaned', async () => {
    const { reply, asked } = startLoop();
    const params = { maxTokens: 1, includeContext: 'thisServer', task: {}, _meta: { progressToken: 1 } };
    await reply(asks({ a: { method: 'sampling/createMessage', params } }));
    expect(asked[0]?.question).toEqual({ method: 'sampling/createMessage', params: { maxTokens: 1 } });
  });

  it('do not let progress go back', async () => {
    const told: Json[] = [];
    const { reply, asked, say, settle } = startLoop({
      wantsProgress: true,
      notify: (_method, { progress }) => told.push(progress as Json),
    });
    const step = (progressToken: number, progress: Json) => say('notifications/progress', { progressToken, progress });
    for (const progress of [1, 1, 5, 'x', 3]) step(1, progress);
    await reply(asks({ a: form }));
    asked[0]?.answer({ result });
    await settle();
    for (const progress of [1, 5, 5.5, 6]) step(2, progress);
    expect(told).toEqual([1, 5, 5.5, 6]);
  });
});

describe.each([true, false])('an answer that breaks the rules (client takes questions: %s)', (takesQuestions) => {
  it.each<[string, JsonObject, string?]>([
    ['asks nothing', { resultType: 'input_required' }],
    ['asks nothing, in an object', asks({})],
    ['has a state that is no text', asks({ a: roots }, 7)],
    ['has questions in a list', asks([roots])],
    ['has a question that is no object', asks({ a: 'roots/list' })],
    ['has a question that is null', asks({ a: null })],
    ['has a question without a method', asks({ a: {} })],
    ['asks what is no question', asks({ a: { method: 'tools/call' } })],
    ['has params that are no object', asks({ a: { method: 'roots/list', params: [] } })],
    ['asks a kind the client did not offer', asks({ a: { method: 'elicitation/create', params: { mode: 'url' } } })],
    [
      'asks for tools the client did not offer',
      asks({ a: { method: 'sampling/createMessage', params: { tools: [] } } }),
    ],
    ['asks too much', asks(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`${n}`, roots])))],
    ['asks in a method that knows no questions', asks({ a: roots }), 'x/y'],
    ['is of an unknown type', { resultType: 'later', taskId: 't' }],
    ['is a task without an id', { resultType: 'task', taskId: 7 }],
    ['is of a type that is no text', { resultType: 7 }],
  ])('ends the call when it %s', async (_case, answered, method = 'tools/call') => {
    const { done, reply, asked } = startLoop({ takesQuestions, method });
    await reply(answered);
    expect(await done).toMatchObject({ error: { code: -32603 } });
    expect(asked).toEqual([]);
  });
});

describe('a refusal of a server of the stateless era', () => {
  const refusal = {
    code: -32021,
    message: 'need more',
    data: { requiredCapabilities: { elicitation: { url: {} }, sampling: {} }, more: 1 },
  };

  it('for want of a capability is the client’s own matter when it speaks that era', async () => {
    const { done, refuse } = startLoop({ takesQuestions: true });
    refuse(1, refusal);
    expect(await done).toEqual({ error: refusal });
  });

  it('for want of a capability says to any other client what it would have to offer', async () => {
    const { done, refuse } = startLoop({ client: createSession('ann') });
    refuse(1, refusal);
    expect(await done).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('elicitation.url, sampling') },
    });
  });

  it.each<[JsonObject, number]>([
    [{ code: -32021, message: 'm' }, -32603],
    [{ code: -32020, message: 'm' }, -32603],
    [{ code: -32022, message: 'm' }, -32603],
    [{ code: -32602, message: 'm' }, -32602],
    [{ code: 5, message: 'm' }, 5],
  ])('%j is told as %d', async (error, code) => {
    const { done, refuse } = startLoop({ takesQuestions: true });
    refuse(1, error);
    expect(await done).toMatchObject({ error: { code } });
  });
});
