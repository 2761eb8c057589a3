/** A connection through a proxy: `CONNECT` first, then the bytes of the caller. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { defined } from '../base/json/defined.ts';

export interface TunnelOptions {
  readonly proxy: URL;
  /** Value of `Proxy-Authorization`; a secret. */
  readonly authorization: string | undefined;
  /** Host and port to connect to, as they stand in a URL. */
  readonly authority: string;
  readonly ca?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rejects with what `refused` makes of the status when the proxy does not connect. */
export function openTunnel(
  { proxy, authorization, authority, ca, signal }: TunnelOptions,
  refused: (status: number) => Error,
): Promise<Socket> {
  const request = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
    ...toSocketAddress(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...defined({ 'proxy-authorization': authorization }) },
    agent: false,
    ...defined({ ca, signal }),
  });
  request.end();
  return new Promise((done, fail) => {
    request.on('error', fail);
    // A proxy that answers CONNECT like any request has refused it.
    request.on('response', ({ statusCode = 0 }) => {
      request.destroy();
      fail(refused(statusCode));
    });
    request.on('connect', ({ statusCode = 0 }, socket) => {
      // The next user of the socket has its own listener; until then an error must not end the process.
      socket.on('error', () => {});
      if (statusCode === 200) return done(socket as Socket);
      socket.destroy();
      fail(refused(statusCode));
    });
  });
}

/** Where the host of an address is reached. */
export function toSocketAddress(url: URL): { host: string; port: number } {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}
