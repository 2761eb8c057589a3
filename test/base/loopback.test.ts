import { afterEach, describe, expect, it } from 'vitest';
import { isLoopback, isLoopbackAddress, loopbackNames, mayBeLoopback } from '../../src/base/loopback.ts';
import type { ServerDefinition } from '../../src/config/model/config.ts';
import { createChain } from '../../src/downstream/connection/chain.ts';
import { findServerProxy } from '../../src/downstream/http/proxy.ts';
import { findContext } from '../../src/downstream/oauth/sign-in-context.ts';
import type { TokenStore } from '../../src/downstream/oauth/tokens/token-store.ts';
import { createWorkbench, openAuthenticator, serveHttp } from '../../src/index.ts';
import { checkAuthorizationUrl, isOpenable } from '../../src/net/authorization-url.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { findProxy } from '../../src/net/proxy.ts';
import { createIssuerAuthenticator } from '../../src/serve/http/auth/issuer-authenticator.ts';
import { createGuard } from '../../src/serve/http/guard.ts';
import { parse } from '../config/support.ts';

/** Hosts as they stand in a URL, whether each is this machine for certain, and whether it may be. */
const hosts: [host: string, certain: boolean, perhaps: boolean][] = [
  ['127.0.0.1', true, true],
  ['127.0.0.2', true, true],
  ['127.255.255.254', true, true],
  ['[::1]', true, true],
  ['[0:0:0:0:0:0:0:1]', true, true],
  ['localhost', true, true],
  ['LocalHost', true, true],
  // URL parsing makes 127.0.0.1 of them.
  ['2130706433', true, true],
  ['0x7f.1', true, true],
  ['127.1', true, true],
  ['0177.0.0.1', true, true],
  // A resolver decides.
  ['localhost.', false, true],
  ['x.localhost', false, true],
  ['x.localhost.', false, true],
  // Leads here on some systems.
  ['0.0.0.0', false, true],
  ['[::]', false, true],
  ['[::ffff:127.0.0.1]', false, true],
  ['[::ffff:7f00:1]', false, true],
  ['[::ffff:7fff:fffe]', false, true],
  ['[::ffff:0.0.0.0]', false, true],
  // Leads elsewhere.
  ['[::127.0.0.1]', false, false],
  ['[64:ff9b::7f00:1]', false, false],
  ['[::ffff:8.8.8.8]', false, false],
  ['[::2]', false, false],
  ['128.0.0.1', false, false],
  ['10.0.0.1', false, false],
  ['localhost.example', false, false],
  ['127.0.0.1.example', false, false],
  ['notlocalhost', false, false],
  ['far.example', false, false],
];
const certain = hosts.map(([host, is]) => [host, is] as const);
const perhaps = hosts.map(([host, , is]) => [host, is] as const);

const httpServer = (url: string): ServerDefinition => ({
  ...{ key: 'far', name: 'far', disabled: false, timeoutMs: 1, startTimeoutMs: 1, prefix: true, shown: url },
  transport: { kind: 'http', variant: 'auto', url, headers: {} },
});
const refusal = async (promise: Promise<unknown>): Promise<string> => String(await promise.catch((error) => error));

describe('this machine, by what URL parsing gives', () => {
  it.each(hosts)('%s: certainly %s, perhaps %s', (host, is, may) => {
    const { hostname } = new URL(`http://${host}/`);
    expect([isLoopback(hostname), mayBeLoopback(hostname)]).toEqual([is, may]);
    const bare = hostname.replace(/^\[|\]$/g, '');
    expect([isLoopback(bare), mayBeLoopback(bare)]).toEqual([is, may]);
  });

  it.each(['', ' ', '127.1', '127.0.0.256', '127.0.0.01', '0x7f.1', '2130706433', '::1%lo', '[::1', '::1]', '[[::1]]'])(
    'is never what only looks like it: %j',
    (text) => expect([isLoopback(text), mayBeLoopback(text), isLoopbackAddress(text)]).toEqual([false, false, false]),
  );
});

