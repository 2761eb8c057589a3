// @module-tag large
import { describe, expect, it } from 'vitest';
import { eras, listChanged, startEra, textOf } from '../../flows/support.ts';
import { eventually } from '../../support/eventually.ts';
import { startLegacy } from './legacy-server.ts';
import { plainTool } from './modern-server.ts';

const configOf = (url: string) => ({ mcpServers: { far: { url } }, separator: '__' });

describe.each(eras)('a server of the handshake era behind a URL, for a client of the %s era', (era) => {
  it('is listed and called within one session of the version it chose', async () => {
    const server = await startLegacy();
    const client = await startEra(era, { config: configOf(server.url) });
    expect(await client.names()).toContain('far__echo');
    expect(textOf(await client.call('far__echo', { a: 1 }))).toBe('{"a":1}');
    const [call] = server.asked('tools/call');
    expect(call?.headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-06-18' });
    const [first] = server.asked('initialize');
    expect(first?.headers['mcp-session-id']).toBeUndefined();
    expect(server.asked('initialize')).toHaveLength(1);
  });

  it('passes on what it says on the stream of a call before its answer', async () => {
    const server = await startLegacy();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    if (era === 'legacy') await client.ask('logging/setLevel', { level: 'debug' });
    const answer = await client.call('far__streamed', {}, { progressToken: 'p', logLevel: 'debug' });
    expect(textOf(answer)).toBe('streamed');
    expect(client.heard('notifications/progress')).toMatchObject([{ progressToken: 'p', progress: 1 }]);
    expect(client.heard('notifications/message')).toMatchObject([{ data: 'said' }]);
  });

  it.each(['resumed', 'twice'])('is heard to the end when the stream of a call breaks off (%s)', async (name) => {
    const server = await startLegacy();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    const answer = await client.call(`far__${name}`, {}, { progressToken: 'p' });
    expect(textOf(answer)).toBe(name);
    expect(client.heard('notifications/progress').map(({ progress }) => progress)).toEqual([1, 2]);
    expect(server.asked('tools/call')).toHaveLength(1);
  });

  it('is told of a call that the client cancelled', async () => {
    const server = await startLegacy();
    const client = await startEra(era, { config: configOf(server.url) });
    await client.names();
    client.post('tools/call', { name: 'far__slow', arguments: { ms: 60_000 } }, { id: 'slow-one' });
    await eventually(() => server.asked('tools/call').length === 1);
    const [call] = server.asked('tools/call');
    client.notify('notifications/cancelled', { requestId: 'slow-one' });
    await eventually(() => server.asked('notifications/cancelled').length === 1);
    expect(server.asked('notifications/cancelled')[0]?.message.params).toMatchObject({ requestId: call?.message.id });
  });
});

describe('a server of the handshake era behind a URL', () => {
  it('fails a call whose stream cannot be resumed, and says that the outcome is unknown', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    expect(JSON.stringify(await client.call('far__gone'))).toContain('unknown');
    expect(textOf(await client.call('far__echo'))).toBe('{}');
  });

  it('gets a new session, one for all waiting calls, when it has lost the old one', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    server.sessions.clear();
    const answers = await Promise.all([1, 2, 3, 4].map((n) => client.call('far__echo', { n })));
    expect(answers.map(textOf)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
    expect(server.asked('initialize')).toHaveLength(2);
    expect(server.asked('notifications/initialized')).toHaveLength(2);
  });

  it('fails a call when the new session is lost as well, and works again as soon as one holds', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    server.sessions.clear();
    server.forgetful = 1;
    expect(JSON.stringify(await client.call('far__echo'))).toContain('lost its session');
    expect(server.asked('initialize')).toHaveLength(2);
    expect(textOf(await client.call('far__echo', { n: 2 }))).toBe('{"n":2}');
  });

  it('is told the wanted log level again in a new session', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await client.ask('logging/setLevel', { level: 'warning' });
    await eventually(() => server.asked('logging/setLevel').length === 1);
    server.sessions.clear();
    await client.call('far__echo');
    const levels = server.asked('logging/setLevel');
    expect(levels.map(({ message }) => message.params)).toEqual([{ level: 'warning' }, { level: 'warning' }]);
    expect(levels.map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1', 'session-2']);
  });

  it('gets a new session without a call when its stream of announcements shows that it lost the old one', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await eventually(() => server.listening.size === 1);
    server.sessions.clear();
    server.tools = [plainTool('after')];
    for (const stream of server.listening) stream.destroy();
    await eventually(async () => expect(await client.names()).toEqual(['far__after']), 10_000);
    expect(server.asked('initialize')).toHaveLength(2);
  });

  it('serves many calls at once, each with its own answer and without a warning', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => client.call('far__echo', { n })));
    expect(answers.map(textOf)).toEqual(numbers.map((n) => JSON.stringify({ n })));
    expect(client.stderr).not.toContain('Warning');
  });

  it('announces changes on a stream of its own, which is opened again when it breaks off', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await eventually(() => server.listening.size === 1);
    server.tools = [plainTool('first')];
    server.announce();
    await eventually(() => client.heard(listChanged).length === 1);
    for (const stream of server.listening) stream.destroy();
    server.tools = [plainTool('second')];
    await eventually(async () => expect(await client.names()).toEqual(['far__second']), 10_000);
  });

  it('may do without that stream', async () => {
    const server = await startLegacy({ withoutGet: true });
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    expect(textOf(await client.call('far__resumed'))).toBe('resumed');
  });

  it('is answered when it asks whether we are there', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    expect(textOf(await client.call('far__asks'))).toBe('asked');
    const answer = server.seen.find(({ message }) => message.id === 'are you there');
    expect(answer?.message).toEqual({ jsonrpc: '2.0', id: 'are you there', result: {} });
  });

  it('is told when its session is over', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await client.close();
    expect(server.seen.at(-1)?.method).toBe('DELETE');
    expect(server.sessions.size).toBe(0);
  });

  it('is not asked for its era again by the next run', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await client.close();
    expect(server.asked('server/discover')).toHaveLength(1);
    const env = { WORKBENCH_STATE: `${(client as unknown as { dir: string }).dir}/state` };
    const second = await startEra('legacy', { config: configOf(server.url), env });
    await second.names();
    expect(server.asked('server/discover')).toHaveLength(1);
  });

  it('is connected again by the next call after it was gone, and a call under way has an unknown outcome', async () => {
    const server = await startLegacy();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    const pending = client.call('far__slow', { ms: 60_000 });
    await eventually(() => server.asked('tools/call').length === 1);
    await server.close();
    expect(JSON.stringify(await pending)).toContain('unknown');
    // A connection that is just being closed may still be tried once.
    await eventually(async () => expect(JSON.stringify(await client.call('far__echo'))).toContain('ECONNREFUSED'));
    await startLegacy({ port: server.port });
    expect(textOf(await client.call('far__echo', { back: true }))).toBe('{"back":true}');
  });
});
