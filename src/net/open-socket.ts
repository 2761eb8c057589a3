/**
 * Connects to a target whose address has been checked: the name is resolved once and the connection goes to the checked address,
 * so that a second answer of the resolver cannot lead elsewhere. With a proxy, the proxy resolves.
 */
import { lookup as resolve } from 'node:dns/promises';
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import { WorkbenchError } from '../base/errors.ts';
import { type Environment, findProxy } from './proxy.ts';
import { checkAddresses, type Target, toOrigin } from './target.ts';

export interface Road {
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly connect: (to: { readonly addresses: readonly string[]; readonly port: number }) => Socket;
  /** The environment that names the proxies. */
  readonly env: Environment;
  /** Certificates to trust instead of those of the system. */
  readonly ca?: string;
}

export async function resolveHost(host: string): Promise<readonly string[]> {
  return (await resolve(host, { all: true })).map(({ address }) => address);
}

/** Tries the addresses as a browser does: the next one when one is slow to answer. */
export function connectTo({ addresses, port }: Parameters<Road['connect']>[0]): Socket {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  return openTcp({
    host: 'resolved.invalid',
    port,
    autoSelectFamily: true,
    lookup: (_host, _options, done) => done(null, answer),
  });
}

export async function openSocket(target: Target, road: Road, signal: AbortSignal): Promise<Socket> {
  const proxy = target.reach === 'loopback' ? undefined : findProxy(target.url, road.env);
  const plain =
    proxy === undefined ? await openDirect(target, road, signal) : await openTunnel(target, proxy, road, signal);
  return target.url.protocol === 'https:' ? await secure(plain, target, road, signal) : plain;
}

async function openDirect(target: Target, road: Road, signal: AbortSignal): Promise<Socket> {
  const addresses = isIP(target.host) === 0 ? await unlessAborted(road.lookup(target.host), signal) : [target.host];
  checkAddresses(target, addresses);
  return await whenReady(road.connect({ addresses, port: target.port }), 'connect', signal);
}

async function openTunnel(target: Target, proxy: URL, road: Road, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.url.hostname}:${target.port}`;
  const request = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...toProxyAuthorization(proxy) },
    agent: false,
    signal,
    ...(road.ca === undefined ? {} : { ca: road.ca }),
  });
  request.end();
  return await new Promise((done, fail) => {
    request.on('error', fail);
    const refuse = (status: number | undefined) =>
      fail(new WorkbenchError('WB1309', `the proxy refused to connect to ${toOrigin(target.url)} (status ${status})`));
    request.on('response', ({ statusCode }) => {
      request.destroy();
      refuse(statusCode);
    });
    request.on('connect', ({ statusCode }, socket) => {
      socket.on('error', () => {});
      if (statusCode === 200) return done(socket as Socket);
      socket.destroy();
      refuse(statusCode);
    });
  });
}

function toProxyAuthorization({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function secure(plain: Socket, { host }: Target, road: Road, signal: AbortSignal): Promise<Socket> {
  const name = host.replace(/\.$/, '');
  const socket = openTls({
    socket: plain,
    // The name that the certificate must be for; a server name that is an IP address must not be sent.
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(road.ca === undefined ? {} : { ca: road.ca }),
  });
  return await whenReady(socket, 'secureConnect', signal);
}

async function whenReady(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  // The next user of the socket has its own error handler; until then nothing else would handle errors.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const abort = () => fail(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener('abort', abort));
  });
}
