import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { metaKey } from './envelope.ts';
import { eventually } from './eventually.ts';
import { tempDir } from './processes.ts';
import { type RawClient, startRaw } from './raw-client.ts';
import { fixture } from './servers.ts';
import { assertOnlyMessages } from './wire-check.ts';

function start(options: Parameters<typeof fixture>[1] = {}): RawClient {
  const { command, args } = fixture('raw-modern', options);
  return startRaw(command, args);
}

const sent = (client: RawClient, method: string) =>
  client.messages.filter(({ message }) => message.method === method).map(({ message }) => message.params as JsonObject);

const stamp = { resultType: 'complete', _meta: { [metaKey('serverInfo')]: { name: 'raw-modern', version: '1.0.0' } } };

describe('discovery and metadata', () => {
  it('describes itself to server/discover', async () => {
    const client = start({ INSTRUCTIONS: 'read me', TTL_MS: 500 });
    const { message } = await client.modern('server/discover');
    expect(message.result).toEqual({
      ...stamp,
      ttlMs: 500,
      cacheScope: 'public',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: 'read me',
    });
    assertOnlyMessages(client.lines);
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'refuses initialize for %s with the versions it supports',
    async (requested) => {
      const { message } = await start().legacyHandshake(requested);
      expect(message.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested } });
    },
  );

  it('refuses a request without its version', async () => {
    expect((await start().request('tools/list', {})).message.error).toMatchObject({ code: -32602 });
  });

  it('refuses a request without the capabilities of the client', async () => {
    const params = { _meta: { [metaKey('protocolVersion')]: '2026-07-28' } };
    expect((await start().request('tools/list', params)).message.error).toMatchObject({ code: -32602 });
  });

  it('refuses a version it does not know', async () => {
    const { message } = await start().modern('tools/list', {}, { version: '2099-01-01' });
    expect(message.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } });
  });

  it.each(['ping', 'logging/setLevel', 'acme/x'])('does not know %s', async (method) => {
    expect((await start().modern(method)).message.error).toMatchObject({ code: -32601 });
  });
});

describe('lists and calls', () => {
  it('lists in pages that carry how long they may be kept', async () => {
    const client = start({ TOOLS: 'echo,add', PAGE_SIZE: 1 });
    const first = (await client.modern('tools/list')).message.result as JsonObject;
    const second = (await client.modern('tools/list', { cursor: first.nextCursor as string })).message.result;
    expect(first).toMatchObject({ ...stamp, ttlMs: 0, cacheScope: 'public', tools: [{ name: 'echo' }] });
    expect(second).toMatchObject({ ...stamp, ttlMs: 0, cacheScope: 'public', tools: [{ name: 'add' }] });
    expect(second).not.toHaveProperty('nextCursor');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['add', { a: 2, b: 3 }, { structuredContent: { sum: 5 } }],
    ['fail', {}, { isError: true }],
    ['odd', {}, { vendorField: { at: 'result' }, _meta: { 'com.example/trace': {}, ...stamp._meta } }],
    ['progress_burst', {}, { content: [{ text: 'burst of 10' }] }],
    ['string_id', {}, { content: [{ text: 'string id' }] }],
  ])('stamps the result of %s', async (name, args, expected) => {
    const { message } = await start().modern('tools/call', { name, arguments: args }, { id: `call of ${name}` });
    expect(message.result).toMatchObject({ ...stamp, ...expected });
  });

  it('shows the params it received, metadata included', async () => {
    const { message } = await start().modern('tools/call', { name: 'seen', vendor: 1 }, { progressToken: 't' });
    expect(message.result).toMatchObject({
      structuredContent: {
        name: 'seen',
        vendor: 1,
        _meta: { [metaKey('protocolVersion')]: '2026-07-28', [metaKey('clientCapabilities')]: {}, progressToken: 't' },
      },
    });
  });

  it('logs only for a request that asks, and only from that level', async () => {
    const client = start();
    await client.modern('tools/call', { name: 'log' });
    expect(sent(client, 'notifications/message')).toEqual([]);
    await client.modern('tools/call', { name: 'log' }, { logLevel: 'alert' });
    expect(sent(client, 'notifications/message').map(({ level }) => level)).toEqual(['alert', 'emergency']);
  });

  it('sends progress under the token of the request', async () => {
    const client = start();
    const params = { name: 'slow', arguments: { ms: 30, steps: 2 } };
    await client.modern('tools/call', params, { progressToken: 9 });
    expect(sent(client, 'notifications/progress')).toMatchObject([
      { progressToken: 9, progress: 1 },
      { progressToken: 9, progress: 2 },
    ]);
  });

  it('stops a call that is cancelled and never answers it', async () => {
    const file = join(tempDir(), 'cancelled');
    const client = start({ CANCEL_LOG: file });
    const params = { name: 'slow', arguments: { ms: 300 } };
    const answer = client.modern('tools/call', params, { id: 5, timeoutMs: 800 });
    client.notify('notifications/cancelled', { requestId: 5 });
    await expect(answer).rejects.toThrow('nothing after 800 ms');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ tool: 'slow', id: 5 });
  });
});

describe('subscriptions/listen', () => {
  const listenTo = (notifications: JsonObject) => ({ notifications });

  it('acknowledges what it honours and tags every announcement with the id of the request', async () => {
    const client = start();
    const filter = listenTo({ toolsListChanged: true, promptsListChanged: true });
    client.modern('subscriptions/listen', filter, { id: 'l1' }).catch(() => {});
    const { message } = await client.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(message.params).toEqual({
      notifications: { toolsListChanged: true },
      _meta: { [metaKey('subscriptionId')]: 'l1' },
    });
    await client.modern('tools/call', { name: 'grow' });
    const announcements = sent(client, 'notifications/tools/list_changed');
    expect(announcements).toEqual(Array(5).fill({ _meta: { [metaKey('subscriptionId')]: 'l1' } }));
  });

  it.each([
    ['nobody listens', undefined, false],
    ['the listener did not ask for tools', { promptsListChanged: true }, false],
    ['the listener has cancelled', { toolsListChanged: true }, true],
  ])('announces nothing when %s', async (_, notifications, cancels) => {
    const client = start();
    if (notifications !== undefined) {
      client.modern('subscriptions/listen', listenTo(notifications), { id: 1 }).catch(() => {});
    }
    if (cancels) client.notify('notifications/cancelled', { requestId: 1 });
    await client.modern('tools/call', { name: 'grow' }, { id: 2 });
    expect(sent(client, 'notifications/tools/list_changed')).toEqual([]);
  });

  it('ends an open subscription with a result when its stdin ends', async () => {
    const client = start();
    const answer = client.modern('subscriptions/listen', listenTo({ toolsListChanged: true }), { id: 3 });
    await eventually(() => client.messages.length === 1);
    await client.close();
    expect((await answer).message.result).toEqual({
      resultType: 'complete',
      _meta: { [metaKey('subscriptionId')]: 3 },
    });
  });
});
