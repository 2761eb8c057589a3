/** A bare HTTP server on loopback that keeps what it was asked. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as a message; empty when it is none. */
  readonly message: JsonObject;
}

export interface HttpServer {
  readonly port: number;
  readonly origin: string;
  readonly seen: readonly Seen[];
  /** What was asked with one JSON-RPC method. */
  asked(rpcMethod: string): Seen[];
  /** Ends every connection; a new one is still accepted. */
  cut(): void;
  close(): Promise<void>;
}

export type Handler = (seen: Seen, response: ServerResponse, request: IncomingMessage) => unknown;

export interface ServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly port?: number;
}

export async function startHttp(handle: Handler, { tls, port = 0 }: ServerOptions = {}): Promise<HttpServer> {
  const seen: Seen[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body, message: parse(body) };
    seen.push(one);
    await handle(one, response, request);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    listener(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(onRequest) : createSecureServer(tls, onRequest);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  atEnd(close);
  return {
    port: taken,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${taken}`,
    seen,
    asked: (rpcMethod) => seen.filter(({ message }) => message.method === rpcMethod),
    cut: () => server.closeAllConnections(),
    close,
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function openEvents(response: ServerResponse, headers: Record<string, string> = {}) {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
}

export function sendEvent(response: ServerResponse, value: unknown, id?: string) {
  response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`);
}

function parse(body: string): JsonObject {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return {};
  }
}
