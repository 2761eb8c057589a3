import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/async/clock.ts';
import { encodeHeaderValue } from '../../../src/base/call/header-value.ts';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { silentLog } from '../../../src/base/text/log.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { connect } from '../../../src/downstream/connection/connect.ts';
import { createServerQuirks } from '../../../src/downstream/connection/server-quirks.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { buildAskedCall, createSession } from '../fake-server.ts';
import { openEvents, type Seen, sendEvent, sendJson } from './http-server.ts';
import { startLegacy } from './legacy-server.ts';
import { startModern } from './modern-server.ts';
import { startSse } from './sse-server.ts';

const declared = { elicitation: { form: {} }, roots: { listChanged: true } };
const question = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: 'm' } };
const accepted = { action: 'accept' };

async function connectTo(url: string, extra: JsonObject = {}) {
  const config = parseConfigValue({ mcpServers: { far: { url, ...extra } } }, { dir: '/', env: {} });
  const [definition] = [...config.servers.values()];
  if (definition === undefined) throw new Error('the configuration has a server');
  const context = {
    definition,
    identity: { name: 'w', version: '0' },
    clock: systemClock,
    limits: config.limits,
    log: silentLog,
    redactor: createRedactor(),
    quirks: createServerQuirks(undefined),
  };
  const attempt = connect(context, {
    declared,
    company: { connected: () => [], hold: () => () => {}, onNeed() {} },
    events: { onListAnnounced() {}, onUpdated() {}, onLost() {}, onNoise() {}, onLeftOut() {} },
  });
  atEnd(() => attempt.stop());
  const { connection } = await attempt.connected;
  return connection;
}

const toolCall = (name: string) => buildAskedCall({ params: { name, arguments: {} }, client: createSession('ann') });
const isAnswer = ({ message }: Seen) => message.id === 'q' && message.method === undefined;
const nameOf = ({ message }: Seen) => (message.params as JsonObject | undefined)?.name;

/** The first message for which `is` holds, once it has come. */
const find = (server: { readonly seen: readonly Seen[] }, is: (seen: Seen) => boolean) =>
  eventually(() => {
    const found = server.seen.find(is);
    if (found === undefined) throw new Error('has not come yet');
    return found;
  });

/** A server that works on its tool `slow` until the test ends that. */
async function startHolding(first?: (seen: Seen) => Promise<void>) {
  let release: (() => void) | undefined;
  const server = await startLegacy({
    async first(seen, response) {
      await first?.(seen);
      if (nameOf(seen) !== 'slow') return false;
      const id = seen.message.id as Json;
      release = () => sendJson(response, { jsonrpc: '2.0', id, result: { content: [] } });
      return true;
    },
  });
  const connection = await connectTo(server.url);
  await eventually(() => server.listening.size === 1);
  const { call, asked } = toolCall('slow');
  const done = connection.call(call);
  await eventually(() => release !== undefined);
  return { server, connection, client: call.client, asked, done, release: () => release?.() };
}

