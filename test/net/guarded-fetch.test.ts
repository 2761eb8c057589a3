import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type GuardedFetchOptions } from '../../src/net/guarded-fetch.ts';

const tls = join(import.meta.dirname, '../fixtures/tls');
const cert = readFileSync(join(tls, 'guarded.example.cert.pem'), 'utf8');
const key = readFileSync(join(tls, 'guarded.example.key.pem'), 'utf8');
const publicAddress = '93.184.215.14';

let server: Server;
let port: number;
let answer: RequestListener;
let requests: IncomingMessage[];
let bodies: string[];

beforeAll(async () => {
  server = createHttpsServer({ cert, key }, (request, response) => {
    requests.push(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      answer(request, response);
    });
  });
  port = await listen(server);
});
afterAll(() => close(server));
beforeEach(() => {
  requests = [];
  bodies = [];
  answer = (_request, response) => response.end('{"ok":true}');
});

async function listen(some: Server): Promise<number> {
  await new Promise<void>((done) => some.listen(0, '127.0.0.1', done));
  return (some.address() as AddressInfo).port;
}

async function close(some: Server): Promise<void> {
  some.closeAllConnections();
  await new Promise((done) => some.close(done));
}

/** Every name has a public address, and the connection to it ends at our server. */
function create(more: Partial<GuardedFetchOptions> = {}) {
  const connected: string[] = [];
  const sockets: Socket[] = [];
  const fetch = createGuardedFetch({
    allowLoopbackHttp: [],
    env: {},
    ca: cert,
    lookup: async () => [publicAddress],
    connect: ({ addresses, port: wanted }) => {
      connected.push(`${addresses.join()}:${wanted}`);
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      return socket;
    },
    ...more,
  });
  return { fetch, connected, sockets };
}

describe('the guarded fetch', () => {
  it('answers like the global one', async () => {
    answer = (_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
      response.end('{"ok":"ä"}');
    };
    const { fetch, sockets } = create();
    const response = await fetch('https://guarded.example/path?query#hash');
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.url]).toEqual([
      201,
      true,
      'https://guarded.example/path?query#hash',
    ]);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toEqual({ ok: 'ä' });
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('asks the checked address under the name that was asked for', async () => {
    const { fetch, connected } = create();
    await fetch('https://guarded.example:8443/path?query');
    expect(connected).toEqual([`${publicAddress}:8443`]);
    expect([requests[0]?.url, requests[0]?.headers.host]).toEqual(['/path?query', 'guarded.example:8443']);
    const socket = requests[0]?.socket as TLSSocket;
    expect(socket).toBeInstanceOf(TLSSocket);
    expect((socket as TLSSocket & { servername: string }).servername).toBe('guarded.example');
  });

  it('resolves a name once, so that a resolver cannot change its mind', async () => {
    const answers = [[publicAddress], ['127.0.0.1']];
    const { fetch, connected } = create({ lookup: async () => answers.shift() ?? [] });
    await fetch('https://guarded.example/');
    expect(connected).toEqual([`${publicAddress}:443`]);
    expect(answers).toHaveLength(1);
  });

  it('takes what libraries hand to a fetch', async () => {
    const { fetch } = create();
    await fetch(new URL('https://guarded.example/token'), {
      method: 'POST',
      headers: new Headers({ authorization: 'Basic eA==', host: 'evil.example', 'accept-encoding': 'gzip' }),
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
    });
    await fetch(new Request('https://guarded.example/register', { method: 'POST', body: '{}' }));
    expect(bodies).toEqual(['grant_type=refresh_token', '{}']);
    expect(requests[0]?.headers).toMatchObject({
      host: 'guarded.example',
      authorization: 'Basic eA==',
      'accept-encoding': 'identity',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      'content-length': '24',
    });
  });

  it.each([204, 304, 400, 401, 404, 500])('passes on the status %d', async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    expect((await create().fetch('https://guarded.example/')).status).toBe(status);
  });

  it('really connects when nothing is put in its place', async () => {
    const plain = createHttpServer((_request, response) => response.end('here'));
    const origin = `http://localhost:${await listen(plain)}`;
    const fetch = createGuardedFetch({ allowLoopbackHttp: [origin], env: { HTTP_PROXY: 'http://127.0.0.1:1' } });
    expect(await (await fetch(`${origin}/x`)).text()).toBe('here');
    await close(plain);
  });
});