describe('what is granted to this machine only', () => {
  it.each(certain)('plain http of a sign-in address: %s %s', (host, is) => {
    const url = `http://${host}:3000/`;
    expect(isOpenable(url)).toBe(is);
    if (is) expect(checkAuthorizationUrl(url).protocol).toBe('http:');
    else expect(() => checkAuthorizationUrl(url)).toThrow('only https is allowed, or http on this machine');
  });

  it.each(certain)('plain http of the issuer in the configuration: %s %s', (host, is) => {
    const read = () => parse({ mcpServers: {}, auth: { issuer: `http://${host}:3000` } });
    if (is) expect(read().auth?.issuer).toContain(host);
    else expect(read).toThrow('auth.issuer must begin with https://');
  });

  // Port 1: nothing listens there, so what is allowed fails otherwise than by a refusal of ours.
  it.each(certain)('plain http to the issuer: %s %s', async (host, is) => {
    let reason = '';
    const authenticator = createIssuerAuthenticator({
      ...{ issuer: `http://${host}:1`, publicUrl: undefined, scopes: [], algorithms: [], toolboxes: () => [] },
      log: { error: (_text: string, { reason: why }: { reason: string }) => (reason = why), debug() {} } as never,
    });
    const headers = { authorization: 'Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.AA' };
    await authenticator.authenticate({ headers, path: '/mcp', origin: 'http://127.0.0.1:1' } as never);
    expect(reason).not.toBe('');
    expect(reason.includes('only https is allowed')).toBe(!is);
  });

  it.each(certain)('plain http of a sign-in: %s %s', async (host, is) => {
    const { fetch } = findContext({ definition: httpServer(`http://${host}:1/mcp`), store: {} as TokenStore }) ?? {};
    const why = await refusal(fetch?.(new URL(`http://${host}:1/`), {}) ?? Promise.resolve());
    expect(why.includes('only https is allowed')).toBe(!is);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', false],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
  ])('a connection to what a name of this machine is resolved to: %s %s', async (address, is) => {
    const fetch = createGuardedFetch({
      allowLoopbackHttp: ['http://localhost:1'],
      lookup: async () => [address],
      connect: () => {
        throw new Error('connects');
      },
    });
    expect(await refusal(fetch('http://localhost:1/'))).toContain(
      is ? 'the connection failed' : 'was refused: it is configured as',
    );
  });
});

describe('a service that lets in everybody on this machine', () => {
  const ended: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });

  // What is listened on is no URL: of the numeric spellings only the usual one is taken.
  it.each([
    ['localhost', true],
    ['LOCALHOST', true],
    ['127.0.0.1', true],
    ['localhost.', false],
    ['x.localhost', false],
    ['127.1', false],
    ['2130706433', false],
    ['127.0.0.999', false],
    ['::ffff:127.0.0.1', false],
    ['0.0.0.0', false],
    ['::', false],
    ['', false],
  ])('may listen on %j: %s', async (host, is) => {
    const workbench = createWorkbench({ config: parse({ mcpServers: {} }) });
    ended.push(() => workbench.close());
    const service = serveHttp({ workbench, host, port: 0, authenticator: openAuthenticator });
    if (!is) return await expect(service).rejects.toMatchObject({ code: 'WB1901' });
    ended.push((await service).close);
    expect((await service).port).toBeGreaterThan(0);
  });

  it.each(['127.0.0.2', '[::1]', '::1'])('and on %s where the system has that address', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
});

describe('the Host and Origin of a request', () => {
  const guard = createGuard({ host: '127.0.0.1', port: 3917, allowedHosts: [], allowedOrigins: [] });
  const ask = (headers: Record<string, string>) => guard({ headers, rawHeaders: [] } as never) === undefined;

  // A page can have any name resolved to this machine, and another program can have the same port of another address.
  it.each([...hosts.map(([host]) => host), '::1', 'evil.localhost'])('are ours by name only: %s', (host) => {
    const ours = loopbackNames.includes(host.toLowerCase());
    expect(ask({ host })).toBe(ours);
    expect(ask({ host: `${host}:3917` })).toBe(ours);
    expect(ask({ host: 'localhost:3917', origin: `http://${host}:3917` })).toBe(ours);
    expect(ask({ host: `${host}:3918` })).toBe(false);
  });
});

describe('what is done as a precaution wherever this machine may be meant', () => {
  const env = { http_proxy: 'http://proxy.example:1', https_proxy: 'http://proxy.example:1' };
  it.each(perhaps)('no proxy is asked: %s %s', (host, may) => {
    for (const url of [new URL(`http://${host}:8/`), new URL(`https://${host}/`)]) {
      expect(findProxy(url, env) === undefined).toBe(may);
      expect(findServerProxy(url, env) === undefined).toBe(may);
    }
  });

  it.each(perhaps)('a server is told which Workbenches lead to it: %s %s', (host, may) => {
    const chain = createChain({
      ...{ config: '/config.json', pid: 7, now: () => 0, above: () => [], findOwnEntry: () => undefined },
    });
    expect(chain.trailFor(httpServer(`http://${host}:1/mcp`))).toEqual(may ? [chain.id] : []);
  });
});
