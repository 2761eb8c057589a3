// @module-tag large
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { startEra, textOf } from '../../flows/support.ts';
import { eventually } from '../../support/eventually.ts';
import { repoRoot } from '../../support/program.ts';
import { startHttp } from './http-server.ts';
import { startModern } from './modern-server.ts';
import { startProxy } from './proxy-server.ts';

const configOf = (url: string, extra: JsonObject = {}) => ({ mcpServers: { far: { url, ...extra } }, separator: '__' });
const tlsFile = (name: string) => join(repoRoot, 'test/fixtures/tls', name);
const tls = {
  key: readFileSync(tlsFile('far.test.key.pem'), 'utf8'),
  cert: readFileSync(tlsFile('far.test.cert.pem'), 'utf8'),
};
const trusting = { NODE_EXTRA_CA_CERTS: tlsFile('private-ca.cert.pem') };
const noProxies = Object.fromEntries(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
    [name, undefined],
    [name.toLowerCase(), undefined],
  ]),
);

/** Starts a client that cannot reach its server and gives what is said about it. */
async function failureOf(url: string, env: Record<string, string | undefined> = {}, extra: JsonObject = {}) {
  const client = await startEra('legacy', { config: configOf(url, extra), env: { ...noProxies, ...env } });
  await client.names();
  return eventually(() => /"code":"(WB\d+)"/.exec(client.stderr)?.[1] !== undefined && client.stderr);
}

describe('a server behind a proxy', () => {
  it('is reached with the whole address when it is plain', async () => {
    const server = await startModern();
    const proxy = await startProxy({ credentials: 'me:pw-canary' });
    const env = { ...noProxies, HTTP_PROXY: `http://me:pw-canary@127.0.0.1:${proxy.port}` };
    const client = await startEra('legacy', { config: configOf(`http://far.test:${server.port}/mcp?a=1`), env });
    await client.names();
    const seen = JSON.parse(textOf(await client.call('far__headers'))) as JsonObject;
    expect(seen.host).toBe(`far.test:${server.port}`);
    expect(new Set(proxy.seen)).toEqual(new Set([`POST http://far.test:${server.port}/mcp?a=1`]));
  });

  it('is reached through a tunnel when it is secure, and hears nothing of the proxy', async () => {
    const server = await startModern({ tls });
    const proxy = await startProxy({ credentials: 'me:pw-canary' });
    const env = { ...noProxies, ...trusting, https_proxy: `http://me:pw-canary@127.0.0.1:${proxy.port}` };
    const client = await startEra('legacy', { config: configOf(`https://far.test:${server.port}/mcp`), env });
    await client.names();
    const seen = JSON.parse(textOf(await client.call('far__headers'))) as JsonObject;
    expect(Object.keys(seen)).not.toContain('proxy-authorization');
    expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT far.test:${server.port}`]));
  });

  it.each(['http', 'https'])('says that the proxy wants a password (%s)', async (scheme) => {
    const proxy = await startProxy({ credentials: 'me:right' });
    const env = { ALL_PROXY: `http://me:pw-canary@127.0.0.1:${proxy.port}` };
    const said = await failureOf(`${scheme}://far.test:9/mcp`, env);
    expect(said).toContain('WB1304');
    expect(said).toContain('asks for a user name');
    expect(said).not.toContain('canary');
  });

  it.each(['http', 'https'])('says that the proxy is not there (%s)', async (scheme) => {
    const said = await failureOf(`${scheme}://far.test/mcp`, { ALL_PROXY: 'http://me:pw-canary@127.0.0.1:9' });
    expect(said).toContain('WB1304');
    expect(said).not.toContain('canary');
  });
});

describe('a secure server', () => {
  it('is trusted by a private authority', async () => {
    const server = await startModern({ tls });
    const env = { ...noProxies, ...trusting };
    const client = await startEra('legacy', { config: configOf(`https://localhost:${server.port}/mcp`), env });
    await client.names();
    expect(textOf(await client.call('far__echo', { a: 1 }))).toBe('{"a":1}');
  });

  it.each([
    ['of an unknown authority', 'localhost', {}, 'authority'],
    ['for another host', '127.0.0.1', trusting, 'another host'],
  ])('with a certificate %s is not spoken to', async (_what, host, env, words) => {
    const server = await startModern({ tls });
    const said = await failureOf(`https://${host}:${server.port}/mcp`, env);
    expect(said).toContain('WB1303');
    expect(said).toContain(words);
    expect(server.seen).toEqual([]);
  });
});

