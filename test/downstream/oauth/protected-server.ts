/** An MCP server over HTTP (legacy era, plain JSON answers) that wants a token of one authorization server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import type { TestAuthorizationServer } from './authorization-server.ts';

export interface ProtectedServerOptions {
  /** Whose tokens are good. */
  readonly tokens: Pick<TestAuthorizationServer, 'look'>;
  readonly issuer: string;
  /** Changes the metadata of the resource on its way out; undefined for none at all. */
  readonly tamper?: (metadata: JsonObject) => JsonObject | undefined;
  /** Whether 401 names the metadata. */
  readonly namesMetadata?: boolean;
}

export interface ProtectedServer {
  readonly url: string;
  /** `Authorization` of every request, in order. */
  readonly tokens: (string | undefined)[];
  /** Tools that ran. */
  readonly ran: string[];
  /** Changes the tokens it takes from now on. */
  issuer: string;
  /** Wanted by the tool `write` beside `tools:read`. */
  writeScope: string;
}

export async function startProtectedServer(options: ProtectedServerOptions): Promise<ProtectedServer> {
  const http = createServer((request, response) => {
    void handle(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    http.closeAllConnections();
    http.close();
  });
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: ProtectedServer = {
    url: `${origin}/mcp`,
    tokens: [],
    ran: [],
    issuer: options.issuer,
    writeScope: 'tools:write',
  };
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (request.url === new URL(metadataUrl).pathname) return sendMetadata(response);
    if (request.url !== '/mcp' || request.method !== 'POST') return void response.writeHead(405).end();
    server.tokens.push(request.headers.authorization);
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    const known = token === undefined ? undefined : await options.tokens.look(token);
    if (known === undefined || known.audience !== server.url) {
      const named = options.namesMetadata === false ? '' : `, resource_metadata="${metadataUrl}"`;
      return void response.writeHead(401, { 'www-authenticate': `Bearer scope="tools:read"${named}` }).end();
    }
    const message = JSON.parse(body) as { id?: number; method: string; params?: { name?: string } };
    const wanted = message.params?.name === 'write' ? server.writeScope : 'tools:read';
    if (message.method === 'tools/call' && !known.scope.split(' ').includes(wanted)) {
      const challenge = `Bearer error="insufficient_scope", scope="${wanted}", resource_metadata="${metadataUrl}"`;
      return void response.writeHead(403, { 'www-authenticate': challenge }).end();
    }
    if (message.id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message.method, message.params ?? {}) }));
  }

  function sendMetadata(response: ServerResponse): void {
    const metadata = {
      resource: server.url,
      authorization_servers: [server.issuer],
      scopes_supported: ['tools:read'],
    };
    const sent = options.tamper === undefined ? metadata : options.tamper(metadata);
    if (sent === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
  }

  function answer(method: string, params: { name?: string }): JsonObject {
    if (method === 'initialize') {
      const serverInfo = { name: 'protected', version: '1.0.0' };
      return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
    }
    if (method === 'tools/list') {
      const inputSchema = { type: 'object' };
      return { result: { tools: ['read', 'write'].map((name) => ({ name, inputSchema })) } };
    }
    if (method === 'tools/call') {
      server.ran.push(params.name ?? '');
      return { result: { content: [{ type: 'text', text: `done: ${params.name}` }] } };
    }
    return { error: { code: -32601, message: 'Method not found' } };
  }

  return server;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
