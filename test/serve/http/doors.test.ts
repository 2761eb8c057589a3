import { beforeAll, describe, expect, it } from 'vitest';
import { openAuthenticator } from '../../../src/serve/http/auth/authenticator.ts';
import type { HttpService } from '../../../src/serve/http/serve-http.ts';
import {
  bearer,
  both,
  createFakeFront,
  initialize,
  jsonHeaders,
  modern,
  rpc,
  send,
  sendRaw,
  startService,
  token,
} from './support.ts';

let service: HttpService;
beforeAll(async () => {
  service = await startService(createFakeFront(), {
    sse: true,
    allowedHosts: ['bench.example', 'other.example:8443'],
    allowedOrigins: ['https://app.example'],
  });
});

const list = modern('tools/list');
const listWith = (headers: Record<string, string>) => send(service, modern('tools/list', {}, { headers }));

describe('the guard of the HTTP service', () => {
  it.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:PORT', 200],
    ['127.0.0.1:1', 403],
    ['localhost:PORT', 200],
    ['localhost:9999', 403],
    ['LocalHost', 200],
    ['[::1]:PORT', 200],
    ['[::1]:1', 403],
    ['bench.example', 200],
    ['bench.example:99', 200],
    ['other.example:8443', 200],
    ['other.example', 403],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost@evil.example', 403],
    ['0.0.0.0', 403],
  ])('with Host %j answers %i', async (host, status) => {
    expect((await listWith({ host: host.replace('PORT', String(service.port)) })).status).toBe(status);
  });

  it.each([
    ['https://app.example', 200],
    ['https://app.example.evil', 403],
    ['https://app.example:444', 403],
    ['http://app.example', 403],
    ['http://evil.example', 403],
    ['null', 403],
    ['', 403],
    ['http://localhost:1', 403],
    ['https://app.example, https://app.example', 403],
  ])('with Origin %j answers %i', async (origin, status) => {
    expect((await listWith({ origin })).status).toBe(status);
  });

  it('is not passed by those who send so many headers that some are left out', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `a${at % 10}:`);
    const lines = (last: string[]) =>
      ['POST /mcp HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', ...many, ...last, '', ''].join('\r\n');
    const token = `Authorization: ${list.headers.authorization}`;
    for (const last of [['Origin: https://evil.example', token], [token, token], [token]])
      expect(await sendRaw(service, lines(last))).toMatch(/^HTTP\/1\.1 431 /);
    const few = Array.from({ length: 150 }, (_, at) => `a${at}: b`);
    const answer = await sendRaw(
      service,
      ['GET /healthz HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', ...few, '', ''].join('\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['gzip', 415],
    ['br', 415],
    ['identity, gzip', 415],
    ['', 415],
    ['identity', 200],
    ['Identity', 200],
  ])('with Content-Encoding %j answers %i', async (encoding, status) => {
    const answer = await listWith({ 'content-encoding': encoding });
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([
      status,
      status === 415 ? 'identity' : undefined,
    ]);
  });

  it('lets its own origin in', async () => {
    expect((await listWith({ origin: `http://127.0.0.1:${service.port}` })).status).toBe(200);
    expect((await listWith({ origin: `http://localhost:${service.port}` })).status).toBe(200);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ])('with %j answers %i', async (headers, status) => {
    expect((await listWith(headers as Record<string, string>)).status).toBe(status);
  });

  it('refuses before it looks at the token, the path or the body, with a JSON-RPC error', async () => {
    const answer = await send(service, { path: '/nothing', headers: { host: 'evil.example' }, body: '{' });
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'application/json']);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  it.each(['Host: 127.0.0.1', 'Origin: https://app.example', `Authorization: Bearer ${token}`, 'Mcp-Session-Id: x'])(
    'refuses two headers %j',
    async (line) => {
      const head = ['POST /mcp HTTP/1.1', ...(line.startsWith('Host') ? [] : ['Host: 127.0.0.1']), line, line];
      const answer = await sendRaw(service, `${head.join('\r\n')}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it('sends no CORS header, whatever is asked', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST', ...bearer };
    for (const method of ['OPTIONS', 'POST', 'GET']) {
      const answer = await send(service, { method, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('the token', () => {
  const routes: [string, string][] = [
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['OPTIONS', '/mcp'],
    ['POST', '/mcp/toolbox'],
    ['POST', '/mcp/unknown'],
    ['GET', '/sse'],
    ['GET', '/sse/toolbox'],
    ['POST', '/messages?sessionId=x'],
  ];
  it.each(routes)('is asked for by %s %s', async (method, path) => {
    // A service of its own: wrong tokens are answered later and later.
    const own = await startService(createFakeFront(), { sse: true });
    for (const authorization of [undefined, 'Bearer wrong', 'Basic x', 'Bearer', `bearer  ${token}x`, token]) {
      const headers = { accept: both, 'content-type': 'application/json', ...(authorization && { authorization }) };
      const answer = await send(own, { method, path, headers, ...(method === 'POST' && { body: rpc('ping') }) });
      expect([answer.status, String(answer.headers['www-authenticate'])]).toEqual([
        401,
        expect.stringMatching(/^Bearer /),
      ]);
      expect(answer.json).toMatchObject({ id: null, error: { code: -32600 } });
      expect(answer.text).not.toContain('wrong');
    }
  });

  it('is taken whatever the case of the scheme', async () => {
    expect((await listWith({ authorization: `bearer ${token}` })).status).toBe(200);
    expect((await listWith({ authorization: `BEARER ${token}` })).status).toBe(200);
  });

  it('is not looked for in the query', async () => {
    const { authorization: _, ...headers } = list.headers as Record<string, string>;
    expect((await send(service, { ...list, path: `/mcp?token=${token}`, headers })).status).toBe(401);
  });

  it('is not needed for the two probes, which say nothing else', async () => {
    expect((await send(service, { method: 'GET', path: '/healthz' })).json).toEqual({ status: 'up' });
    expect((await send(service, { method: 'GET', path: '/readyz' })).json).toEqual({ status: 'ready' });
    expect((await send(service, { method: 'HEAD', path: '/healthz' })).status).toBe(200);
    expect((await send(service, { method: 'POST', path: '/healthz' })).status).toBe(405);
  });

  it('is not needed where everybody may come in, and that is possible on this machine only', async () => {
    const open = await startService(createFakeFront(), { authenticator: openAuthenticator });
    const { authorization: _, ...headers } = list.headers as Record<string, string>;
    expect((await send(open, { ...list, headers })).status).toBe(200);
    const everywhere = startService(createFakeFront(), { authenticator: openAuthenticator, host: '0.0.0.0' });
    await expect(everywhere).rejects.toMatchObject({ code: 'WB1901' });
  });
});

describe('the probes', () => {
  it('say that the service is up but not ready', async () => {
    const starting = await startService(createFakeFront(), { isReady: () => false });
    expect((await send(starting, { method: 'GET', path: '/healthz' })).status).toBe(200);
    const ready = await send(starting, { method: 'GET', path: '/readyz' });
    expect([ready.status, ready.json]).toEqual([503, { status: 'not ready' }]);
  });
});

describe('the metadata of RFC 9728', () => {
  it.each([
    ['/.well-known/oauth-protected-resource', '/mcp'],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
    ['/.well-known/oauth-protected-resource/mcp/toolbox', '/mcp/toolbox'],
  ])('at %s is what the authenticator says about %s', async (path, endpoint) => {
    const oauth = await startService(createFakeFront(), {
      authenticator: {
        authenticate: () => ({ status: 403, challenge: 'Bearer error="insufficient_scope"', message: 'No.' }),
        metadata: (about, origin) => ({ resource: `${origin}${about}` }),
      },
    });
    const answer = await send(oauth, { method: 'GET', path });
    expect(answer.json).toEqual({ resource: `http://127.0.0.1:${oauth.port}${endpoint}` });
    const refused = await send(oauth, { ...list, path: endpoint });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([403, 'Bearer error="insufficient_scope"']);
  });

  it('is not there where tokens are no OAuth tokens', async () => {
    expect((await send(service, { method: 'GET', path: '/.well-known/oauth-protected-resource' })).status).toBe(404);
  });
});

