// @module-tag large
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/base/call/call.ts';
import { encodeHeaderValue } from '../../../src/base/call/header-value.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createFakeFront,
  createGate,
  echo,
  eventsOf,
  firstCall,
  jsonHeaders,
  messagesOf,
  modern,
  modernMeta,
  modernVersion,
  open,
  rpc,
  send,
  startService,
} from './support.ts';

const errorOf = (message: JsonObject) => message.error as { code: number; message: string; data?: JsonObject };
const names = ['echo', 'größe', ' padded ', '=?base64?aGk=?=', 'tab\tbed', '日本'];
const region: JsonObject = {
  name: 'region',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      deep: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } } },
    },
  },
};

describe('a stateless request over HTTP', () => {
  it('is answered with plain JSON when there is nothing but the answer', async () => {
    const service = await startService();
    const answer = await send(service, modern('tools/call', { name: 'echo', arguments: { a: 1 } }, { id: 'x' }));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(answer.json).toMatchObject({ id: 'x', result: { resultType: 'complete', content: [{ text: '{"a":1}' }] } });
  });

  it.each([null, 1, 'yes', { name: 12_345 }, { name: null }])(
    'is refused when its inputResponses are no answers: %j',
    async (inputResponses) => {
      const service = await startService();
      const { json } = await send(service, modern('tools/call', { name: 'echo', inputResponses }));
      expect(errorOf(json)).toMatchObject({ code: -32602, message: expect.stringContaining('"inputResponses"') });
    },
  );

  it('answers server/discover, and needs nothing before it', async () => {
    const service = await startService();
    const { json } = await send(service, modern('server/discover'));
    expect(json.result).toMatchObject({ supportedVersions: expect.arrayContaining([modernVersion]), ttlMs: 0 });
  });

  it('becomes a stream with the first message that comes before the answer, in order, and ends with it', async () => {
    const call = (each: Call) => {
      for (const progress of [1, 2]) each.notify('notifications/progress', { progress });
      return echo(each);
    };
    const service = await startService(createFakeFront({ call }));
    const answer = await send(service, modern('tools/call', { name: 'echo' }, { meta: { progressToken: 7 } }));
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const [first, second, last, ...more] = messagesOf(answer.text);
    expect([first?.params, second?.params]).toEqual([
      { progress: 1, progressToken: 7 },
      { progress: 2, progressToken: 7 },
    ]);
    expect([last?.id, more]).toEqual([1, []]);
    expect(eventsOf(answer.text).every(({ id }) => id === undefined)).toBe(true);
  });

  it('is cancelled when its answer is closed', async () => {
    const front = createFakeFront({ call: () => new Promise(() => {}) });
    const service = await startService(front);
    const leaving = open(service, modern('tools/call', { name: 'echo' })).catch(() => {});
    const call = await firstCall(front);
    expect(call.signal.aborted).toBe(false);
    const other = open(service, modern('tools/call', { name: 'echo' })).catch(() => {});
    await eventually(() => front.calls.length === 2);
    await service.close();
    await Promise.all([leaving, other]);
    await eventually(() => call.signal.aborted);
  });

  it('is cancelled when the client hangs up in the middle of the stream, and no other with it', async () => {
    const call = (each: Call) => {
      each.notify('notifications/progress', { progress: 1 });
      // The service waits for open calls when it ends.
      return new Promise<never>((_, reject) =>
        each.signal.addEventListener('abort', () => reject(new Error('The client has left.'))),
      );
    };
    const front = createFakeFront({ call });
    const service = await startService(front);
    const [leaving, staying] = await Promise.all([
      open(service, modern('tools/call', { name: 'echo' }, { id: 5, meta: { progressToken: 7 } })),
      open(service, modern('tools/call', { name: 'echo' }, { id: 5, meta: { progressToken: 7 } })),
    ]);
    await eventually(() => front.calls.length === 2);
    leaving.leave();
    await eventually(() => front.calls.filter(({ signal }) => signal.aborted).length === 1);
    staying.leave();
    await eventually(() => front.calls.every(({ signal }) => signal.aborted));
  });

  it('is a client of its own, so that nothing said to one can reach another', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    for (const _ of [1, 2]) await send(service, modern('tools/call', { name: 'echo' }));
    expect(front.calls[0]?.client).not.toBe(front.calls[1]?.client);
  });

  it('that stays silent for long becomes a stream of signs of life, then brings its answer', async () => {
    const clock = createFakeClock();
    const gate = createGate();
    const front = createFakeFront({ call: gate.call });
    const service = await startService(front, { clock });
    const opening = open(service, modern('tools/call', { name: 'echo' }));
    await eventually(() => front.calls.length === 1);
    await clock.advance(15_000);
    const answer = await opening;
    await clock.advance(15_000);
    await eventually(() => answer.text.startsWith(':\n\n'));
    gate.open();
    expect(messagesOf(await answer.whole)).toMatchObject([{ id: 1, result: {} }]);
  });

  it('gets its answer when there are too many streams, without what would have come before', async () => {
    const call = (each: Call) => {
      each.notify('notifications/progress', { progress: 1 });
      return echo(each);
    };
    const service = await startService(createFakeFront({ call }), { limits: { streams: 0 } });
    const answer = await send(service, modern('tools/call', { name: 'echo' }));
    expect([answer.headers['content-type'], answer.json.id]).toEqual(['application/json', 1]);
  });

  it.each([
    ['an unknown method', modern('nothing/here'), 404, -32601],
    ['a method of the other era', modern('ping'), 404, -32601],
    ['logging/setLevel', modern('logging/setLevel', { level: 'info' }), 404, -32601],
    ['an unknown cursor', modern('tools/list', { cursor: 'x' }), 200, -32602],
    ['a call without a name', modern('tools/call'), 200, -32602],
  ])('for %s is answered with the right status and code', async (_, sent, status, code) => {
    const answer = await send(await startService(), sent);
    expect([answer.status, errorOf(answer.json).code, answer.json.id]).toEqual([status, code, 1]);
  });

  it('fails with -32603 and without a stack when we fail', async () => {
    const call = () => {
      throw new Error('at secret (/home/me/x.ts:1)');
    };
    const answer = await send(await startService(createFakeFront({ call })), modern('tools/call', { name: 'echo' }));
    expect([answer.status, errorOf(answer.json).code]).toEqual([500, -32603]);
    expect(answer.text).not.toContain('secret');
  });

  it('is refused when its body is an array, a response, or lacks what the header promises', async () => {
    const service = await startService();
    const headers = { ...jsonHeaders, 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/list' };
    const codes = [];
    for (const body of [[rpc('tools/list')], { jsonrpc: '2.0', id: 1, result: {} }, rpc('tools/list')]) {
      const answer = await send(service, { headers, body });
      codes.push([answer.status, errorOf(answer.json).code]);
    }
    expect(codes).toEqual([
      [400, -32600],
      [400, -32600],
      [400, -32602],
    ]);
  });

  it('that is a notification is accepted', async () => {
    const headers = { ...jsonHeaders, 'mcp-protocol-version': modernVersion };
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const answer = await send(await startService(), { headers, body });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });
});

