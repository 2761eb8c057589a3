/**
 * A real authorization server (`oidc-provider`) on this machine, with a thin layer in front that counts what is asked of it
 * and can falsify what it publishes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';

export interface AuthorizationServerOptions {
  /** Clients that are there before anybody registers. */
  readonly clients?: readonly object[];
  /** Changes the metadata on its way out. */
  readonly tamper?: (metadata: JsonObject) => JsonObject;
  readonly registration?: boolean;
  readonly accessTokenSec?: number;
}

export interface TestAuthorizationServer {
  readonly issuer: string;
  /** `POST /token refresh_token` and so on, in order. */
  readonly asked: string[];
  /** Every body of a POST that was sent to it, for tests of what must be in there. */
  readonly posted: { readonly path: string; readonly body: string; readonly headers: IncomingMessage['headers'] }[];
  /** Set to change how long tokens live from now on. */
  accessTokenSec: number;
  /** While set, the token endpoint answers with this status. */
  outage: number | undefined;
  /** What a resource server learns of a token. */
  look(token: string): Promise<{ scope: string; audience: string } | undefined>;
  revoke(token: string): Promise<void>;
}

export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<TestAuthorizationServer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  const http = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = createProvider(issuer, options, () => server);
  const server: TestAuthorizationServer = {
    issuer,
    asked: [],
    posted: [],
    accessTokenSec: options.accessTokenSec ?? 600,
    outage: undefined,
    async look(token) {
      const found = (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      if (found === undefined || found.isExpired) return undefined;
      return { scope: found.scope ?? '', audience: String(found.aud) };
    },
    async revoke(token) {
      await (await provider.AccessToken.find(token))?.destroy();
    },
  };
  handle = await withFront(provider.callback(), server, options);
  return server;
}

function createProvider(
  issuer: string,
  options: AuthorizationServerOptions,
  server: () => TestAuthorizationServer,
): Provider {
  return new Provider(issuer, {
    clients: options.clients ?? [],
    scopes: ['openid', 'offline_access'],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    ttl: { Interaction: 600, Session: 600, Grant: 600, RefreshToken: 600 },
    features: {
      registration: { enabled: options.registration ?? true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'tools:read tools:write',
          audience: resource,
          accessTokenTTL: server().accessTokenSec,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function withFront(
  inner: Handler,
  server: TestAuthorizationServer,
  { tamper }: AuthorizationServerOptions,
): Promise<Handler> {
  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path.startsWith('/.well-known/o')) server.asked.push(`${request.method} ${path}`);
    if (tamper !== undefined && path.startsWith('/.well-known/o')) rewriteJson(response, tamper);
    if (request.method !== 'POST' || path.startsWith('/interaction')) return inner(request, response);
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1');
    });
    request.on('end', () => {
      const kind = new URLSearchParams(body).get('grant_type');
      server.asked.push(`POST ${path}${kind === null ? '' : ` ${kind}`}`);
      server.posted.push({ path, body, headers: request.headers });
    });
    if (server.outage !== undefined && path === '/token') {
      request.resume();
      response.writeHead(server.outage).end('out of order');
      return;
    }
    inner(request, response);
  };
}

/** Lets a handler write its JSON and sends another in its place. */
function rewriteJson(response: ServerResponse, change: (value: JsonObject) => JsonObject): void {
  const end = response.end.bind(response);
  response.end = ((chunk: string | Buffer) => {
    const changed = JSON.stringify(change(JSON.parse(String(chunk)) as JsonObject));
    response.setHeader('content-length', Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}
