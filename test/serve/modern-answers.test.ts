import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../src/base/call/call.ts';
import { UrlNeeded } from '../../src/base/errors/url-needed.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { RawJson } from '../../src/base/json/raw-json.ts';
import { rpcCode, rpcError } from '../../src/base/rpc/rpc.ts';
import { createModernResults } from '../../src/serve/modern/modern-result.ts';
import { done, everything, form, roots, sampling, setUpModern, url } from './support.ts';

const ours = { 'io.modelcontextprotocol/serverInfo': { name: 'workbench', version: '1.0.0' } };
const asking = (value: JsonObject): CallOutcome => ({ inputRequired: RawJson.of(value) });

describe('questions that a server gives as its answer', () => {
  it('questions that a server gives as its answer are passed on as they are, as ours, and nothing is kept', async () => {
    const setup = setUpModern(() =>
      asking({ inputRequests: { a: { ...form } }, requestState: 'säme', _meta: { 'x/y': 1 }, more: [1] }),
    );
    expect(await setup.call().answer).toEqual({
      resultType: 'input_required',
      inputRequests: { a: form },
      requestState: 'säme',
      more: [1],
      _meta: { 'x/y': 1, ...ours },
    });
  });

  it('questions that a server gives as its answer keep every byte of what is not ours to change', () => {
    const text =
      '{ "inputRequests": {"a": {"method": "roots/list", "big": 12345678901234567890}}, "requestState": "\\u0061"}';
    const { toOutcome } = createModernResults({ by: 'us' });
    const turn = { inputRequired: RawJson.ofText(text, JSON.parse(text) as JsonObject) };
    const outcome = toOutcome(turn, { capabilities: everything, takesQuestions: true, declined: false });
    expect('result' in outcome && outcome.result.text).toBe(
      '{"inputRequests":{"a": {"method": "roots/list", "big": 12345678901234567890}},"requestState":"\\u0061","resultType":"input_required","_meta":{"by":"us"}}',
    );
  });

  it.each(['plain', '', 'wb0.x', 'wb1.abc.def', 'wb0.wb1.x'])(
    'questions that a server gives as its answer have their state %j back in the next round',
    async (state) => {
      const setup = setUpModern(({ resume }) => (resume?.round === undefined ? asking({ requestState: state }) : done));
      const { requestState } = await setup.call().answer;
      expect(String(requestState).startsWith('wb1.')).toBe(false);
      const inputResponses = { a: { action: 'accept' } };
      await setup.call({ params: { requestState: requestState as string, inputResponses } }).answer;
      const second = setup.front.calls[1];
      expect(second?.resume?.round).toEqual({ inputResponses, requestState: state });
      expect(second?.params).toEqual({ name: 'ask' });
      expect(second).toMatchObject({ resume: { awaitsUrl: false } });
    },
  );

  it.each([
    ['nothing at all', {}, everything],
    ['a kind that was not declared', { inputRequests: { a: { ...sampling } } }, { roots: {} }],
    ['a mode that was not declared', { inputRequests: { a: { ...url } } }, { elicitation: {} }],
    ['something unknown', { inputRequests: { a: { method: 'tools/call' } } }, everything],
    ['something unknown among others', { inputRequests: { a: { ...roots }, b: 7 } }, everything],
    ['what is no object', { inputRequests: [] }, everything],
    ['a state that is no string', { requestState: 7 }, everything],
  ])(
    'questions that a server gives as its answer are the fault of the server when they ask %s',
    async (_, value, capabilities) => {
      const { answer } = setUpModern(() => asking(value as JsonObject)).call({
        capabilities: capabilities as JsonObject,
      });
      expect(await answer).toMatchObject({
        error: { code: rpcCode.internal, message: expect.stringContaining('The server is at fault') },
      });
    },
  );

  it('questions that a server gives as its answer are the fault of the server where there are no questions', async () => {
    const { answer } = setUpModern(() => asking({ requestState: 's' })).call({ method: 'completion/complete' });
    expect(await answer).toMatchObject({ error: { code: rpcCode.internal } });
  });
});

