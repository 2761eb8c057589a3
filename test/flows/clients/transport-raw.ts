/** Clients without an SDK, of both eras and over every transport: they lose nothing, so a test can ask for all of it. */
import { isObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { exchange, openStream } from '../http-exchange.ts';
import { type LineChildStart, startLineChild } from '../line-child.ts';
import { type Era, listChanged } from '../support.ts';
import type { Answer, CallOptions, HttpPlace, TransportClient } from './transport-client.ts';

interface Link {
  /** Gives a way to take the request back, where the transport has one; `fail` is told what kept it from being carried. */
  send(message: JsonObject, fail: (error: Error) => void): (() => void) | undefined;
  close(): Promise<unknown>;
}

interface RawTransportClient extends TransportClient {
  take(message: JsonObject): void;
  initialize(version: string): Promise<void>;
}

const clientInfo = { name: 'raw-client', version: '1.0.0' };
const both = 'application/json, text/event-stream';
const modernVersion = '2026-07-28';

export async function connectRawStdio(era: Era, start: LineChildStart): Promise<TransportClient> {
  const child = startLineChild(start, (message) => client.take(message));
  atEnd(child.kill);
  const client = createClient(era, { send: (message) => void child.send(message), close: child.end });
  if (era === 'legacy') await client.initialize('2025-11-25');
  return client;
}

export async function connectRawModernHttp({ url, token }: HttpPlace): Promise<TransportClient> {
  const client = createClient('modern', {
    send(body, fail) {
      const { name } = body.params as JsonObject;
      const headers = {
        ...headersOf(token),
        'mcp-protocol-version': modernVersion,
        'mcp-method': String(body.method),
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      };
      const { ended, hangUp } = exchange(url, { headers, body, onMessage: client.take });
      ended.catch(fail);
      return hangUp;
    },
    close: async () => {},
  });
  return client;
}

export async function connectRawLegacyHttp({ url, token }: HttpPlace): Promise<TransportClient> {
  let headers: Record<string, string> = headersOf(token);
  const client = createClient('legacy', {
    send(body, fail) {
      const { opened, ended } = exchange(url, {
        headers,
        body,
        onMessage: async (message) => {
          // The next message belongs to the session that this answer begins.
          if (body.method === 'initialize')
            headers = { ...headers, 'mcp-session-id': String((await opened).headers['mcp-session-id']) };
          client.take(message);
        },
      });
      ended.catch(fail);
      return undefined;
    },
    close: () => exchange(url, { method: 'DELETE', headers }).ended,
  });
  await client.initialize('2025-11-25');
  headers['mcp-protocol-version'] = '2025-11-25';
  await openStream(url, { headers, onMessage: client.take }).opened;
  return client;
}

/** The transport of 2024-11-05. */
export async function connectRawSse({ url, token }: HttpPlace): Promise<TransportClient> {
  const headers = headersOf(token);
  let found: (endpoint: string) => void = () => {};
  const endpoint = new Promise<string>((resolve) => {
    found = resolve;
  });
  const stream = openStream(url.replace(/\/mcp$/, '/sse'), {
    headers,
    onMessage: (message) => client.take(message),
    onEvent: (event, data) => event === 'endpoint' && found(data),
  });
  await stream.opened;
  const target = new URL(await endpoint, url).href;
  // One after the other: nothing else keeps a cancellation behind what it cancels.
  let last: Promise<unknown> = Promise.resolve();
  const client = createClient('legacy', {
    send(body, fail) {
      last = last.then(() => exchange(target, { headers, body }).ended).catch(fail);
      return undefined;
    },
    close: async () => stream.hangUp(),
  });
  await client.initialize('2024-11-05');
  return client;
}

export function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: both };
}

function createClient(era: Era, link: Link): RawTransportClient {
  const waiting = new Map<Json, (answer: Answer) => void>();
  const progress = new Map<Json, (params: JsonObject) => void>();
  const logs: JsonObject[] = [];
  const onChanged = new Set<() => void>();
  let acknowledged = () => {};
  let lastId = 0;

  const notify = (method: string, params: JsonObject = {}) =>
    void link.send({ jsonrpc: '2.0', method, params }, () => {});

  const request = (method: string, given: JsonObject = {}, { onProgress, signal, logLevel }: CallOptions = {}) => {
    const id = ++lastId;
    const token = `token ${id}`;
    const wishes = { ...(onProgress && { progressToken: token }), ...(logLevel && { logLevel }) };
    const meta = onProgress === undefined ? {} : { _meta: { progressToken: token } };
    const params = era === 'modern' ? withEnvelope(given, wishes) : { ...given, ...meta };
    if (onProgress !== undefined) progress.set(token, onProgress);
    let fail: (error: Error) => void = () => {};
    const answer = new Promise<Answer>((resolve, reject) => {
      fail = reject;
      waiting.set(id, resolve);
      signal?.addEventListener('abort', () => {
        waiting.delete(id);
        if (hangUp === undefined) notify('notifications/cancelled', { requestId: id, reason: 'given up' });
        else hangUp();
        reject(new Error('given up'));
      });
    });
    const hangUp = link.send({ jsonrpc: '2.0', id, method, params }, fail);
    return answer.finally(() => progress.delete(token));
  };

  return {
    era,
    logs,
    take({ id, method, params, result, error }) {
      const { progressToken } = (params ?? {}) as JsonObject;
      if (method === 'notifications/progress') progress.get(progressToken as Json)?.(params as JsonObject);
      else if (method === 'notifications/message') logs.push(params as JsonObject);
      else if (method === 'notifications/subscriptions/acknowledged') acknowledged();
      else if (method === listChanged) for (const callback of onChanged) callback();
      else if (method === undefined) {
        waiting.get(id as Json)?.({ ...(isObject(result) && { result }), ...(isObject(error) && { error }) });
        waiting.delete(id as Json);
      }
    },
    async initialize(protocolVersion) {
      const { result } = await request('initialize', { protocolVersion, capabilities: {}, clientInfo });
      if (result?.protocolVersion !== protocolVersion) throw new Error(`initialized as ${JSON.stringify(result)}`);
      notify('notifications/initialized');
    },
    async names() {
      const { result } = await request('tools/list');
      return ((result?.tools ?? []) as JsonObject[]).map(({ name }) => String(name));
    },
    async call(name, args = {}, options = {}) {
      const { logLevel } = options;
      if (era === 'legacy' && logLevel !== undefined) await request('logging/setLevel', { level: logLevel });
      return request('tools/call', { name, arguments: args }, options);
    },
    async onToolsChanged(callback) {
      onChanged.add(callback);
      if (era === 'legacy') return;
      const heard = new Promise<void>((resolve) => {
        acknowledged = resolve;
      });
      request('subscriptions/listen', { notifications: { toolsListChanged: true } }).catch(() => {});
      await heard;
    },
    close: link.close,
  };
}
