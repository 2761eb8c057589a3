/** A proxy on loopback for both kinds of requests. Whatever host is asked for, it goes to that port of this machine. */
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { atEnd } from '../../support/at-end.ts';

export interface ProxyServer {
  readonly port: number;
  /** `METHOD target` of every request. */
  readonly seen: string[];
}

export async function startProxy({ credentials }: { credentials?: string } = {}): Promise<ProxyServer> {
  const seen: string[] = [];
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createServer();
  server.on('request', (incoming, response) => {
    const { method = '', url = '' } = incoming;
    seen.push(`${method} ${url}`);
    const { 'proxy-authorization': given, ...headers } = incoming.headers;
    if (wanted !== undefined && given !== wanted) return response.writeHead(407).end();
    const target = new URL(url);
    const outgoing = request(
      { host: '127.0.0.1', port: target.port, method, path: `${target.pathname}${target.search}`, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    return incoming.pipe(outgoing);
  });
  server.on('connect', (incoming, socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    socket.on('error', () => {});
    if (wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const through = connect(Number(String(incoming.url).split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
    socket.on('close', () => through.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}