describe('a question of a server of the handshake era over HTTP', () => {
  it.each([202, 400, 404, 500])(
    'on the stream of a call is answered by a POST, whatever its status (%d)',
    async (status) => {
      const streams = new Map<Json | undefined, ServerResponse>();
      const server = await startLegacy({
        first(seen, response) {
          const name = nameOf(seen);
          if (isAnswer(seen)) response.writeHead(status).end();
          else if (name === 'streamed' || name === 'slow') {
            openEvents(response);
            streams.set(name, response);
          } else return false;
          return true;
        },
      });
      const connection = await connectTo(server.url);
      // Another client calls as well: the stream tells whose question it is.
      const [own, other] = [toolCall('streamed'), toolCall('slow')];
      const done = [own, other].map(({ call }) => connection.call(call));
      await eventually(() => streams.size === 2);
      sendEvent(streams.get('streamed') as ServerResponse, question);
      await eventually(() => own.asked.length === 1);
      expect(own.asked[0]?.question).toEqual({ method: 'elicitation/create', params: { message: 'm' } });
      own.asked[0]?.answer({ result: accepted });
      const answer = await find(server, isAnswer);
      expect(answer.message).toEqual({ jsonrpc: '2.0', id: 'q', result: accepted });
      expect(answer.headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-06-18' });
      for (const seen of server.asked('tools/call')) {
        const open = streams.get(nameOf(seen));
        if (open !== undefined) sendEvent(open, { jsonrpc: '2.0', id: seen.message.id, result: { content: [] } });
        open?.end();
      }
      for (const outcome of await Promise.all(done)) expect(outcome).toHaveProperty('result');
      expect(other.asked).toEqual([]);
      expect(await connection.call(toolCall('echo').call)).toHaveProperty('result');
      expect(server.seen.filter(isAnswer)).toHaveLength(1);
      expect(server.asked('initialize').map(({ message }) => message.params)).toMatchObject([
        { capabilities: declared },
      ]);
    },
  );

  it('on the stream of announcements goes to the call of the only client', async () => {
    const { server, asked, done, release } = await startHolding();
    for (const stream of server.listening) sendEvent(stream, question);
    await eventually(() => asked.length === 1);
    asked[0]?.answer({ result: accepted });
    const answer = await find(server, isAnswer);
    expect(answer.headers['mcp-session-id']).toBe('session-1');
    release();
    expect(await done).toHaveProperty('result');
  });

  it('of a session that was lost is taken back and answered in no other', async () => {
    const { server, connection, client, asked, done, release } = await startHolding();
    for (const stream of server.listening) sendEvent(stream, question);
    await eventually(() => asked.length === 1);
    server.sessions.clear();
    expect(await connection.call({ ...toolCall('echo').call, client })).toHaveProperty('result');
    expect(asked[0]?.signal?.aborted).toBe(true);
    asked[0]?.answer({ result: accepted });
    release();
    await done;
    await connection.call({ ...toolCall('echo').call, client });
    expect(server.seen.filter(isAnswer)).toEqual([]);
  });

  it('that comes while a new session is begun belongs to the lost one and is not answered in the new one', async () => {
    let begun = 0;
    let open: (() => void) | undefined;
    const { server, connection, client, done, release } = await startHolding(async ({ message }) => {
      if (message.method === 'initialize' && ++begun === 2) await new Promise<void>((resolve) => (open = resolve));
    });
    server.sessions.clear();
    const { call, asked } = toolCall('echo');
    const next = connection.call({ ...call, client });
    await eventually(() => open !== undefined);
    for (const stream of server.listening) sendEvent(stream, question);
    await eventually(() => asked.length === 1);
    asked[0]?.answer({ result: accepted });
    open?.();
    expect(await next).toHaveProperty('result');
    expect(await connection.call({ ...toolCall('echo').call, client })).toHaveProperty('result');
    expect(server.seen.filter(isAnswer)).toEqual([]);
    release();
    await done;
  });

  it('is told of new roots in its session', async () => {
    const server = await startLegacy();
    const connection = await connectTo(server.url);
    connection.rootsChanged();
    const told = await find(server, ({ message }) => message.method === 'notifications/roots/list_changed');
    expect(told.headers['mcp-session-id']).toBe('session-1');
  });

  it('over the transport of 2024-11-05 is answered at the address it named', async () => {
    const server = await startSse();
    const connection = await connectTo(server.url, { type: 'sse' });
    const { call, asked } = toolCall('hang');
    const done = connection.call(call);
    await eventually(() => server.asked('tools/call').length === 1);
    const say = (message: JsonObject) => {
      for (const stream of server.streams) stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    };
    say(question);
    await eventually(() => asked.length === 1);
    asked[0]?.answer({ error: { code: -1, message: 'no' } });
    const answer = await find(server, isAnswer);
    expect(answer.message).toEqual({ jsonrpc: '2.0', id: 'q', error: { code: -1, message: 'no' } });
    expect(answer.path).toBe('/messages?session=1');
    say({ jsonrpc: '2.0', id: server.asked('tools/call')[0]?.message.id as Json, result: { content: [] } });
    expect(await done).toHaveProperty('result');
  });
});

describe('questions of a server of the stateless era over HTTP', () => {
  it('are answered by another request, and whoever is called each time is told what the client can do', async () => {
    const server = await startModern({
      first(seen, response) {
        const params = seen.message.params as JsonObject | undefined;
        if (seen.message.method !== 'tools/call') return false;
        const result =
          params?.requestState === 's'
            ? { resultType: 'complete', content: [], structuredContent: params.inputResponses as Json }
            : {
                resultType: 'input_required',
                inputRequests: { a: { method: 'elicitation/create', params: { message: 'm' } } },
                requestState: 's',
              };
        sendJson(response, { jsonrpc: '2.0', id: seen.message.id as Json, result });
        return true;
      },
    });
    const connection = await connectTo(server.url);
    const capabilities = { elicitation: { form: {} } };
    const { call, asked } = toolCall('echo');
    const done = connection.call({ ...call, features: { ...call.features, capabilities } });
    await eventually(() => asked.length === 1);
    asked[0]?.answer({ result: accepted });
    expect(await done).toMatchObject({ result: { value: { structuredContent: { a: accepted } } } });
    const metas = server.seen.map(({ message }) => (message.params as JsonObject)._meta as JsonObject);
    const told = metas.map((meta) => meta['io.modelcontextprotocol/clientCapabilities']);
    const ofCall = { ...capabilities, extensions: { 'io.modelcontextprotocol/tasks': {} } };
    expect(told).toEqual([{ elicitation: { form: {} }, roots: {} }, ofCall, ofCall]);
  });
});

describe('a task of a server over HTTP', () => {
  it('is driven by requests that name it in a header in the stateless era', async () => {
    const task = { taskId: 'größe', status: 'working', pollIntervalMs: 100 };
    const server = await startModern({
      first(seen, response) {
        const { id, method } = seen.message as { id: Json; method: string };
        const result =
          method === 'tools/call'
            ? { resultType: 'task', ...task }
            : { resultType: 'complete', ...task, status: 'completed', result: { content: [] } };
        if (method !== 'tools/call' && method !== 'tasks/get') return false;
        sendJson(response, { jsonrpc: '2.0', id, result });
        return true;
      },
    });
    const connection = await connectTo(server.url);
    expect(await connection.call(toolCall('echo').call)).toMatchObject({ result: { value: { content: [] } } });
    const { headers } = await find(server, ({ message }) => message.method === 'tasks/get');
    expect(headers).toMatchObject({ 'mcp-method': 'tasks/get', 'mcp-name': encodeHeaderValue('größe') });
  });
});
