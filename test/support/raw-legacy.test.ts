import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { tempDir } from './processes.ts';
import { type RawClient, startRaw } from './raw-client.ts';
import { fixture } from './servers.ts';
import { assertOnlyMessages } from './wire-check.ts';

type Options = Parameters<typeof fixture>[1];

async function connect(options: Options = {}): Promise<RawClient> {
  const { command, args } = fixture('raw-legacy', options);
  const client = startRaw(command, args);
  await client.legacyHandshake();
  return client;
}

const call = (client: RawClient, name: string, args: JsonObject = {}, meta?: JsonObject) =>
  client.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });

const sent = (client: RawClient, method: string) => client.messages.filter(({ message }) => message.method === method);

describe('the handshake', () => {
  it('answers the version that was asked for, with name, instructions and capabilities', async () => {
    const { command, args } = fixture('raw-legacy', { NAME: 'files', INSTRUCTIONS: 'read me' });
    const { message } = await startRaw(command, args).legacyHandshake('2025-03-26');
    expect(message.result).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'files', version: '1.0.0' },
      instructions: 'read me',
    });
  });

  it.each([
    ['an unknown version', {}, '2026-07-28', '2025-11-25'],
    ['any version when told to', { ANSWER_VERSION: '2099-01-01' }, '2025-11-25', '2099-01-01'],
  ])('answers its own version to %s', async (_, options, asked, answered) => {
    const { command, args } = fixture('raw-legacy', options);
    const { message } = await startRaw(command, args).legacyHandshake(asked);
    expect(message.result).toMatchObject({ protocolVersion: answered });
  });
});

describe('tools that answer at once', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['echo', { a: [1], __proto: 'x' }, { structuredContent: { a: [1], __proto: 'x' } }],
    ['add', { a: 2, b: 3 }, { content: [{ type: 'text', text: '5' }], structuredContent: { sum: 5 } }],
    ['fail', {}, { content: [{ type: 'text', text: 'it failed' }], isError: true }],
    ['big', { bytes: 3 }, { content: [{ type: 'text', text: 'xxx' }] }],
    ['my__special__tool', {}, { content: [{ type: 'text', text: 'special' }] }],
    ['seen', { x: 1 }, { structuredContent: { name: 'seen', arguments: { x: 1 } } }],
  ])('%s gives what it promises', async (name, args, expected) => {
    const client = await connect();
    expect((await call(client, name, args)).message.result).toMatchObject(expected);
    assertOnlyMessages(client.lines);
  });

  it('answers a JSON-RPC error with data and an unknown member from boom', async () => {
    const { message } = await call(await connect(), 'boom');
    expect(message.error).toEqual({ code: -32077, message: 'boom', data: { why: 'boom' }, extra: { kept: true } });
  });

  it('writes numbers and fields from odd that no parser gives back', async () => {
    const { raw, message } = await call(await connect(), 'odd');
    expect(raw).toContain('"structuredContent":{"big":9007199254740993,"one":1.0,');
    expect(raw).toContain('{"type":"hologram","data":{"rays":9007199254740993}}');
    expect(message.result).toMatchObject({ vendorField: { at: 'result' }, _meta: { 'com.example/trace': {} } });
  });

  it('tells its environment and its process id', async () => {
    const { command, args } = fixture('raw-legacy');
    const client = startRaw(command, args, { env: { FIXTURE_SAYS: 'hello' } });
    const { message } = await call(client, 'env', { names: ['FIXTURE_SAYS', 'NOT_SET_ANYWHERE'] });
    expect(message.result).toMatchObject({
      structuredContent: {
        names: expect.arrayContaining(['FIXTURE_SAYS']),
        values: { FIXTURE_SAYS: 'hello', NOT_SET_ANYWHERE: null },
      },
    });
    expect((await call(client, 'pid')).message.result).toMatchObject({ structuredContent: { pid: client.pid } });
  });

  it('refuses a tool and a method it does not have', async () => {
    const client = await connect();
    expect((await call(client, 'nope')).message.error).toMatchObject({ code: -32602 });
    expect((await client.request('server/discover')).message.error).toMatchObject({ code: -32601 });
  });
});

