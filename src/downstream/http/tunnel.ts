/** An agent whose connections reach https servers through a proxy: CONNECT first, TLS with the server inside. */
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { openTunnel } from '../../net/tunnel.ts';
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
    openTunnel({ proxy: url, authorization, authority }, (status) => proxyRefused(url, status)).then(
      (socket) => {
        // The options name the server, whose certificate must be valid although a proxy carries the bytes.
        const secured = tlsConnect({ ...options, socket } as ConnectionOptions);
        secured.once('secureConnect', () => {
          secured.removeListener('error', fail);
          opened?.(null, secured);
        });
        secured.once('error', fail);
      },
      (error: Error) => fail(error instanceof WorkbenchError ? error : proxyUnreachable(url, error)),
    );
    return undefined;
  }
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