describe('a redirect', () => {
  const redirect = (...locations: string[]) => {
    answer = (_request, response) => {
      const location = locations.shift();
      if (location === undefined) response.end('{"arrived":true}');
      else response.writeHead(302, { location }).end('on the way');
    };
  };

  it('is followed three times, and each address is checked anew', async () => {
    redirect('/a', 'https://elsewhere.example/b', '//guarded.example/c');
    const { fetch, connected } = create();
    const response = await fetch('https://guarded.example/');
    expect(await response.json()).toEqual({ arrived: true });
    expect(response.url).toBe('https://guarded.example/c');
    expect(requests.map(({ url, headers }) => `${headers.host}${url}`)).toEqual([
      'guarded.example/',
      'guarded.example/a',
      'elsewhere.example/b',
      'guarded.example/c',
    ]);
    expect(connected).toHaveLength(4);
  });

  it('is not followed a fourth time', async () => {
    redirect('/1', '/2', '/3', '/4');
    await expect(create().fetch('https://guarded.example/')).rejects.toMatchObject({ code: 'WB1309' });
    expect(requests).toHaveLength(4);
  });

  it.each([
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'https://user:pass@elsewhere.example/',
    'http://guarded.example/',
    'http://127.0.0.1:9000/',
    'file:///etc/passwd',
    'data:,x',
  ])('is refused to %s', async (location) => {
    redirect(location);
    const { fetch, connected } = create();
    await expect(fetch('https://guarded.example/')).rejects.toMatchObject({ code: 'WB1308' });
    expect(connected).toHaveLength(1);
  });

  it('is refused to a name with a private address', async () => {
    redirect('https://elsewhere.example/');
    const { fetch, connected } = create({
      lookup: async (host) => [host === 'elsewhere.example' ? '10.0.0.1' : publicAddress],
    });
    await expect(fetch('https://guarded.example/')).rejects.toMatchObject({ code: 'WB1308' });
    expect(connected).toHaveLength(1);
  });

  it.each(['', 'https://'])('is refused to nowhere: "%s"', async (location) => {
    redirect(location);
    await expect(create().fetch('https://guarded.example/')).rejects.toMatchObject({ code: 'WB1309' });
  });

  it.each([301, 302, 303, 307, 308])('with status %d is not followed with what was posted', async (status) => {
    answer = (_request, response) => response.writeHead(status, { location: '/elsewhere' }).end();
    const post = create().fetch('https://guarded.example/token', { method: 'POST', body: 'code=secret' });
    await expect(post).rejects.toMatchObject({ code: 'WB1309' });
    expect(requests).toHaveLength(1);
  });

  it('is given back or refused when the caller wants that', async () => {
    redirect('/a', '/b');
    const { fetch } = create();
    const response = await fetch('https://guarded.example/', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/a']);
    await expect(fetch('https://guarded.example/', { redirect: 'error' })).rejects.toMatchObject({ code: 'WB1309' });
  });

  it('takes credentials along within the origin only', async () => {
    redirect('/same', 'https://elsewhere.example/', 'https://guarded.example/back');
    const headers = { authorization: 'Bearer x', cookie: 'a=b', accept: 'application/json' };
    await create().fetch('https://guarded.example/', { headers });
    expect(requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer x',
      'Bearer x',
      undefined,
      undefined,
    ]);
    expect(requests.map((request) => request.headers.cookie)).toEqual(['a=b', 'a=b', undefined, undefined]);
    expect(requests.at(-1)?.headers.accept).toBe('application/json');
  });
});