describe('tools that take time', () => {
  it('sends the progress that was asked for, before the answer', async () => {
    const client = await connect();
    await call(client, 'slow', { ms: 40, steps: 3 }, { progressToken: 'p' });
    expect(sent(client, 'notifications/progress').map(({ message }) => message.params)).toEqual(
      [1, 2, 3].map((step) => ({ progressToken: 'p', progress: step, total: 3, message: `step ${step} of 3` })),
    );
    expect(client.messages.at(-1)?.message.result).toBeDefined();
  });

  it('sends no progress that was not asked for', async () => {
    const client = await connect();
    await call(client, 'slow', { ms: 10, steps: 3 });
    await call(client, 'progress_burst', { count: 3 });
    expect(sent(client, 'notifications/progress')).toEqual([]);
  });

  it('writes a burst of progress in order and then the result', async () => {
    const client = await connect();
    await call(client, 'progress_burst', { count: 200 }, { progressToken: 7 });
    const progress = sent(client, 'notifications/progress').map(({ message }) => message.params as JsonObject);
    expect(progress.map((params) => params.progress)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(client.messages.at(-1)?.message.result).toBeDefined();
  });

  it.each(['slow', 'hang'])('stops %s when it is cancelled, says so in the file, and never answers', async (name) => {
    const file = join(tempDir(), 'cancelled');
    const client = await connect({ CANCEL_LOG: file });
    const answer = client.request('tools/call', { name, arguments: { ms: 300 } }, { id: 'c1', timeoutMs: 800 });
    client.notify('notifications/cancelled', { requestId: 'c1', reason: 'enough' });
    await expect(answer).rejects.toThrow('nothing after 800 ms');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ tool: name, id: 'c1', reason: 'enough' });
  });

  it('logs at all eight levels, and only from the level that was set', async () => {
    const client = await connect();
    await call(client, 'log');
    expect(sent(client, 'notifications/message')).toHaveLength(8);
    await client.request('logging/setLevel', { level: 'critical' });
    await call(client, 'log');
    const levels = sent(client, 'notifications/message').map(({ message }) => message.params as JsonObject);
    expect(levels.slice(8).map(({ level, logger }) => [level, logger])).toEqual(
      ['critical', 'alert', 'emergency'].map((level) => [level, 'raw']),
    );
    expect((await client.request('logging/setLevel', { level: 'loud' })).message.error).toMatchObject({ code: -32602 });
  });

  it('grows its list and announces it five times', async () => {
    const client = await connect({ TOOLS: 'grow' });
    await call(client, 'grow', { count: 2 });
    expect(sent(client, 'notifications/tools/list_changed')).toHaveLength(5);
    const { message } = await client.request('tools/list');
    expect((message.result as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      'grow',
      'extra_1',
      'extra_2',
    ]);
    expect((await call(client, 'extra_2', { value: 'v' })).message.result).toMatchObject({
      content: [{ text: 'extra_2: v' }],
    });
  });
});

describe('tools that break the rules', () => {
  it('exits during the call with the code it is given', async () => {
    const client = await connect();
    await expect(call(client, 'exit', { code: 7 })).rejects.toThrow('exited with 7');
    expect(await client.exited).toMatchObject({ code: 7 });
  });

  it.each<[string, string | number, string | number]>([
    ['wrong_id_type', 41, '41'],
    ['wrong_id_type', '42', 42],
    ['string_id', 43, '43'],
    ['string_id', 'x', 'x'],
  ])('answers %s under another id: %j becomes %j', async (name, id, answered) => {
    const client = await connect();
    client.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }));
    const { message } = await client.waitFor((found) => found.id === answered && found.result !== undefined);
    expect(message.id).toBe(answered);
  });

  it('takes no answer under an id of another type for the answer', async () => {
    const answer = (await connect()).request('tools/call', { name: 'wrong_id_type' }, { timeoutMs: 300 });
    await expect(answer).rejects.toThrow('nothing after 300 ms');
  });

  it('answers other calls while one hangs', async () => {
    const client = await connect();
    const hanging = call(client, 'hang');
    hanging.catch(() => {});
    expect((await call(client, 'add', { a: 1, b: 1 })).message.result).toMatchObject({ structuredContent: { sum: 2 } });
  });
});
