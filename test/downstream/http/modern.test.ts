// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eras, listChanged, startEra, textOf } from '../../flows/support.ts';
import { eventually } from '../../support/eventually.ts';
import { plainTool, startModern } from './modern-server.ts';

const configOf = (url: string, extra: JsonObject = {}) => ({ mcpServers: { far: { url, ...extra } }, separator: '__' });

describe.each(eras)('a server of the stateless era behind a URL, for a client of the %s era', (era) => {
  it('is listed and called', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    expect(await client.names()).toContain('far__echo');
    expect(textOf(await client.call('far__echo', { a: 'ä' }))).toBe('{"a":"ä"}');
    expect(server.asked('initialize')).toEqual([]);
  });

  it('passes on what it says on the stream of a call before its answer', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    if (era === 'legacy') await client.ask('logging/setLevel', { level: 'debug' });
    const answer = await client.call('far__streamed', {}, { progressToken: 'p', logLevel: 'debug' });
    expect(textOf(answer)).toBe('streamed');
    expect(client.heard('notifications/progress')).toMatchObject([{ progressToken: 'p', progress: 1 }]);
    expect(client.heard('notifications/message')).toMatchObject([{ data: 'said on the stream' }]);
  });

  it('may spread one message over many lines', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    expect(textOf(await client.call('far__pretty'))).toBe('pretty');
  });

  it('has a call ended when the client cancels it', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    client.post('tools/call', { name: 'far__slow', arguments: { ms: 60_000 } }, { id: 'slow-one' });
    await eventually(() => server.asked('tools/call').length === 1);
    client.notify('notifications/cancelled', { requestId: 'slow-one' });
    await eventually(() => expect(server.cancelled).toEqual(['slow']));
    expect(server.asked('notifications/cancelled')).toEqual([]);
  });

  it('fails a call whose stream ends without an answer, and says that the outcome is unknown', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    const answer = await client.call('far__cut');
    expect(JSON.stringify(answer)).toContain('unknown');
    expect(textOf(await client.call('far__echo', {}))).toBe('{}');
  });

  it('is connected again by the next call after it was gone', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    await server.close();
    // A connection that is just being closed may still be tried once.
    await eventually(async () => expect(JSON.stringify(await client.call('far__echo'))).toContain('ECONNREFUSED'));
    const next = await startModern({ port: server.port });
    expect(textOf(await client.call('far__echo', { back: true }))).toBe('{"back":true}');
    expect(next.asked('server/discover')).toHaveLength(1);
  });

  it('fails a call whose plain answer breaks off, and says that the outcome is unknown', async () => {
    const server = await startModern({
      first: ({ message }, response) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc":');
        setTimeout(() => response.destroy(), 50);
        return true;
      },
    });
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    expect(JSON.stringify(await client.call('far__echo'))).toContain('unknown');
  });

  it('passes on an error of the tool with its data', async () => {
    const server = await startModern();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    expect((await client.call('far__boom')).error).toMatchObject({ code: 4711, data: { why: 1 } });
  });
});

describe('a server of the stateless era behind a URL', () => {
  it('is heard again when its stream of announcements broke off', async () => {
    const server = await startModern();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await eventually(() => server.listening.size === 1);
    server.tools = [plainTool('first')];
    server.announce();
    await eventually(() => client.heard(listChanged).length === 1);
    for (const stream of server.listening) stream.destroy();
    server.tools = [plainTool('second')];
    await eventually(async () => expect(await client.names()).toEqual(['far__second']), 10_000);
    expect(server.asked('subscriptions/listen').map(({ message }) => message.id)).toEqual([
      expect.stringMatching(/^listen-\d+-1$/),
      expect.stringMatching(/^listen-\d+-2$/),
    ]);
  });

  it('gets annotated arguments as headers, encoded where a header could not hold them', async () => {
    const server = await startModern();
    server.tools = [
      plainTool('héaders', {}),
      plainTool('headers', {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
        empty: { type: 'string', 'x-mcp-header': 'Empty' },
        deep: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
      }),
    ];
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    const args = { region: 'Zürich', count: 7, absent: null, empty: '', deep: { on: false } };
    const seen = JSON.parse(textOf(await client.call('far__headers', args))) as JsonObject;
    expect(seen).toMatchObject({
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-param-count': '7',
      'mcp-param-empty': '=?base64??=',
      'mcp-param-on': 'false',
      'mcp-name': 'headers',
    });
    expect(Object.keys(seen)).not.toContain('mcp-param-absent');
    await client.call('far__héaders');
    expect(server.seen.at(-1)?.headers['mcp-name']).toBe('=?base64?aMOpYWRlcnM=?=');
  });

  it.each([
    ['a kind of value that no header can hold', { on: { type: 'object', 'x-mcp-header': 'On' } }],
    ['a name that no header can have', { on: { type: 'string', 'x-mcp-header': 'On line' } }],
    [
      'two for one header',
      { on: { type: 'string', 'x-mcp-header': 'On' }, off: { type: 'string', 'x-mcp-header': 'ON' } },
    ],
  ])('has a tool left out whose annotations break a rule: %s', async (_, properties) => {
    const server = await startModern();
    server.tools = [plainTool('good', {}), plainTool('bad', properties)];
    const client = await startEra('modern', { config: configOf(server.url) });
    expect(await client.names()).toEqual(['far__good']);
    await client.call('far__bad');
    expect(server.asked('tools/call')).toEqual([]);
  });

  it('has its tools read anew, once, when it wants other headers than it listed', async () => {
    const server = await startModern();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    const before = server.asked('tools/list').length;
    server.tools = [plainTool('echo', { region: { type: 'string', 'x-mcp-header': 'Region' } })];
    expect(textOf(await client.call('far__echo', { region: 'eu' }))).toBe('{"region":"eu"}');
    expect(server.asked('tools/call').map(({ headers }) => headers['mcp-param-region'])).toEqual([undefined, 'eu']);
    expect(server.asked('tools/list').length).toBeGreaterThan(before);
  });

  it('is given up after the second refusal of our headers, in words of our own', async () => {
    const server = await startModern({
      first: ({ message }, response) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32020, message: 'no' } }));
        return true;
      },
    });
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    expect((await client.call('far__echo')).error).toMatchObject({ code: -32603 });
    expect(server.asked('tools/call')).toHaveLength(2);
  });
});
