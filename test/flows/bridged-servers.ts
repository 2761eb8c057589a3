/**
 * The raw fixture servers behind a URL, so that a test can expect the same of a server whatever carries it: as a server of the
 * handshake era with sessions, as one of the stateless era, and with the transport of 2024-11-05. They end with the test, or
 * the file, that started them, not with the test during which they were first asked.
 */
import type { ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from '../../src/base/json/json.ts';
import { openEvents, type Seen, sendEvent, sendJson, startHttp } from '../downstream/http/http-server.ts';
import { atEnd } from '../support/at-end.ts';
import { metaKey } from '../support/envelope.ts';
import { fixture } from '../support/servers.ts';
import { type LineChild, startLineChild } from './line-child.ts';

type Options = Parameters<typeof fixture>[1];

/** An entry of `mcpServers`. */
export interface UrlServer {
  readonly url: string;
}

/** The transport of 2024-11-05: a process for each stream, everything it says on that stream. */
export async function bridgeSse(options: Options = {}): Promise<UrlServer> {
  const children = new Map<string, LineChild>();
  atEnd(() => Promise.all([...children.values()].map((child) => child.kill())));
  const { origin } = await startHttp(({ method, path, message }, response) => {
    if (method === 'GET' && path === '/sse') {
      const endpoint = `/messages?session=${children.size}`;
      openEvents(response);
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      const child = startLineChild(fixture('raw-legacy', { ANSWER_VERSION: '2024-11-05', ...options }), (_, text) =>
        response.write(`event: message\ndata: ${text}\n\n`),
      );
      children.set(endpoint, child);
      return response.once('close', () => void child.end());
    }
    const child = method === 'POST' ? children.get(path) : undefined;
    child?.send(message);
    return response.writeHead(child === undefined ? 404 : 202).end();
  });
  return { url: `${origin}/sse` };
}

/** Streamable HTTP of the handshake era: a process for each session. */
export async function bridgeLegacy(options: Options = {}): Promise<UrlServer> {
  const sessions = new Map<string, Exchanges>();
  atEnd(() => Promise.all([...sessions.values()].map(({ child }) => child.kill())));
  const { origin } = await startHttp((seen, response) => {
    const { method, message } = seen;
    if (method === 'POST' && message.method === 'initialize') {
      const session = `session-${sessions.size + 1}`;
      const exchanges = createExchanges('raw-legacy', options);
      sessions.set(session, exchanges);
      response.setHeader('mcp-session-id', session);
      return exchanges.take(seen, response);
    }
    const session = sessions.get(String(seen.headers['mcp-session-id']));
    if (session === undefined) return response.writeHead(404).end();
    if (method === 'GET') return session.tellNews(response);
    if (method === 'POST') return session.take(seen, response);
    void session.child.end();
    return response.writeHead(204).end();
  });
  return { url: `${origin}/mcp` };
}

/** Streamable HTTP of the stateless era: one process, and a request that is hung up on is cancelled. */
export async function bridgeModern(options: Options = {}): Promise<UrlServer> {
  const exchanges = createExchanges('raw-modern', options);
  atEnd(exchanges.child.kill);
  const { origin } = await startHttp((seen, response) => {
    if (seen.method !== 'POST') return response.writeHead(405).end();
    response.once('close', () => {
      const params = { requestId: seen.message.id as Json, reason: 'hung up' };
      if (!response.writableFinished)
        exchanges.child.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    });
    return exchanges.take(seen, response);
  });
  return { url: `${origin}/mcp` };
}

interface Exchanges {
  readonly child: LineChild;
  /** A message of the client; the response carries what belongs to it. */
  take(seen: Seen, response: ServerResponse): void;
  /** A stream for what belongs to no request. */
  tellNews(response: ServerResponse): void;
}

interface Open {
  readonly params: JsonObject;
  readonly response: ServerResponse;
}

/** Brings what a process says to the request that it belongs to: a stream when there is more than the answer. */
function createExchanges(name: 'raw-legacy' | 'raw-modern', options: Options): Exchanges {
  const open = new Map<Json, Open>();
  const news = new Set<ServerResponse>();
  const stream = (response: ServerResponse, message: JsonObject) => {
    if (!response.headersSent) openEvents(response);
    sendEvent(response, message);
  };
  const child = startLineChild(fixture(name, options), (message) => {
    if (message.method === undefined) {
      const response = open.get(message.id as Json)?.response;
      open.delete(message.id as Json);
      if (response === undefined) return;
      if (!response.headersSent) sendJson(response, message, isRefusal(message) ? 400 : 200);
      else {
        sendEvent(response, message);
        response.end();
      }
      return;
    }
    const owner = findOwner(message, open);
    for (const response of owner === undefined ? news : [owner.response]) stream(response, message);
  });
  return {
    child,
    take({ message }, response) {
      child.send(message);
      const { id } = message;
      if (id === undefined) response.writeHead(202).end();
      else {
        open.set(id, { params: (message.params ?? {}) as JsonObject, response });
        response.once('close', () => open.delete(id));
      }
    },
    tellNews(response) {
      openEvents(response);
      news.add(response);
      response.once('close', () => news.delete(response));
    },
  };
}

/** The version is not spoken here, which a status has to say too. */
const isRefusal = ({ error }: JsonObject) => isObject(error) && error.code === -32022;

/** The request that a notification belongs to; a log message is known by the nonce of its call, or without one is the last call's. */
function findOwner({ method, params }: JsonObject, open: ReadonlyMap<Json, Open>): Open | undefined {
  const { progressToken, _meta, data } = params as JsonObject;
  const calls = [...open.values()].filter((each) => each.params.name !== undefined);
  switch (method) {
    case 'notifications/progress':
      return calls.find((each) => (each.params._meta as JsonObject)?.progressToken === progressToken);
    case 'notifications/message': {
      const { nonce } = data as JsonObject;
      if (nonce === undefined) return calls.at(-1);
      return calls.find((each) => (each.params.arguments as JsonObject | undefined)?.nonce === nonce);
    }
    default:
      return open.get((_meta as JsonObject | undefined)?.[metaKey('subscriptionId')] as Json);
  }
}