describe('the headers of a stateless request', () => {
  const call = (headers: Record<string, string | undefined>, params: JsonObject = { name: 'echo' }) =>
    modern('tools/call', params, { headers });
  it.each([
    ['no version', call({ 'mcp-protocol-version': undefined })],
    ['another version', call({ 'mcp-protocol-version': '2025-11-25' })],
    ['no method', call({ 'mcp-method': undefined })],
    ['another method', call({ 'mcp-method': 'tools/list' })],
    ['a method in another case', call({ 'mcp-method': 'Tools/Call' })],
    ['no name', call({ 'mcp-name': undefined })],
    ['another name', call({ 'mcp-name': 'other' })],
    ['a name in another case', call({ 'mcp-name': 'Echo' })],
    ['a name in bad base64', call({ 'mcp-name': '=?base64?ZWNobw?=' })],
    ['a name in base64 with rubbish', call({ 'mcp-name': '=?base64?ZW NobwAA?=' })],
    ['a name in base64 that is no UTF-8', call({ 'mcp-name': '=?base64?/w==?=' })],
    ['a name with the marker in upper case', call({ 'mcp-name': '=?BASE64?ZWNobw==?=' })],
    ['raw bytes beyond ASCII', call({ 'mcp-name': 'gr\u00f6\u00dfe' }, { name: 'größe' })],
    ['a name although the body has none', call({ 'mcp-name': 'echo' }, {})],
    ['a name although that of the body is a number', call({ 'mcp-name': '3' }, { name: 3 })],
  ])('are refused with %s', async (_, sent) => {
    const front = createFakeFront();
    const answer = await send(await startService(front), sent);
    expect([answer.status, errorOf(answer.json).code, answer.json.id]).toEqual([400, -32020, 1]);
    expect(front.calls).toEqual([]);
  });

  it.each(names)('may hold the name %j, encoded where it has to be', async (name) => {
    const service = await startService();
    expect((await send(service, call({ 'mcp-name': encodeHeaderValue(name) }, { name }))).status).toBe(200);
    const always = `=?base64?${Buffer.from(name).toString('base64')}?=`;
    expect((await send(service, call({ 'mcp-name': always }, { name }))).status).toBe(200);
  });

  it('are compared before the version is, and the version before the rest', async () => {
    const service = await startService();
    const future = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const mismatched = await send(service, modern('tools/list', {}, { meta: future }));
    expect(errorOf(mismatched.json).code).toBe(-32020);
    const unsupported = await send(
      service,
      modern('tools/list', {}, { meta: future, headers: { 'mcp-protocol-version': '2099-01-01' } }),
    );
    expect([unsupported.status, errorOf(unsupported.json).code]).toEqual([400, -32022]);
    expect(errorOf(unsupported.json).data).toMatchObject({ requested: '2099-01-01' });
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...bare } = modernMeta();
    const missing = await send(service, { ...modern('tools/list'), body: rpc('tools/list', { _meta: bare }) });
    expect([missing.status, errorOf(missing.json).code]).toEqual([400, -32602]);
    const method = await send(service, { ...modern('nothing'), body: rpc('nothing', { _meta: bare }) });
    expect([method.status, errorOf(method.json).code]).toEqual([400, -32602]);
  });

  const param = (headers: Record<string, string>, args: JsonObject) =>
    call(headers, { name: 'region', arguments: args });
  it.each([
    ['the same text', param({ 'mcp-param-region': 'eu' }, { region: 'eu' }), 200],
    ['text in base64', param({ 'mcp-param-region': encodeHeaderValue('süd') }, { region: 'süd' }), 200],
    ['empty text', param({ 'mcp-param-region': encodeHeaderValue('') }, { region: '' }), 200],
    ['neither header nor value', param({}, {}), 200],
    ['a null value and no header', param({}, { region: null }), 200],
    ['an integer', param({ 'mcp-param-count': '42' }, { count: 42 }), 200],
    ['an integer written otherwise', param({ 'mcp-param-count': '42.0' }, { count: 42 }), 200],
    ['a negative integer', param({ 'mcp-param-count': '-1' }, { count: -1 }), 200],
    ['a value inside an object', param({ 'mcp-param-flag': 'true' }, { deep: { flag: true } }), 200],
    ['headers that nobody asked for', param({ 'mcp-param-other': 'x' }, {}), 200],
    ['other text', param({ 'mcp-param-region': 'us' }, { region: 'eu' }), 400],
    ['other case', param({ 'mcp-param-region': 'EU' }, { region: 'eu' }), 400],
    ['a value without its header', param({}, { region: 'eu' }), 400],
    ['a header without its value', param({ 'mcp-param-region': 'eu' }, {}), 400],
    ['a header for null', param({ 'mcp-param-region': 'null' }, { region: null }), 400],
    ['another integer', param({ 'mcp-param-count': '43' }, { count: 42 }), 400],
    ['an integer in hexadecimal', param({ 'mcp-param-count': '0x2a' }, { count: 42 }), 400],
    ['no number', param({ 'mcp-param-count': '' }, { count: 0 }), 400],
    ['a boolean in another case', param({ 'mcp-param-flag': 'True' }, { deep: { flag: true } }), 400],
    ['a value inside an object without its header', param({}, { deep: { flag: false } }), 400],
    ['bad base64', param({ 'mcp-param-region': '=?base64?!?=' }, { region: 'eu' }), 400],
  ])('with an annotated argument and %s are answered right', async (_, sent, status) => {
    const answer = await send(await startService(createFakeFront({ tools: [region] })), sent);
    expect(answer.status).toBe(status);
    if (status === 400) expect(errorOf(answer.json).code).toBe(-32020);
  });

  it('cannot be asked for by an annotation that breaks a rule: clients are not shown it', async () => {
    const bad: JsonObject = {
      name: 'bad',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number', 'x-mcp-header': 'A' }, b: { type: 'string' } },
      },
    };
    const service = await startService(createFakeFront({ tools: [region, bad] }));
    const { json } = await send(service, modern('tools/list'));
    const { tools } = json.result as { tools: JsonObject[] };
    expect(tools[0]).toEqual(region);
    expect(tools[1]?.inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string' } },
    });
    expect((await send(service, call({}, { name: 'bad', arguments: { a: 1 } }))).status).toBe(200);
  });
});

