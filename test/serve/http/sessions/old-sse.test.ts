import { describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/base/call/call.ts';
import type { HttpService } from '../../../../src/serve/http/serve-http.ts';
import { eventually } from '../../../support/eventually.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import {
  byName,
  createFakeFront,
  echo,
  eventsOf,
  jsonHeaders,
  messagesOf,
  open,
  rpc,
  send,
  startService,
} from '../support.ts';

const initialize = rpc('initialize', { protocolVersion: '2024-11-05', capabilities: {} }, 0);

async function connect(service: HttpService, { path = '/sse', headers = jsonHeaders } = {}) {
  const stream = await open(service, { method: 'GET', path, headers });
  if (stream.status !== 200) throw new Error(`status ${stream.status}`);
  await eventually(() => eventsOf(stream.text).length > 0);
  const [first] = eventsOf(stream.text);
  const endpoint = first?.data ?? '';
  const post = (body: unknown, as = headers) => send(service, { path: endpoint, headers: as, body });
  const answers = () => messagesOf(stream.text.slice(stream.text.indexOf('\n\n') + 2));
  return { ...stream, stream, first, endpoint, post, answers };
}

describe('the transport of 2024-11-05', () => {
  it.each([
    ['/sse', /^\/messages\?sessionId=[\w-]{43}$/],
    ['/sse/toolbox', /^\/messages\/toolbox\?sessionId=[\w-]{43}$/],
  ])('at %s says first where to post, and answers on the stream', async (path, endpoint) => {
    const client = await connect(await startService(createFakeFront(), { sse: true }), { path });
    expect(client.first).toMatchObject({ event: 'endpoint', data: expect.stringMatching(endpoint) });
    const posted = await client.post(initialize);
    expect([posted.status, posted.text]).toEqual([202, '']);
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await client.post(rpc('tools/call', { name: 'echo', arguments: { a: 1 } }, 'x'));
    await eventually(() => client.answers().length === 2);
    expect(client.answers()).toMatchObject([
      { id: 0, result: { protocolVersion: '2024-11-05' } },
      { id: 'x', result: { content: [{ text: '{"a":1}' }] } },
    ]);
  });

  it('tells news and progress on the same stream, in order', async () => {
    const call = (each: Call) => {
      each.notify('notifications/progress', { progress: 1 });
      return echo(each);
    };
    const front = createFakeFront({ call });
    const client = await connect(await startService(front, { sse: true }));
    await client.post(initialize);
    await client.post(rpc('tools/call', { name: 'echo', _meta: { progressToken: 4 } }, 5));
    front.change();
    await eventually(() => client.answers().length === 4);
    expect(client.answers().map(({ method, id }) => method ?? id)).toEqual([
      0,
      'notifications/progress',
      5,
      'notifications/tools/list_changed',
    ]);
  });

  it('answers what comes before initialize, and what is no message, with an error', async () => {
    const client = await connect(await startService(createFakeFront(), { sse: true }));
    await client.post(rpc('tools/list'));
    await eventually(() => client.answers().length === 1);
    expect(client.answers()).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect((await client.post('{')).status).toBe(400);
    expect((await client.post([initialize])).status).toBe(400);
  });

  it('takes posts of the owner only, at the endpoint of the stream only, and while it lasts only', async () => {
    const front = createFakeFront();
    const service = await startService(front, { sse: true, authenticator: byName });
    const [ann, bob] = [
      { ...jsonHeaders, authorization: 'Bearer ann' },
      { ...jsonHeaders, authorization: 'Bearer bob' },
    ];
    const client = await connect(service, { headers: ann });
    expect((await client.post(initialize, bob)).status).toBe(404);
    const elsewhere = client.endpoint.replace('/messages', '/messages/toolbox');
    expect((await send(service, { path: elsewhere, headers: ann, body: initialize })).status).toBe(404);
    expect((await client.post(initialize)).status).toBe(202);
    client.leave();
    await eventually(async () => (await client.post(rpc('ping'))).status === 404);
    expect(front.connected).toBe(0);
  });

  it('cancels what was asked when the stream ends, or when told to', async () => {
    const front = createFakeFront({ call: () => new Promise(() => {}) });
    const client = await connect(await startService(front, { sse: true }));
    await client.post(initialize);
    for (const id of [1, 2]) await client.post(rpc('tools/call', { name: 'echo' }, id));
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await eventually(() => front.calls.length === 2);
    expect(front.calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    client.leave();
    await eventually(() => front.calls[1]?.signal.aborted === true);
  });

  it('lasts as long as its stream, however quiet', async () => {
    const clock = createFakeClock();
    const client = await connect(await startService(createFakeFront(), { sse: true, clock }));
    await clock.advance(5 * 60 * 60_000);
    expect((await client.post(initialize)).status).toBe(202);
    expect(client.stream.text).toContain('\n:\n');
  });

  it.each([{ streams: 1 }, { sessions: 1 }])('is refused for a while beyond %j', async (limits) => {
    const service = await startService(createFakeFront(), { sse: true, limits });
    const client = await connect(service);
    const second = await send(service, { method: 'GET', path: '/sse', headers: jsonHeaders });
    expect([second.status, second.headers['retry-after']]).toEqual([503, '5']);
    client.leave();
    await eventually(async () => (await connect(service)).status === 200);
  });
});
