// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Limits } from '../../../src/config/model/schema-limits.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { exchange, openStream } from '../http-exchange.ts';
import { type HttpProgram, startHttpProgram } from '../http-program.ts';
import { type Era, type EraClient, eras, errorOf, startEra, textOf } from '../support.ts';

const good = fixture('raw-legacy');
const start = (era: Era, limits: Partial<Limits>, server = fixture('raw-modern')) =>
  startEra(era, { config: { limits, mcpServers: { good, server } } });
const expectNeighbour = async (client: EraClient) => {
  expect(textOf(await client.call('good:echo', { a: 1 }))).toBe('{"a":1}');
  assertOnlyMessages(client.lines);
};
const busy = { code: -32000, message: expect.stringMatching(/^busy: /) };

describe.each(eras)('over a limit of the configuration a client of the %s era', (era) => {
  it('gets an error for a message that is too large, and answers to what follows', async () => {
    const client = await start(era, { requestBytes: 4_096 });
    const answer = await client.call('good:echo', { text: 'x'.repeat(5_000) }, { id: 'large' });
    expect(errorOf(answer)).toMatchObject({ code: -32600, message: expect.stringContaining('over the limit') });
    await expectNeighbour(client);
  });

  it('gets an error for a message with too many values in it, and answers to what follows', async () => {
    const client = await start(era, { requestValues: 10_000 });
    const answer = await client.call('good:echo', { list: Array.from({ length: 40_000 }, () => 1) }, { id: 'wide' });
    expect(errorOf(answer)).toMatchObject({ code: -32600, data: { code: 'WB1316' } });
    await expectNeighbour(client);
  });

  it('gets an error for an answer with too many values in it, at once, and the server goes on', async () => {
    const client = await start(era, { messageValues: 10_000 });
    const wide = { list: Array.from({ length: 40_000 }, () => 1) };
    expect(textOf(await client.call('server:echo', wide))).toMatch(/more than 10000 values.*\[WB1317\]/);
    expect(textOf(await client.call('server:echo', { b: 2 }))).toBe('{"b":2}');
    await expectNeighbour(client);
  });

  it('gets an error for an answer that is too large, and the server goes on', async () => {
    const client = await start(era, { messageBytes: 65_536 });
    expect(textOf(await client.call('server:big', { bytes: 100_000 }))).toMatch(/the limit is 65536.*\[WB1012\]/);
    expect(textOf(await client.call('server:echo', { b: 2 }))).toBe('{"b":2}');
    await expectNeighbour(client);
  });

  it('is told at once that a server is busy, and other servers are not', async () => {
    const client = await start(era, { callsPerServer: 2 });
    await client.call('server:echo');
    for (const id of ['one', 'two']) client.post('tools/call', { name: 'server:hang', arguments: {} }, { id });
    expect(errorOf(await client.call('server:echo'))).toMatchObject(busy);
    await expectNeighbour(client);
    client.notify('notifications/cancelled', { requestId: 'one' });
    expect(await eventually(async () => textOf(await client.call('server:echo', { c: 3 })))).toBe('{"c":3}');
  });

  it('is told at once that it has too many requests open, until some are answered', async () => {
    const client = await start(era, { requestsPerClient: 2 });
    await client.call('server:echo');
    for (const id of ['one', 'two']) client.post('tools/call', { name: 'server:hang', arguments: {} }, { id });
    expect(errorOf(await client.call('good:echo'))).toMatchObject(busy);
    client.notify('notifications/cancelled', { requestId: 'one' });
    await eventually(() => expectNeighbour(client));
  });
});

describe('over a limit of the configuration a server', () => {
  const namesOf = async (limits: Partial<Limits>, options: Record<string, string | number>) => {
    const few = { TOOLS: 'echo', ...options };
    const mcpServers = { good: fixture('raw-legacy', { TOOLS: 'echo' }), server: fixture('raw-legacy', few) };
    const client = await startEra('legacy', { config: { limits, mcpServers } });
    const names = (await client.names()).filter((name) => name.startsWith('server:'));
    await expectNeighbour(client);
    return { names, stderr: client.stderr };
  };

  it('is read no further than so many pages', async () => {
    const { names, stderr } = await namesOf({ listPages: 3 }, { TOOL_COUNT: 10, PAGE_SIZE: 2 });
    expect(names).toHaveLength(6);
    expect(stderr).toContain('only the first 3 pages of tools/list are used');
  });

  it('is used with no more than so many tools', async () => {
    const { names, stderr } = await namesOf({ listItems: 4 }, { TOOL_COUNT: 10 });
    expect(names).toEqual(['server:echo', 'server:t0', 'server:t1', 'server:t2']);
    expect(stderr).toContain('only the first 4 tools are used');
  });

  it('with exactly so many tools is not over it', async () => {
    const { names, stderr } = await namesOf({ listItems: 11 }, { TOOL_COUNT: 10 });
    expect([names.length, stderr]).toEqual([11, expect.not.stringContaining('WB1014')]);
  });

  it('is not waited for longer than its list may take', async () => {
    const client = await start('legacy', { listMs: 300 }, fixture('hostile', { LIST: 'no answer to the list' }));
    await expectNeighbour(client);
    await eventually(() => expect(client.stderr).toContain('tools/list gave no answer within 0.3 s'));
  });

  it('loses the tools whose schemas are too large, and no others', async () => {
    const client = await start('legacy', { schemaBytes: 64, schemaDepth: 2 });
    const names = await client.names();
    expect(names).toContain('server:hang');
    expect(names).not.toContain('server:slow');
    expect(client.stderr).toContain('WB1021');
  });
});

