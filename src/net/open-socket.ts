/**
 * Connects to a target whose address has been checked: the name is resolved once and the connection goes to the checked address,
 * so that a second answer of the resolver cannot lead elsewhere. With a proxy, the proxy resolves.
 */

import { lookup as resolve } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import { untilAborted } from '../base/async/until-aborted.ts';
import { WorkbenchError } from '../base/errors/errors.ts';
import { defined } from '../base/json/defined.ts';
import { findProxy, type ProxyEnvironment, toBasic } from './proxy.ts';
import { checkAddresses, type Target, toOrigin } from './target.ts';
import { openTunnel } from './tunnel.ts';

export interface Road {
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly connect: (to: { readonly addresses: readonly string[]; readonly port: number }) => Socket;
  /** The environment that names the proxies. */
  readonly env: ProxyEnvironment;
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
    proxy === undefined
      ? await openDirect(target, road, signal)
      : await openTunnel(
          {
            proxy,
            authorization: toBasic(proxy),
            authority: `${target.url.hostname}:${target.port}`,
            ca: road.ca,
            signal,
          },
          refused(target),
        );
  return target.url.protocol === 'https:' ? await secure(plain, target, road, signal) : plain;
}

function refused({ url }: Target): (status: number) => WorkbenchError {
  return (status) =>
    new WorkbenchError('WB1309', `the proxy refused to connect to ${toOrigin(url)} (status ${status})`);
}

async function openDirect(target: Target, road: Road, signal: AbortSignal): Promise<Socket> {
  const addresses = isIP(target.host) === 0 ? await untilAborted(signal, road.lookup(target.host)) : [target.host];
  checkAddresses(target, addresses);
  return await whenReady(road.connect({ addresses, port: target.port }), 'connect', signal);
}

async function secure(plain: Socket, { host }: Target, road: Road, signal: AbortSignal): Promise<Socket> {
  const name = host.replace(/\.$/, '');
  const socket = openTls({
    socket: plain,
    // The name that the certificate must be for; a server name that is an IP address must not be sent.
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    ...defined({ ca: road.ca }),
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