describe('paths and methods', () => {
  it('say at / what this is and where to point a client, to anybody, and nothing else', async () => {
    const answer = await send(service, { method: 'GET', path: '/' });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(answer.text).toContain(`http://127.0.0.1:${service.port}/mcp`);
    expect(answer.text).not.toContain('toolbox');
    expect(answer.text).not.toContain(token);
    expect((await send(service, { ...list, path: '/' })).status).toBe(405);
    expect((await send(service, { method: 'GET', path: '/', headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it.each([
    '/mcp/',
    '/mcp/a/b',
    '/MCP',
    '/mcpx',
    '/mcp/..%2f',
    '//mcp',
    '/favicon.ico',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/other',
    'http://127.0.0.1/mcp',
  ])('know nothing at %s', async (path) => {
    const answer = await send(service, { ...list, path });
    expect([answer.status, answer.json.id]).toEqual([404, null]);
  });

  it('know nothing at an unknown toolbox', async () => {
    expect((await send(service, { ...list, path: '/mcp/toolbox' })).status).toBe(200);
    expect((await send(service, { ...list, path: '/mcp/__proto__' })).status).toBe(404);
  });

  it('know the old transport only when it is offered', async () => {
    const plain = await startService();
    for (const path of ['/sse', '/messages?sessionId=x'])
      expect((await send(plain, { method: 'GET', path, headers: bearer })).status).toBe(404);
  });

  it.each([
    ['HEAD', '/mcp', {}, 'POST, GET, DELETE'],
    ['OPTIONS', '/mcp', {}, 'POST, GET, DELETE'],
    ['PUT', '/mcp', {}, 'POST, GET, DELETE'],
    ['PATCH', '/mcp/toolbox', {}, 'POST, GET, DELETE'],
    ['GET', '/mcp', { 'mcp-protocol-version': '2026-07-28' }, 'POST'],
    ['DELETE', '/mcp', { 'mcp-protocol-version': '2027-01-01' }, 'POST'],
    ['POST', '/sse', {}, 'GET'],
    ['GET', '/messages?sessionId=x', {}, 'POST'],
  ])('answer %s %s with %j with 405 and Allow: %s', async (method, path, more, allow) => {
    const answer = await send(service, { method, path, headers: { ...bearer, accept: both, ...more } });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonx', 415],
    ['application/json; charset=utf-16', 415],
    ['', 415],
    ['application/json', 200],
    ['Application/JSON; charset=UTF-8', 200],
  ])('answer a body of type %j with %i', async (type, status) => {
    expect((await listWith({ 'content-type': type })).status).toBe(status);
  });

  it.each([
    ['application/json', 406],
    ['text/event-stream', 406],
    ['text/html', 406],
    ['', 406],
    ['application/json, text/event-stream;q=0', 406],
    ['*/*', 200],
    ['application/*, text/*', 200],
    ['text/event-stream;q=0.5, application/json', 200],
    ['TEXT/EVENT-STREAM,APPLICATION/JSON', 200],
  ])('answer Accept %j with %i', async (accept, status) => {
    expect((await listWith({ accept })).status).toBe(status);
  });

  it.each([
    ['{', -32700],
    ['', -32700],
    ['1', -32600],
    ['null', -32600],
    ['[]', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":3}', -32602],
  ])('answer the body %j with 400 and %i', async (body, code) => {
    const answer = await send(service, { headers: jsonHeaders, body });
    expect([answer.status, (answer.json.error as { code: number }).code]).toEqual([400, code]);
  });

  it('repeat nothing that was sent', async () => {
    const secret = 'hunter2-hunter2';
    const session = await initialize(service);
    const tries = [
      { headers: { ...jsonHeaders, 'content-type': secret }, body: secret },
      { headers: { ...jsonHeaders, accept: secret }, body: secret },
      { headers: { ...jsonHeaders, 'mcp-session-id': secret }, body: rpc('ping') },
      { headers: { ...session, 'mcp-protocol-version': secret }, body: rpc('ping') },
      { headers: jsonHeaders, body: `{"${secret}` },
      modern('tools/call', { name: 'echo' }, { headers: { 'mcp-name': secret } }),
      { ...list, path: `/${secret}` },
    ];
    for (const sent of tries) {
      const answer = await send(service, sent);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(`${answer.text}${JSON.stringify(answer.headers)}`).not.toContain(secret);
    }
  });
});