describe('over a limit of the configuration a client over HTTP', () => {
  const legacy = { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} } };
  const serve = (limits: Partial<Limits>) => startHttpProgram({ limits, mcpServers: { good } });
  const headersOf = ({ token }: HttpProgram) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const post = (place: HttpProgram, body: JsonObject, more: Record<string, string> = {}) =>
    exchange(place.url, { headers: { ...headersOf(place), ...more }, body: { jsonrpc: '2.0', id: 1, ...body } }).ended;
  const modern = (name: string) => ({
    body: { method: 'tools/call', params: withEnvelope({ name, arguments: {} }) },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  });
  const refused = { status: 503, headers: { 'retry-after': '5' } };
  const begin = async (place: HttpProgram) => {
    const { headers } = await post(place, legacy);
    return { ...headersOf(place), 'mcp-session-id': String(headers['mcp-session-id']) };
  };

  it.each(['callsPerServer', 'requestsPerClient'] as const)('gets 503 and when to try again: %s', async (limit) => {
    const place = await serve({ [limit]: 1 });
    const [hang, echo] = [modern('good:hang'), modern('good:echo')];
    expect((await post(place, echo.body, echo.headers)).status).toBe(200);
    const sent = { headers: { ...headersOf(place), ...hang.headers }, body: { jsonrpc: '2.0', id: 1, ...hang.body } };
    const hanging = exchange(place.url, sent);
    const answer = await eventually(async () => {
      const found = await post(place, echo.body, echo.headers);
      expect(found).toMatchObject(refused);
      return found;
    });
    expect(JSON.parse(answer.text)).toMatchObject({ id: 1, error: busy });
    hanging.hangUp();
    await eventually(async () => expect((await post(place, echo.body, echo.headers)).status).toBe(200));
  });

  it('with a session gets the same', async () => {
    const place = await serve({ callsPerServer: 1 });
    const headers = await begin(place);
    const call = (name: string, id: number): JsonObject => ({
      id,
      method: 'tools/call',
      params: { name, arguments: {} },
    });
    await post(place, call('good:echo', 1), headers);
    const hanging = exchange(place.url, { headers, body: { jsonrpc: '2.0', ...call('good:hang', 2) } });
    const answer = await eventually(async () => {
      const found = await post(place, call('good:echo', 3), headers);
      expect(found).toMatchObject(refused);
      return found;
    });
    expect(JSON.parse(answer.text)).toMatchObject({ id: 3, error: busy });
    hanging.hangUp();
  });

  it('gets a session in the place of the one that its owner has not used for longest', async () => {
    const place = await serve({ httpSessions: 1 });
    const first = await begin(place);
    expect((await post(place, legacy)).status).toBe(200);
    expect((await post(place, { method: 'ping' }, first)).status).toBe(404);
  });

  it('keeps no session that rests too long', async () => {
    const place = await serve({ httpSessionIdleMs: 1_000 });
    const headers = await begin(place);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await post(place, { method: 'ping' }, headers)).status).toBe(404);
  });

  it.each([
    [{ httpStreams: 1 }, 2],
    [{ httpStreamsPerSession: 1 }, 1],
  ])('gets no stream too many: %j', async (limits, sessions) => {
    const place = await serve(limits);
    const first = await begin(place);
    const second = sessions === 1 ? first : await begin(place);
    expect((await openStream(place.url, { headers: first }).opened).status).toBe(200);
    expect(await openStream(place.url, { headers: second }).opened).toMatchObject(refused);
  });

  it('gets no connection too many', async () => {
    const place = await serve({ httpConnections: 1 });
    const headers = await begin(place);
    expect((await openStream(place.url, { headers }).opened).status).toBe(200);
    expect(await post(place, { method: 'ping' }, headers)).toMatchObject(refused);
  });
});
