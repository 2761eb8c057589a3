// @module-tag large
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { metaKey, withEnvelope } from '../../support/envelope.ts';
import { startProgram } from '../../support/program.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { errorOf, resultOf, textOf } from '../support.ts';

const config = { mcpServers: { server: fixture('raw-legacy') } };
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const supported = ['2026-07-28', ...versions];
const legacyMethods = ['initialize', 'ping', 'tools/list', 'tools/call', 'logging/setLevel', 'no/such'];
const modernMethods = ['server/discover', 'tools/list', 'tools/call', 'subscriptions/listen', 'no/such'];
const wrongObjects: Json[] = ['text', 7, true, ['array']];

const initialize = (client: RawClient, protocolVersion?: Json) =>
  client.request('initialize', {
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });

async function finish(client: RawClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe('one pipe that is sent what nobody should send', () => {
  let client: RawClient;
  beforeAll(async () => {
    client = startProgram({ config });
    await client.legacyHandshake();
    return () => finish(client);
  });

  /** Writes a line and gives the next message that comes. */
  const answerTo = async (line: string): Promise<JsonObject> => {
    const before = client.messages.length;
    client.send(line);
    await client.waitFor((message) => client.messages.findIndex((known) => known.message === message) >= before);
    return client.messages[before]?.message ?? {};
  };

  it.each(['not JSON', '{"jsonrpc":"2.0","id":1,', '{"id":1}}', '\u0000', '{"a":\'b\'}'])(
    'one pipe that is sent what nobody should send answers the line %j with a parse error under the id null',
    async (line) => {
      const answer = await answerTo(line);
      expect(answer.id).toBeNull();
      expect(errorOf(answer).code).toBe(-32700);
    },
  );

  it.each(['1', '"text"', 'null', 'true', '[]', '[{}]', '{}', '{"jsonrpc":"2.0","id":1}'])(
    'one pipe that is sent what nobody should send answers %s, which is no message, with an invalid request',
    async (line) => {
      expect(errorOf(await answerTo(line)).code).toBe(-32600);
    },
  );

  it.each(['null', '1.5', 'true', '{}', '[1]'])(
    'one pipe that is sent what nobody should send answers a request with the id %s with an invalid request under the id null',
    async (id) => {
      const answer = await answerTo(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      expect(answer.id).toBeNull();
      expect(errorOf(answer).code).toBe(-32600);
    },
  );

  it.each([0, -1, 9_007_199_254_740_991, '', '1', 'text', 'é"\\\u2028'])(
    'one pipe that is sent what nobody should send answers under the id %j, in its JSON type',
    async (id) => {
      const answer = await answerTo(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
      expect(answer).toEqual({ jsonrpc: '2.0', id, result: {} });
    },
  );

  it.each(legacyMethods)(
    'one pipe that is sent what nobody should send answers %s of the handshake era when params or _meta are of the wrong type',
    async (method) => {
      for (const params of [...wrongObjects, ...[...wrongObjects, null].map((_meta): Json => ({ _meta }))]) {
        const { message } = await client.request(method, params as JsonObject);
        expect([params, errorOf(message).code]).toEqual([params, -32602]);
      }
    },
  );

  it.each(modernMethods)(
    'one pipe that is sent what nobody should send answers %s of the stateless era when params or _meta are of the wrong type',
    async (method) => {
      const wrong: JsonObject[] = [
        { [metaKey('protocolVersion')]: 7 },
        { [metaKey('clientCapabilities')]: 'all' },
        { [metaKey('clientCapabilities')]: null },
        { [metaKey('logLevel')]: 'loud' },
        { [metaKey('logLevel')]: 3 },
      ];
      for (const _meta of wrong) {
        const { message } = await client.request(method, withEnvelope({ _meta }));
        expect([_meta, errorOf(message).code]).toEqual([_meta, -32602]);
      }
    },
  );

  it.each(['initialize', 'ping', 'tools/list'])(
    'one pipe that is sent what nobody should send takes params that are null as none for %s',
    async (method) => {
      expect(resultOf((await client.request(method, null as unknown as JsonObject)).message)).toBeDefined();
    },
  );

  it.each([[undefined], [null], ['all'], [[]]])(
    'one pipe that is sent what nobody should send refuses to listen to %j',
    async (notifications) => {
      const { message } = await client.modern('subscriptions/listen', { notifications } as JsonObject);
      expect(errorOf(message).code).toBe(-32602);
    },
  );

  it.each<[unknown]>([[undefined], [null], [7], [{}], [['server:echo']]])(
    'one pipe that is sent what nobody should send refuses a call of the tool %j',
    async (name) => {
      const params = { name, arguments: {} } as JsonObject;
      for (const { message } of [await client.request('tools/call', params), await client.modern('tools/call', params)])
        expect(errorOf(message).code).toBe(-32602);
    },
  );

  it('one pipe that is sent what nobody should send answers an unknown method, also one that the other era has, with -32601', async () => {
    for (const method of ['no/such', '', '__proto__', 'subscriptions/listen', 'tasks/update'])
      expect(errorOf((await client.request(method)).message).code).toBe(-32601);
    for (const method of ['no/such', 'ping', 'logging/setLevel', 'tasks/list', 'tasks/result'])
      expect(errorOf((await client.modern(method)).message).code).toBe(-32601);
  });

  it('one pipe that is sent what nobody should send answers a request of the stateless era in another version with -32022 and what it speaks', async () => {
    for (const version of ['2025-11-25', '2099-01-01', '']) {
      const { message } = await client.modern('tools/list', {}, { version });
      expect(errorOf(message)).toMatchObject({ code: -32022, data: { supported, requested: version } });
    }
  });

  it('one pipe that is sent what nobody should send wants the client capabilities on every request of the stateless era, but not who the client is', async () => {
    const version = { [metaKey('protocolVersion')]: '2026-07-28' };
    for (const method of modernMethods) {
      const { message } = await client.request(method, { _meta: version });
      expect([method, errorOf(message).code]).toEqual([method, -32602]);
    }
    const { message } = await client.request('server/discover', {
      _meta: { ...version, [metaKey('clientCapabilities')]: {} },
    });
    expect(resultOf(message).resultType).toBe('complete');
  });

  it('one pipe that is sent what nobody should send answers server/discover without metadata with -32602', async () => {
    expect(errorOf((await client.request('server/discover')).message).code).toBe(-32602);
  });

  it('one pipe that is sent what nobody should send refuses an unknown log level', async () => {
    for (const level of ['loud', 7, null, undefined])
      expect(errorOf((await client.request('logging/setLevel', { level } as JsonObject)).message).code).toBe(-32602);
  });

  it('one pipe that is sent what nobody should send ignores answers and notifications that nobody waits for', async () => {
    const before = client.messages.length;
    for (const line of [
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","method":"no/such","params":[1]}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":"x"}',
    ])
      client.send(line);
    await client.request('ping');
    expect(client.messages).toHaveLength(before + 1);
  });
});

describe('the beginning of a conversation', () => {
  it.each<[Json | undefined, string]>([
    ...versions.map((version): [Json, string] => [version, version]),
    ['2099-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    [7, '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('initialize with version %j is answered with %s', async (asked, answered) => {
    const client = startProgram({ config });
    const { message } = await initialize(client, asked);
    expect(resultOf(message)).toEqual({
      protocolVersion: answered,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
        // No earlier revision knows them.
        ...(answered === '2025-11-25' && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
      },
      serverInfo: { name: 'mcp-workbench', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      instructions: expect.stringContaining('server'),
    });
    await finish(client);
  });

  it('a conversation refuses what comes before its beginning, says what to do, and goes on', async () => {
    const client = startProgram({ config });
    for (const method of ['tools/list', 'tools/call', 'no/such']) {
      const error = errorOf((await client.request(method)).message);
      expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("send 'initialize' first") });
    }
    await client.legacyHandshake();
    expect(resultOf((await client.request('tools/list')).message).tools).not.toEqual([]);
    await finish(client);
  });

  it('a conversation needs nothing before server/discover, which says all that a client must know', async () => {
    const client = startProgram({ config, args: ['--name', 'my-bench', '--version', '9.9.9'] });
    expect(resultOf((await client.modern('server/discover')).message)).toEqual({
      resultType: 'complete',
      supportedVersions: supported,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
      instructions: expect.stringContaining('server'),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [metaKey('serverInfo')]: { name: 'my-bench', version: '9.9.9' } },
    });
    const { message } = await initialize(client, '2025-11-25');
    expect(resultOf(message).serverInfo).toEqual({ name: 'my-bench', version: '9.9.9' });
    await finish(client);
  });

  it('a conversation may be both eras at once: each request is answered in its own', async () => {
    const client = startProgram({ config });
    const call = { name: 'server:add', arguments: { a: 1, b: 2 } };
    const first = await client.modern('tools/call', call);
    await client.legacyHandshake();
    const [legacy, modern] = await Promise.all([client.request('tools/call', call), client.modern('tools/call', call)]);
    expect(resultOf(legacy.message)).toEqual({ content: [{ type: 'text', text: '3' }], structuredContent: { sum: 3 } });
    const identity = { [metaKey('serverInfo')]: { name: 'mcp-workbench', version: expect.any(String) } };
    for (const { message } of [first, modern])
      expect(resultOf(message)).toEqual({ ...resultOf(legacy.message), resultType: 'complete', _meta: identity });
    await finish(client);
  });
});

describe('batches', () => {
  const batch = JSON.stringify([
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'b', method: 'no/such' },
    7,
  ]);

  it.each(['2025-11-25', '2025-06-18', '2024-11-05'])('batches are refused in version %s', async (version) => {
    const client = startProgram({ config });
    await client.legacyHandshake(version);
    client.send(batch);
    const { message } = await client.waitFor(({ id }) => id === null);
    expect(errorOf(message).code).toBe(-32600);
    await finish(client);
  });

  it('batches are answered as one array in version 2025-03-26, and not at all when they ask nothing', async () => {
    const client = startProgram({ config });
    await client.legacyHandshake('2025-03-26');
    client.send('[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    client.send(batch);
    await client.request('ping', {}, { id: 'after' });
    expect((await client.close()).code).toBe(0);
    const arrays = client.lines.map((line): Json => JSON.parse(line) as Json).filter(Array.isArray);
    expect(arrays).toHaveLength(1);
    expect(arrays[0]).toMatchObject([
      { jsonrpc: '2.0', id: 'a', result: {} },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601 } },
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ]);
  });
});

describe('the end of the input', () => {
  it('the end of the input comes after the answers to all that was asked before it', async () => {
    const client = startProgram({ config });
    await client.legacyHandshake();
    const slow = (ms: number) => ({ name: 'server:slow', arguments: { ms } });
    const asked = [
      client.request('tools/call', slow(500)),
      client.modern('tools/call', slow(300)),
      client.request('tools/list'),
      client.request('ping'),
    ];
    const end = client.close();
    const [legacy, modern, list, ping] = (await Promise.all(asked)).map(({ message }) => message);
    expect([legacy, modern].map((message) => textOf(message ?? {}))).toEqual([
      'done after 0 steps',
      'done after 0 steps',
    ]);
    expect(resultOf(list ?? {}).tools).not.toEqual([]);
    expect(resultOf(ping ?? {})).toEqual({});
    expect((await end).code).toBe(0);
    assertOnlyMessages(client.lines);
  });
});
