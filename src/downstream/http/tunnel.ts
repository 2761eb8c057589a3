/** An agent whose connections reach https servers through a proxy: CONNECT first, TLS with the server inside. */
import { request as httpRequest } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import { WorkbenchError } from '../../base/errors.ts';
import type { ServerProxy } from './proxy.ts';

type Opened = (error: Error | null, stream: Duplex) => void;

export class TunnelAgent extends Agent {
  readonly #proxy: ServerProxy;

  constructor(proxy: ServerProxy, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: RequestOptions, opened?: Opened): undefined {
    const { url, authorization } = this.#proxy;
    const host = options.host ?? '';
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${options.port ?? 443}`;
    const fail = (error: Error) => opened?.(error, undefined as never);
    const begin = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const asked = begin({
      ...toAddress(url),
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: { host: authority, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    });
    asked.once('connect', (answer, socket) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        fail(proxyRefused(url, answer.statusCode ?? 0));
        return;
      }
      // The options name the server: the certificate must be that of the server, not of the proxy.
      const secured = tlsConnect({ ...options, socket } as ConnectionOptions);
      secured.once('secureConnect', () => {
        secured.removeListener('error', fail);
        opened?.(null, secured);
      });
      secured.once('error', fail);
    });
    asked.once('error', (error: NodeJS.ErrnoException) => fail(proxyUnreachable(url, error)));
    // A proxy that answers CONNECT with an ordinary response has refused it.
    asked.once('response', (answer) => {
      answer.destroy();
      fail(proxyRefused(url, answer.statusCode ?? 0));
    });
    asked.end();
    return undefined;
  }
}

export function toAddress(url: URL): { host: string; port: number } {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

export function proxyRefused(proxy: URL, status: number): WorkbenchError {
  if (status === 407) {
    return new WorkbenchError('WB1304', `The proxy ${proxy.host} asks for a user name and password.`, {
      fix: 'Put them into the variable that names the proxy: http://user:password@host:port.',
    });
  }
  return new WorkbenchError('WB1304', `The proxy ${proxy.host} refused to connect to the server (status ${status}).`);
}

export function proxyUnreachable(proxy: URL, error: NodeJS.ErrnoException): WorkbenchError {
  return new WorkbenchError('WB1304', `The proxy ${proxy.host} cannot be reached (${error.code ?? error.name}).`);
}