describe('subscriptions/listen over HTTP', () => {
  const listen = (id: string | number) =>
    modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id });

  it('is a stream at once, begins with the acknowledgement and tells every listener under its own id', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    const streams = [];
    for (const id of [1, '1', 1]) streams.push({ id, stream: await open(service, listen(id)) });
    for (const { stream } of streams) await eventually(() => messagesOf(stream.text).length === 1);
    front.change();
    for (const { id, stream } of streams) {
      await eventually(() => messagesOf(stream.text).length === 2);
      const methods = messagesOf(stream.text).map(({ method }) => method);
      expect(methods).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
      for (const { params } of messagesOf(stream.text))
        expect(params).toMatchObject({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
    }
    expect(streams[0]?.stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
  });

  it('says that it is alive', async () => {
    const clock = createFakeClock();
    const service = await startService(createFakeFront(), { clock });
    const stream = await open(service, listen(1));
    await eventually(() => messagesOf(stream.text).length === 1);
    await clock.advance(45_000);
    await eventually(() => stream.text.split('\n').filter((line) => line === ':').length === 3);
  });

  it('ends with a result when the service ends, and leaves nothing behind when the client hangs up', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    const [leaving, staying] = [await open(service, listen(1)), await open(service, listen('two'))];
    await eventually(() => front.connected === 2);
    leaving.leave();
    await eventually(() => front.connected === 1);
    await service.close();
    expect(messagesOf(await staying.whole).at(-1)).toMatchObject({
      id: 'two',
      result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 'two' } },
    });
    expect(front.connected).toBe(0);
  });

  it('is refused for a while when there are too many streams', async () => {
    const front = createFakeFront();
    const service = await startService(front, { limits: { streams: 1 } });
    const first = await open(service, listen(1));
    const second = await send(service, listen(2));
    expect([second.status, second.headers['retry-after'], second.json.id]).toEqual([503, '5', 2]);
    first.leave();
    await eventually(async () => {
      const third = await open(service, listen(3));
      third.leave();
      return third.status === 200;
    });
  });

  it('without a filter is answered with an error', async () => {
    const answer = await send(await startService(), modern('subscriptions/listen'));
    expect(errorOf(answer.json).code).toBe(-32602);
  });
});