describe('an answer that is out of bounds', () => {
  const failure = async (more: Partial<GuardedFetchOptions> = {}) => {
    const { fetch, sockets } = create(more);
    const error = await fetch('https://guarded.example/secret-path?secret=query').then(
      () => new Error('It was accepted.'),
      (reason: Error) => reason,
    );
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
    expect(error).toMatchObject({ code: 'WB1309' });
    expect(error.message).not.toContain('secret');
    return error.message;
  };

  it('is accepted up to 64 kB and refused beyond, with or without an announced length', async () => {
    answer = (_request, response) => response.end('x'.repeat(65_536));
    expect((await (await create().fetch('https://guarded.example/')).text()).length).toBe(65_536);
    answer = (_request, response) => response.end('secret '.repeat(10_000));
    expect(await failure()).toContain('larger than 65536 bytes');
    answer = (_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('secret'.repeat(1_000)));
      };
      response.on('drain', pour);
      pour();
    };
    expect(await failure()).toContain('larger than 65536 bytes');
  });

  it.each<[string, RequestListener]>([
    ['never comes', () => {}],
    ['begins and stops', (_request, response) => response.write('{"a":')],
    ['stops after its headers', (_request, response) => response.flushHeaders()],
  ])('is given up when it %s', async (_name, listener) => {
    answer = listener;
    expect(await failure({ limits: { timeMs: 100 } })).toBe(
      'the request to https://guarded.example failed: it took longer than 100 ms',
    );
  });

  it('is given up when it comes drop by drop', async () => {
    answer = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    };
    expect(await failure({ limits: { timeMs: 150 } })).toContain('longer than 150 ms');
  });

  it('is given up when the name is never resolved', async () => {
    expect(await failure({ limits: { timeMs: 50 }, lookup: () => new Promise(() => {}) })).toContain('longer than 50');
  });

  it('is refused when it is compressed', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('secret');
    expect(await failure()).toContain('compressed');
  });

  it('is refused when it is cut short, or no HTTP at all', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('secret', () => request.socket.destroy());
    };
    expect(await failure()).toContain('the request to https://guarded.example failed');
    answer = (request) => request.socket.end('secret secret secret\r\n\r\n');
    expect(await failure()).toContain('HPE_INVALID_CONSTANT');
  });

  it('is refused when its headers are huge', async () => {
    answer = (_request, response) => response.writeHead(200, { 'x-secret': 'secret'.repeat(4_000) }).end();
    expect(await failure()).toContain('HPE_HEADER_OVERFLOW');
  });

  it('is refused when the certificate is for another name', async () => {
    await expect(create().fetch('https://other.example/')).rejects.toMatchObject({
      message: 'the request to https://other.example failed: ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('is refused when nobody vouches for the certificate', async () => {
    const { fetch } = create();
    const strict = createGuardedFetch({
      allowLoopbackHttp: [],
      env: {},
      lookup: async () => [publicAddress],
      connect: () => connect(port, '127.0.0.1'),
    });
    await fetch('https://guarded.example/');
    await expect(strict('https://guarded.example/')).rejects.toMatchObject({ code: 'WB1309' });
  });

  it('is of no interest any more when the caller gives up', async () => {
    answer = () => controller.abort(new Error('enough'));
    const controller = new AbortController();
    const { fetch, sockets } = create();
    await expect(fetch('https://guarded.example/', { signal: controller.signal })).rejects.toThrow('enough');
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

describe('through a proxy', () => {
  let proxy: Server;
  let tunnels: { target: string | undefined; authorization: string | undefined }[];
  let proxyPort: number;

  beforeAll(async () => {
    proxy = createHttpServer((_request, response) => response.writeHead(400).end());
    proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
      tunnels.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
      if (request.url === 'refused.example:443') return socket.end('HTTP/1.1 407 Secret\r\n\r\n');
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => {});
      onward.on('close', () => socket.resume());
      socket.on('error', () => onward.destroy());
    });
    proxyPort = await listen(proxy);
  });
  afterAll(() => close(proxy));
  beforeEach(() => {
    tunnels = [];
  });
  const through = (more: Partial<GuardedFetchOptions> = {}) =>
    create({ env: { https_proxy: `http://ann:p%40ss@127.0.0.1:${proxyPort}` }, ...more });

  it('the proxy resolves the name, and the certificate is still that of the name', async () => {
    const { fetch, connected } = through({ lookup: async () => ['127.0.0.1'] });
    expect(await (await fetch('https://guarded.example/path')).json()).toEqual({ ok: true });
    const authorization = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
    expect(tunnels).toEqual([{ target: 'guarded.example:443', authorization }]);
    expect(connected).toEqual([]);
    expect(requests[0]?.headers['proxy-authorization']).toBeUndefined();
    await expect(fetch('https://other.example/')).rejects.toMatchObject({ code: 'WB1309' });
  });

  it.each(['https://127.0.0.1/', 'https://[::ffff:a00:1]/', 'https://metadata.google.internal/', 'https://intranet/'])(
    'what an address shows by itself is checked all the same: %s',
    async (address) => {
      await expect(through().fetch(address)).rejects.toMatchObject({ code: 'WB1308' });
      expect(tunnels).toEqual([]);
    },
  );

  it('a refusal of the proxy is told without its words, or ours to it', async () => {
    const error = await through()
      .fetch('https://refused.example/')
      .catch((reason: Error) => reason);
    expect(error).toMatchObject({
      message: 'the proxy refused to connect to https://refused.example (status 407)',
    });
  });

  it('nothing goes that NO_PROXY names', async () => {
    const env = { https_proxy: `http://127.0.0.1:${proxyPort}`, NO_PROXY: 'guarded.example' };
    const { fetch, connected } = create({ env });
    await fetch('https://guarded.example/');
    expect([tunnels, connected]).toEqual([[], [`${publicAddress}:443`]]);
  });
});