describe('addresses that have to be opened first', () => {
  const elicitations = [
    { mode: 'url', elicitationId: 'e1', url: 'https://one.test/', message: 'One' },
    { mode: 'url', elicitationId: '__proto__', url: 'https://two.test/' },
    { mode: 'url', elicitationId: 'e3' },
    7,
  ];
  const error = rpcError(rpcCode.urlRequired, 'Sign in first.', { elicitations });

  it('addresses that have to be opened first become questions without a state, one for each', async () => {
    const result = await setUpModern(() => ({ error })).call().answer;
    expect(Object.entries(result.inputRequests as JsonObject)).toEqual([
      ['e1', { method: 'elicitation/create', params: { mode: 'url', message: 'One', url: 'https://one.test/' } }],
      [
        '__proto__',
        { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in first.', url: 'https://two.test/' } },
      ],
    ]);
    expect(result).toMatchObject({ resultType: 'input_required', _meta: ours });
    expect(result).not.toHaveProperty('requestState');
  });

  it('addresses that have to be opened first are asked for in one way, whoever wants them', async () => {
    const setup = setUpModern(() => {
      throw new UrlNeeded('Sign in.', { id: 'e9', url: 'https://us.test/', done: new Promise(() => {}) });
    });
    expect(await setup.call().answer).toEqual({
      resultType: 'input_required',
      inputRequests: {
        e9: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in.', url: 'https://us.test/' } },
      },
      _meta: ours,
    });
  });

  it('once the user agreed, the call is simply made again', async () => {
    const setup = setUpModern(({ resume }) => (resume?.round === undefined ? { error } : done));
    await setup.call().answer;
    const result = await setup.call({ params: { inputResponses: { e1: { action: 'accept' } } } }).answer;
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(setup.front.calls[1]).toMatchObject({ resume: { awaitsUrl: true }, features: { opensUrls: true } });
  });

  it.each(['decline', 'cancel'])(
    'addresses that have to be opened first are not asked for again when the user said %s',
    async (action) => {
      const setup = setUpModern(() => ({ error }));
      const result = await setup.call({ params: { inputResponses: { e1: { action } } } }).answer;
      expect(result).toEqual({
        error: {
          code: rpcCode.internal,
          message: expect.stringMatching(/^The user declined\. .*https:\/\/one\.test\/ and https:\/\/two\.test\//),
        },
      });
      expect(setup.front.calls[0]).toMatchObject({ resume: { awaitsUrl: false }, features: { opensUrls: false } });
    },
  );

  it.each([{}, { elicitation: {} }])(
    'addresses that have to be opened first cannot be shown by a client that declares %j',
    async (capabilities) => {
      const result = await setUpModern(() => ({ error })).call({ capabilities: capabilities as JsonObject }).answer;
      expect(result).toMatchObject({
        error: {
          code: rpcCode.missingCapability,
          message: expect.stringContaining('https://one.test/'),
          data: { requiredCapabilities: { elicitation: { url: {} } } },
        },
      });
    },
  );

  it('addresses that have to be opened first are named in words where there are no questions', async () => {
    const result = await setUpModern(() => ({ error })).call({ method: 'completion/complete' }).answer;
    expect(result).toMatchObject({
      error: { code: rpcCode.internal, message: expect.stringContaining('https://one.test/') },
    });
  });

  it.each([undefined, {}, { elicitations: 7 }, { elicitations: [] }])(
    'addresses that have to be opened first that are not named (%j) leave an error of ours',
    async (data) => {
      const named = rpcError(rpcCode.urlRequired, 'Sign in first.', data);
      const result = await setUpModern(() => ({ error: named })).call().answer;
      expect(result).toMatchObject({ error: { code: rpcCode.internal, data: { original: named } } });
    },
  );
});

describe('errors of servers', () => {
  it.each([
    [rpcCode.missingCapability, rpcCode.missingCapability],
    [rpcCode.methodNotFound, rpcCode.invalidParams],
    [rpcCode.resourceNotFound, rpcCode.invalidParams],
    [rpcCode.serverFailed, rpcCode.internal],
    [rpcCode.headerMismatch, rpcCode.internal],
    [7, 7],
  ])('%d are %d in this era', async (code, shown) => {
    const error = rpcError(code, 'No.', { requiredCapabilities: { roots: {} } });
    const result = await setUpModern(() => ({ error })).call().answer;
    expect(result).toMatchObject({ error: { code: shown } });
    if (code === shown) expect(result).toEqual({ error });
  });
});
