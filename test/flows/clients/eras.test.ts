// @module-tag large
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { metaKey } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { combinations, type EraClient, errorOf, linesOf, resultOf, startEra, textOf } from '../support.ts';

const progress = 'notifications/progress';

describe.each(combinations)('a %s client calls a %s server', (clientEra, serverEra) => {
  let client: EraClient;
  let cancelLog: string;
  const cancelled = () => linesOf(cancelLog).map((line) => JSON.parse(line) as JsonObject);

  beforeAll(async () => {
    cancelLog = join(tempDir(), 'cancelled');
    const server = fixture(`raw-${serverEra}`, { CANCEL_LOG: cancelLog });
    const brief = { ...fixture(`raw-${serverEra}`, { CANCEL_LOG: cancelLog }), timeoutMs: 1_000 };
    client = await startEra(clientEra, { config: { mcpServers: { server, brief } } });
    await client.names();
    return async () => {
      assertOnlyMessages(client.lines);
      expect((await client.close()).code).toBe(0);
    };
  });

  it.each(['token', 7, 0, ''])(
    'hears all 120 steps of a burst in order before the answer, under its token %j',
    async (token) => {
      const before = client.messages.length;
      const answer = await client.call('server:progress_burst', { count: 120 }, { progressToken: token });
      expect(textOf(answer)).toBe('burst of 120');
      const since = client.messages.slice(before).map(({ message }) => message);
      expect(since.pop()).toBe(answer);
      expect(since).toHaveLength(120);
      for (const [index, { method, params }] of since.entries()) {
        expect(method).toBe(progress);
        const step = index + 1;
        expect(params).toEqual({ progressToken: token, progress: step, total: 120, message: `step ${step} of 120` });
      }
    },
  );

  it('hears no progress that it did not ask for', async () => {
    const before = client.messages.length;
    expect(textOf(await client.call('server:progress_burst', { count: 5 }))).toBe('burst of 5');
    expect(client.messages).toHaveLength(before + 1);
  });

  it('cancels a call: the server hears it, no answer comes, and other calls go on', async () => {
    const other = client.call('server:slow', { ms: 400, steps: 0 });
    client.post(
      'tools/call',
      { name: 'server:slow', arguments: { ms: 20_000, steps: 400 } },
      { id: 'given up', progressToken: 'given up' },
    );
    await client.waitFor(
      ({ method, params }) => method === progress && (params as JsonObject).progressToken === 'given up',
    );
    client.notify('notifications/cancelled', { requestId: 'given up', reason: 'changed my mind' });
    await eventually(() => expect(cancelled()).toContainEqual(expect.objectContaining({ tool: 'slow' })));
    expect(textOf(await other)).toBe('done after 0 steps');
    const ofGivenUp = () => client.heard(progress).filter(({ progressToken }) => progressToken === 'given up').length;
    const heard = ofGivenUp();
    // Steps of the same length as those of the call that was given up, by the same server.
    await client.call('server:slow', { ms: 200, steps: 4 }, { progressToken: 'after it' });
    expect(ofGivenUp()).toBe(heard);
    expect(client.messages.filter(({ message }) => message.id === 'given up')).toEqual([]);
    expect(textOf(await client.call('server:add', { a: 1, b: 2 }))).toBe('3');
  });

  it('takes no notice of a cancellation that names no open call', async () => {
    for (const requestId of ['unknown', 12_345, null, {}, undefined])
      client.notify('notifications/cancelled', requestId === undefined ? {} : { requestId });
    expect(textOf(await client.call('server:add', { a: 1, b: 2 }))).toBe('3');
  });

  it('is told after timeoutMs that a call took too long, and so is the server', async () => {
    const answer = await client.call('brief:hang');
    expect(resultOf(answer).isError).toBe(true);
    expect(textOf(answer)).toContain('[WB1011]');
    await eventually(() =>
      expect(cancelled()).toContainEqual(expect.objectContaining({ tool: 'hang', reason: 'time limit' })),
    );
  });

  it('keeps a call alive beyond timeoutMs as long as it makes progress, and only then', async () => {
    const slow = { ms: 2_500, steps: 25 };
    const [heard, silent] = await Promise.all([
      client.call('brief:slow', slow, { progressToken: 'alive' }),
      client.call('brief:slow', slow),
    ]);
    expect(textOf(heard)).toBe('done after 25 steps');
    expect(textOf(silent)).toContain('[WB1011]');
  });

  it('gets the error of a tool with what its era allows', async () => {
    const original = { code: -32077, message: 'boom', data: { why: 'boom' }, extra: { kept: true } };
    const error = errorOf(await client.call('server:boom'));
    if (clientEra === 'legacy') expect(error).toEqual(original);
    else expect(error).toEqual({ code: -32603, message: 'boom', data: { original } });
  });

  it('passes its own metadata and parameters on, but nothing that belongs to its hop', async () => {
    const vendor = {
      'com.example/x': { deep: [1] },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const hop = {
      [metaKey('clientInfo')]: { name: 'spy', version: '0' },
      [metaKey('clientCapabilities')]: { roots: {} },
    };
    const params = {
      name: 'server:seen',
      arguments: { a: 1 },
      vendorParam: true,
      _meta: { ...vendor, ...hop, progressToken: 'mine' },
    };
    const seen = resultOf(await client.ask('tools/call', params)).structuredContent as JsonObject;
    const own = {
      [metaKey('protocolVersion')]: '2026-07-28',
      [metaKey('clientInfo')]: { name: 'mcp-workbench', version: expect.any(String) },
      // What a client of the handshake era can do was said at its beginning.
      [metaKey('clientCapabilities')]: {
        ...(clientEra === 'modern' ? { roots: {} } : {}),
        // Tasks of servers are driven by us.
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    expect(seen).toEqual({
      name: 'seen',
      arguments: { a: 1 },
      vendorParam: true,
      _meta: { ...vendor, ...(serverEra === 'modern' ? own : {}), progressToken: expect.any(Number) },
    });
  });

  it('sends a server no metadata of the stateless era that was not asked for', async () => {
    const _meta =
      clientEra === 'legacy'
        ? { [metaKey('logLevel')]: 'debug', [metaKey('subscriptionId')]: 1 }
        : { [metaKey('subscriptionId')]: 1 };
    const seen = resultOf(await client.ask('tools/call', { name: 'server:seen', _meta }))
      .structuredContent as JsonObject;
    const keys = Object.keys((seen._meta ?? {}) as JsonObject).sort();
    expect(keys).toEqual(
      serverEra === 'legacy' ? [] : ['clientCapabilities', 'clientInfo', 'protocolVersion'].map(metaKey),
    );
  });

  it('tells the ids 901 and "901" apart while both are open', async () => {
    const [slow, quick] = await Promise.all([
      client.call('server:slow', { ms: 200 }, { id: 901 }),
      client.call('server:echo', { value: 'quick' }, { id: '901' }),
    ]);
    expect(slow.id).toBe(901);
    expect(textOf(slow)).toBe('done after 0 steps');
    expect(quick.id).toBe('901');
    expect(resultOf(quick).structuredContent).toEqual({ value: 'quick' });
  });

  it('refuses a second request under an id that is still open, and answers the first', async () => {
    const first = client.messages.length;
    client.post('tools/call', { name: 'server:slow', arguments: { ms: 200 } }, { id: 'twice' });
    client.post('tools/call', { name: 'server:add', arguments: { a: 1, b: 1 } }, { id: 'twice' });
    const answers = () =>
      client.messages
        .slice(first)
        .map(({ message }) => message)
        .filter(({ id }) => id === 'twice');
    await eventually(() => answers().length === 2);
    expect(answers().map(({ error, result }) => (error as JsonObject)?.code ?? typeof result)).toEqual([
      -32600,
      'object',
    ]);
  });
});

describe.each(combinations)('log messages from a %s client to a %s server and back', (clientEra, serverEra) => {
  const levelsOf = (logs: JsonObject[]) => logs.map(({ level }) => level);
  const heard = (client: EraClient) => client.heard('notifications/message').length;

  it('come for the calls and down to the level that the client asked for, and name the server', async () => {
    const client = await startEra(clientEra, { config: { mcpServers: { server: fixture(`raw-${serverEra}`) } } });
    await client.names();
    const log = async (logLevel: string) => {
      if (clientEra === 'legacy')
        expect(resultOf(await client.ask('logging/setLevel', { level: logLevel }))).toEqual({});
      const before = client.messages.length;
      const answer = await client.call('server:log', {}, { logLevel });
      expect(client.messages.at(-1)?.message).toBe(answer);
      return client.messages.slice(before, -1).map(({ message }) => message.params as JsonObject);
    };
    // The wider wish first: a server that goes on sending all of it must not be heard by who wants less.
    expect(levelsOf(await log('notice'))).toEqual(['notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
    const errors = await log('error');
    expect(levelsOf(errors)).toEqual(['error', 'critical', 'alert', 'emergency']);
    expect(errors[0]).toEqual({ level: 'error', logger: 'server/raw', data: { text: 'a message at error' } });
    await client.close();
  });

  it('do not come unasked', async () => {
    const client = await startEra(clientEra, { config: { mcpServers: { server: fixture(`raw-${serverEra}`) } } });
    if (clientEra === 'modern') await client.call('server:log', {}, { logLevel: 'emergency' });
    const before = heard(client);
    await client.call('server:log');
    expect(heard(client)).toBe(before);
    await client.close();
  });
});
