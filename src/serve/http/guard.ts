/**
 * Keeps web pages out. A page that a browser loads may send requests to this machine, also under a name of its own that it has
 * made to mean this machine; what it cannot do is choose the headers Host, Origin and Sec-Fetch-Site.
 */
import type { IncomingMessage } from 'node:http';
import { loopbackNames } from '../../base/loopback.ts';
import { type HttpRefusal, toHttpRefusal } from './request/refusal.ts';

export interface GuardOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly port: number;
  /** Names, with or without a port, under which clients may reach us besides the loopback ones. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export type Guard = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => HttpRefusal | undefined;

const anyAddress = ['0.0.0.0', '::', ''];
/** Headers that decide something: of two, one could be checked and the other used. */
const single = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'content-encoding',
];

export function createGuard({ host, port, allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const own = anyAddress.includes(host) ? [] : [toAuthority(host)];
  const ours = new Set([...loopbackNames, ...own].map((name) => name.toLowerCase()));
  const others = new Set(allowedHosts.map((name) => name.toLowerCase()));
  const isServed = (asked: string) => {
    const name = withoutPort(asked);
    // Another program may listen on another port of this machine; a proxy in front of us has its own port.
    return others.has(asked) || others.has(name) || (ours.has(name) && (name === asked || asked === `${name}:${port}`));
  };
  const ownOrigins = [...loopbackNames, ...own].map((name) => `http://${name.toLowerCase()}:${port}`);
  const stated = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  const origins = new Set([...ownOrigins, ...stated]);

  return ({ headers, rawHeaders }) => {
    const repeated = findRepeated(rawHeaders);
    if (repeated !== undefined) return toHttpRefusal(400, `Send the header "${repeated}" once.`);
    const asked = headers.host?.toLowerCase() ?? '';
    if (!isServed(asked))
      return toHttpRefusal(
        403,
        'This host name or port is not served. The operator of the Workbench can add it with --allow-host.',
      );
    const origin = headers.origin?.toLowerCase();
    if (origin !== undefined && !origins.has(origin))
      return toHttpRefusal(
        403,
        'This origin is not served. The operator of the Workbench can add it with --allow-origin.',
      );
    const vouched = origin !== undefined && stated.has(origin);
    if (headers['sec-fetch-site'] === 'cross-site' && !vouched)
      return toHttpRefusal(403, 'Requests from other web sites are not served.');
    return undefined;
  };
}

/** An address as it stands in a URL. */
export function toAuthority(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function withoutPort(authority: string): string {
  return authority.replace(/:\d{1,5}$/, '');
}

function findRepeated(rawHeaders: readonly string[]): string | undefined {
  // One bit for each of them.
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    const place = single.indexOf(name);
    if (place < 0) continue;
    if ((seen & (1 << place)) !== 0) return name;
    seen |= 1 << place;
  }
  return undefined;
}