describe('a server that cannot be used', () => {
  const canaries = { headers: { Authorization: 'Bearer header-canary', 'X-Key': 'key-canary' } };
  const page = { 'content-type': 'text/html' };

  it.each<[string, number, Record<string, string>, string | Buffer]>([
    ['WB1201', 401, { 'www-authenticate': 'Bearer realm="body-canary"' }, 'body-canary'],
    ['WB1203', 403, {}, 'body-canary'],
    ['WB1307', 500, {}, 'body-canary'],
    ['WB1307', 503, {}, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"body-canary"}}'],
    ['WB1307', 429, {}, ''],
    ['WB1311', 200, page, '<html>body-canary</html>'],
    ['WB1311', 200, { 'content-type': 'application/json' }, 'body-canary'],
    ['WB1311', 200, { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","id":"body-canary","result":{}}'],
    ['WB1311', 200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, gzipSync('{}')],
    ['WB1311', 202, {}, ''],
    ['WB1312', 307, { location: 'http://evil.example/mcp?body-canary' }, ''],
    ['WB1312', 302, { location: '/other' }, ''],
    ['WB1312', 307, { location: '/mcp' }, ''],
  ])(
    'fails with %s when it answers %i %o, is not taken for an old one, and nothing secret is said',
    async (code, status, headers, body) => {
      const server = await startHttp((_seen, response) => response.writeHead(status, headers).end(body));
      const said = await failureOf(`${server.origin}/mcp?key=query-canary`, {}, canaries);
      expect(said).toContain(code);
      expect(said).not.toContain('canary');
      expect(server.asked('initialize')).toEqual([]);
    },
  );

  it('fails with WB1306 when nothing under its path is MCP', async () => {
    const server = await startHttp((_seen, response) => response.writeHead(404, page).end('<html>'));
    expect(await failureOf(`${server.origin}/wrong`)).toContain('WB1306');
    expect(server.seen.map(({ method, message }) => message.method ?? method)).toEqual([
      'server/discover',
      'initialize',
      'GET',
    ]);
  });

  it('is told apart when it only sent a compressed answer', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const server = await startHttp((_seen, response) => response.writeHead(200, headers).end(gzipSync('{}')));
    expect(await failureOf(`${server.origin}/mcp`)).toContain('compressed');
  });

  it('fails with WB1305 when nothing listens', async () => {
    expect(await failureOf('http://127.0.0.1:9/mcp')).toContain('WB1305');
  });

  it('fails with WB1302 when its name is unknown', async () => {
    expect(await failureOf('http://nowhere.invalid/mcp')).toContain('WB1302');
  });

  it('gets nothing of ours at the place it redirects to', async () => {
    const other = await startHttp((_seen, response) => response.end());
    const server = await startHttp((_seen, response) =>
      response.writeHead(308, { location: `${other.origin}/mcp` }).end(),
    );
    expect(await failureOf(`${server.origin}/mcp`, {}, canaries)).toContain(other.origin);
    expect(other.seen).toEqual([]);
  });
});

describe('a server behind a URL', () => {
  it('may move within its origin', async () => {
    const server = await startModern({
      first: ({ path }, response) => {
        if (path === '/mcp/') return false;
        response.writeHead(307, { location: '/mcp/' }).end();
        return true;
      },
    });
    const client = await startEra('legacy', { config: configOf(server.url, { headers: { 'X-Key': 'k' } }) });
    await client.names();
    expect(JSON.parse(textOf(await client.call('far__headers')))).toMatchObject({ 'x-key': 'k' });
  });

  it('may be silent for longer than an unused connection is kept', { tags: 'long' }, async () => {
    const server = await startModern();
    const client = await startEra('modern', { config: configOf(server.url) });
    await client.names();
    expect(textOf(await client.call('far__slow', { ms: 6_000 }, { timeoutMs: 15_000 }))).toBe('slow');
  });

  it.each([
    ['application/json', ''],
    ['text/event-stream', 'data: '],
  ])('fails only the call whose answer is too large (%s)', async (type, head) => {
    const chunk = 'x'.repeat(1024 * 1024);
    const server = await startModern({
      first: async ({ message }, response) => {
        if ((message.params as JsonObject | undefined)?.name !== 'streamed') return false;
        response.writeHead(200, { 'content-type': type }).write(`${head}{"jsonrpc":"2.0","id":1,"result":{"x":"`);
        for (let part = 0; part < 70 && !response.destroyed; part++)
          await new Promise((resolve) => response.write(chunk, resolve));
        response.end();
        return true;
      },
    });
    const client = await startEra('modern', { config: configOf(server.url) });
    await client.names();
    expect(JSON.stringify(await client.call('far__streamed', {}, { timeoutMs: 20_000 }))).toContain('limit');
    expect(textOf(await client.call('far__echo', {}))).toBe('{}');
  });

  it('gets the configured headers on every request and nothing that came from the client', async () => {
    const server = await startModern();
    const headers = {
      Authorization: 'Bearer configured',
      'X-Key': 'configured',
      'Content-Length': '3',
      'Transfer-Encoding': 'chunked',
      Connection: 'close',
      'Mcp-Method': 'x',
    };
    const client = await startEra('modern', { config: configOf(server.url, { headers }) });
    await client.names();
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'client-canary', version: '1' }, authorization: 'x' };
    await client.ask('tools/call', { name: 'far__echo', arguments: {}, _meta, headers: { authorization: 'token' } });
    expect(server.asked('tools/call')).toHaveLength(1);
    for (const seen of server.seen) {
      expect(seen.headers).toMatchObject({ authorization: 'Bearer configured', 'x-key': 'configured' });
      expect(seen.headers['mcp-method']).toBe(seen.message.method);
      expect(seen.headers['accept-encoding']).toBe('identity');
      expect(seen.headers['transfer-encoding']).toBeUndefined();
      expect(JSON.stringify(seen.headers)).not.toContain('canary');
      expect(JSON.stringify(seen.message)).not.toContain('client-canary');
    }
  });
});
