import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/base/call/call.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  byName,
  createFakeFront,
  createGate,
  echo,
  eventsOf,
  firstCall,
  initialize,
  jsonHeaders,
  messagesOf,
  open,
  rpc,
  type Sent,
  send,
  startService,
} from './support.ts';

const callEcho = (id: string | number = 1, meta: JsonObject = { progressToken: 'p' }) =>
  rpc('tools/call', { name: 'echo', arguments: { id }, _meta: meta }, id);
const get = (headers: object, more: object = {}) => ({
  method: 'GET',
  headers: { ...headers, accept: 'text/event-stream', ...more },
});
/** Says one thing, then answers when the gate is opened. */
const saysFirst = (gate: ReturnType<typeof createGate>) => (call: Call) => {
  call.notify('notifications/progress', { progress: 1 });
  return gate.call(call);
};

describe('a session over HTTP', () => {
  it('begins with initialize and has an id that cannot be guessed', async () => {
    const service = await startService();
    const ids = [await initialize(service), await initialize(service)].map((headers) =>
      String(headers['mcp-session-id']),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
  });

  it('answers a request with plain JSON when there is nothing but the answer', async () => {
    const service = await startService();
    const answer = await send(service, { headers: await initialize(service), body: callEcho() });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"id":1}' }] } });
  });

  it('answers JSON-RPC errors with status 200', async () => {
    const service = await startService();
    const answer = await send(service, { headers: await initialize(service), body: rpc('nothing') });
    expect([answer.status, answer.json.error]).toMatchObject([200, { code: -32601 }]);
  });

  it.each([
    ['notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['response', { jsonrpc: '2.0', id: 9, result: {} }],
  ])('accepts a %s', async (_, body) => {
    const service = await startService();
    const answer = await send(service, { headers: await initialize(service), body });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it.each([
    ['no session', {}, 400],
    ['an unknown session', { 'mcp-session-id': 'x' }, 404],
    ['an unsupported version', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('refuses a request with %s', async (_, more, status) => {
    const service = await startService();
    const session = await initialize(service);
    const headers =
      status === 400 && 'mcp-protocol-version' in more ? { ...session, ...more } : { ...jsonHeaders, ...more };
    for (const sent of [{ headers, body: rpc('ping', {}, 'x') }, get(headers), { method: 'DELETE', headers }]) {
      const answer = await send(service, sent);
      expect([answer.status, answer.json.error]).toMatchObject([status, { code: -32600 }]);
    }
  });

  it('does not need the version in a header', async () => {
    const service = await startService();
    const { 'mcp-protocol-version': _, ...headers } = await initialize(service);
    expect((await send(service, { headers, body: rpc('ping') })).status).toBe(200);
  });

  it('exists only for who opened it, and only where', async () => {
    const front = createFakeFront();
    const service = await startService(front, { authenticator: byName });
    const ann = await initialize(service, { headers: { authorization: 'Bearer ann' } });
    const bob = { ...ann, authorization: 'Bearer bob' };
    const tries = (headers: OutgoingHttpHeaders): Sent[] => [
      { headers, body: rpc('ping') },
      get(headers),
      get(headers, { 'last-event-id': 'g-0' }),
      { method: 'DELETE', headers },
    ];
    for (const sent of tries(bob)) expect((await send(service, sent)).status).toBe(404);
    for (const sent of tries(ann)) expect((await send(service, { ...sent, path: '/mcp/toolbox' })).status).toBe(404);
    expect((await send(service, { headers: ann, body: rpc('ping') })).status).toBe(200);
  });

  it('is bound to what its owner may see, not only to the name', async () => {
    const service = await startService(createFakeFront(), {
      authenticator: {
        authenticate: ({ headers }) => {
          const toolboxes = new Set((headers.authorization ?? '').slice('Bearer '.length).split('+'));
          return { principal: { id: 'ann', toolboxes } };
        },
      },
    });
    const wide = await initialize(service, { headers: { authorization: 'Bearer a+b' } });
    const ping = (authorization: string) => send(service, { headers: { ...wide, authorization }, body: rpc('ping') });
    expect((await ping('Bearer b+a')).status).toBe(200);
    expect((await ping('Bearer a')).status).toBe(404);
  });

  it('ends with DELETE, and with it what was asked in it', async () => {
    const front = createFakeFront({ call: () => new Promise(() => {}) });
    const service = await startService(front);
    const headers = await initialize(service);
    const calling = send(service, { headers, body: callEcho() });
    const call = await firstCall(front);
    const stream = await open(service, get(headers));
    expect((await send(service, { method: 'DELETE', headers })).status).toBe(204);
    expect(call.signal.aborted).toBe(true);
    expect([(await calling).status, await stream.whole]).toEqual([202, '']);
    expect(front.connected).toBe(0);
    expect((await send(service, { headers, body: rpc('ping') })).status).toBe(404);
  });

  it('ends when it is not used for half an hour, and after a day in any case', async () => {
    const clock = createFakeClock();
    const front = createFakeFront();
    const service = await startService(front, { clock });
    const ping = async (headers: object) =>
      (await send(service, { headers: { ...headers }, body: rpc('ping') })).status;
    const [idle, used] = [await initialize(service), await initialize(service)];
    await clock.advance(29 * 60_000);
    expect(await ping(used)).toBe(200);
    await clock.advance(2 * 60_000);
    expect([await ping(idle), await ping(used)]).toEqual([404, 200]);
    for (let hours = 0; hours < 24; hours += 0.4) {
      await ping(used);
      await clock.advance(0.4 * 60 * 60_000);
    }
    expect(await ping(used)).toBe(404);
    expect(front.connected).toBe(0);
  });

  it('does not end while a stream is open or a call is under way', async () => {
    const clock = createFakeClock();
    const gate = createGate();
    const service = await startService(createFakeFront({ call: gate.call }), { clock });
    const [listening, calling] = [await initialize(service), await initialize(service)];
    const stream = await open(service, get(listening));
    const call = open(service, { headers: calling, body: callEcho() });
    await clock.advance(5 * 60 * 60_000);
    gate.open();
    expect(messagesOf(await (await call).whole)).toMatchObject([{ id: 1, result: {} }]);
    for (const headers of [listening, calling])
      expect((await send(service, { headers, body: rpc('ping') })).status).toBe(200);
    stream.leave();
  });

  it('is refused for a while when there are too many that are in use', async () => {
    const gate = createGate();
    const front = createFakeFront({ call: gate.call });
    const service = await startService(front, { limits: { sessions: 1 } });
    const headers = await initialize(service);
    const call = open(service, { headers, body: rpc('tools/call', { name: 'echo', arguments: {} }) });
    await firstCall(front);
    const second = await send(service, { headers: jsonHeaders, body: rpc('initialize', {}, 'i') });
    expect([second.status, second.headers['retry-after'], second.json.id]).toEqual([503, '5', 'i']);
    gate.open();
    await (await call).whole;
    await initialize(service);
  });

  it('takes the place of the one that the owner of most has not used for the longest time', async () => {
    const service = await startService(createFakeFront(), { authenticator: byName, limits: { sessions: 4 } });
    const start = (name: string) => initialize(service, { headers: { authorization: `Bearer ${name}` } });
    const isThere = async (headers: Awaited<ReturnType<typeof start>>) =>
      (await send(service, { headers, body: rpc('ping') })).status === 200;
    const bob = await start('bob');
    const ann = [await start('ann'), await start('ann'), await start('ann')];
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await isThere(ann[0] ?? {})).toBe(true);
    const cleo = await start('cleo');
    const left = await Promise.all([bob, ...ann, cleo].map(isThere));
    expect(left).toEqual([true, true, false, true, true]);
  });

  it('does not take more requests at once than it may', async () => {
    const gate = createGate();
    const front = createFakeFront({ call: gate.call });
    const service = await startService(front, { limits: { requestsPerClient: 1 } });
    const headers = await initialize(service);
    const first = send(service, { headers, body: callEcho(1) });
    await eventually(() => front.calls.length === 1);
    const refused = await send(service, { headers, body: callEcho(2) });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.json).toMatchObject({ id: 2, error: { code: -32000, message: expect.stringMatching(/^busy: /) } });
    gate.open();
    expect((await first).json).toMatchObject({ id: 1, result: {} });
  });

  it('takes batches only where that was agreed on', async () => {
    const service = await startService();
    const body = [rpc('ping', {}, 1), { jsonrpc: '2.0', method: 'notifications/x' }, rpc('nothing', {}, 'b'), 3];
    const old = await send(service, { headers: await initialize(service, { version: '2025-03-26' }), body });
    expect(JSON.parse(old.text)).toMatchObject([
      { id: 1, result: {} },
      { id: 'b', error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ]);
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      const answer = await send(service, { headers: await initialize(service, { version }), body });
      expect([answer.status, answer.json.error]).toMatchObject([400, { code: -32600 }]);
    }
    expect((await send(service, { headers: jsonHeaders, body })).status).toBe(400);
  });

  it('cancels a request when told to, and answers it with nothing', async () => {
    const front = createFakeFront({ call: () => new Promise(() => {}) });
    const service = await startService(front);
    const headers = await initialize(service);
    const calling = send(service, { headers, body: callEcho('c') });
    const call = await firstCall(front);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } };
    const elsewhere = await initialize(service);
    await send(service, { headers: elsewhere, body: cancelled });
    expect(call.signal.aborted).toBe(false);
    await send(service, { headers, body: cancelled });
    expect(call.signal.aborted).toBe(true);
    void calling.catch(() => {});
  });
});

describe('the streams of a session', () => {
  it.each([
    ['2025-11-25', ['']],
    ['2025-06-18', []],
  ])('of %s begin with what that version wants', async (version, first) => {
    const gate = createGate();
    gate.open();
    const service = await startService(createFakeFront({ call: saysFirst(gate) }));
    const headers = await initialize(service, { version });
    const answer = await send(service, { headers, body: callEcho(1, { progressToken: 'p' }) });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const events = eventsOf(answer.text);
    expect(events.slice(0, -2).map(({ data }) => data)).toEqual(first);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(messagesOf(answer.text)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      { id: 1, result: {} },
    ]);
  });

  it('are one general one at a time, which carries what belongs to no request', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    const headers = await initialize(service);
    await send(service, { headers, body: rpc('tools/list') });
    const stream = await open(service, get(headers));
    expect((await send(service, get(headers))).status).toBe(409);
    front.change();
    await eventually(() => messagesOf(stream.text).length === 1);
    expect(eventsOf(stream.text)[0]?.id).toMatch(/^g-/);
    stream.leave();
    await eventually(async () => {
      const next = await open(service, get(headers));
      next.leave();
      return next.status === 200;
    });
  });

  it('need to be accepted', async () => {
    const service = await startService();
    const headers = await initialize(service);
    expect((await send(service, { method: 'GET', headers: { ...headers, accept: 'application/json' } })).status).toBe(
      406,
    );
  });

  it('bring what was said while nobody listened, and nothing twice', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    const headers = await initialize(service);
    await send(service, { headers, body: rpc('tools/list') });
    front.change();
    const first = await open(service, get(headers));
    front.change();
    await eventually(() => eventsOf(first.text).length === 2);
    first.leave();
    const second = await eventually(async () => {
      const stream = await open(service, get(headers));
      if (stream.status !== 200) throw new Error(`still ${stream.status}`);
      return stream;
    });
    front.change();
    await eventually(() => eventsOf(second.text).length > 0);
    expect([...eventsOf(first.text), ...eventsOf(second.text)].map(({ id }) => id)).toEqual(['g-1', 'g-2', 'g-3']);
  });

  it('can be resumed behind the last event that arrived, also while the old connection seems open', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    const headers = await initialize(service);
    await send(service, { headers, body: rpc('tools/list') });
    const first = await open(service, get(headers));
    for (let change = 0; change < 3; change++) front.change();
    await eventually(() => eventsOf(first.text).length === 3);
    const [seen] = eventsOf(first.text);
    const resumed = await open(service, get(headers, { 'last-event-id': seen?.id }));
    await first.whole;
    await eventually(() => eventsOf(resumed.text).length === 2);
    expect(eventsOf(resumed.text)).toEqual(eventsOf(first.text).slice(1));
    front.change();
    await eventually(() => eventsOf(resumed.text).length === 3);
  });

  it('that break cancel nothing: the answer can be had later', async () => {
    const gate = createGate();
    const front = createFakeFront({ call: saysFirst(gate) });
    const service = await startService(front);
    const headers = await initialize(service);
    const first = await open(service, { headers, body: callEcho(1) });
    await eventually(() => eventsOf(first.text).length === 2);
    first.leave();
    const other = await open(service, { headers, body: callEcho(2) });
    await eventually(() => front.calls.length === 2);
    const [prime, progress] = eventsOf(first.text);
    const waiting = await open(service, get(headers, { 'last-event-id': progress?.id }));
    expect(front.calls[0]?.signal.aborted).toBe(false);
    gate.open();
    expect(messagesOf(await waiting.whole)).toMatchObject([{ id: 1, result: {} }]);
    expect(messagesOf(await other.whole).at(-1)).toMatchObject({ id: 2 });
    const late = await send(service, get(headers, { 'last-event-id': prime?.id }));
    expect(messagesOf(late.text)).toMatchObject([{ method: 'notifications/progress' }, { id: 1, result: {} }]);
  });

  it.each(['x', 'g', 'p1', 'p99-0', 'p1-1-1', '__proto__-1', 'p-1'])('cannot be resumed from %s', async (id) => {
    const service = await startService();
    const headers = await initialize(service);
    expect((await send(service, get(headers, { 'last-event-id': id }))).status).toBe(400);
  });

  it.each([
    ['events', { bufferedEvents: 2 }],
    ['bytes', { bufferedBytes: 300 }],
  ])('keep no more %s than they may, and say so when something is gone', async (_, limits) => {
    const call = (each: Call) => {
      for (let progress = 0; progress < 10; progress++) each.notify('notifications/progress', { progress });
      return echo(each);
    };
    const service = await startService(createFakeFront({ call }), { limits });
    const headers = await initialize(service);
    const events = eventsOf((await send(service, { headers, body: callEcho() })).text);
    const tail = await send(service, get(headers, { 'last-event-id': events.at(-2)?.id }));
    expect(messagesOf(tail.text)).toMatchObject([{ id: 1 }]);
    expect((await send(service, get(headers, { 'last-event-id': events[0]?.id }))).status).toBe(400);
  });

  it('are refused for a while when a session, or all together, have too many', async () => {
    const gate = createGate();
    const front = createFakeFront({ call: saysFirst(gate) });
    const service = await startService(front, { limits: { streamsPerSession: 1 } });
    const headers = await initialize(service);
    const post = await open(service, { headers, body: callEcho() });
    await eventually(() => eventsOf(post.text).length > 0);
    const [prime] = eventsOf(post.text);
    await open(service, get(headers));
    const beyond = await send(service, get(headers, { 'last-event-id': prime?.id }));
    expect([beyond.status, beyond.headers['retry-after']]).toEqual([503, '5']);
    gate.open();

    const none = await startService(front, { limits: { streams: 0 } });
    expect((await send(none, get(await initialize(none)))).status).toBe(503);
  });
});
