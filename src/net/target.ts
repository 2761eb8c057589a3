/** Whether an address that an outside party named may be contacted at all, as far as its text shows. */
import { isIP } from 'node:net';
import { WorkbenchError } from '../base/errors/errors.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { toPrintable } from '../base/text/printable.ts';
import { isPublicAddress } from './address.ts';

/** Origins that the user configured, as `URL.origin` spells them, and what is allowed there. */
export interface AllowedOrigins {
  /** On this machine: http and the loopback address are allowed. */
  readonly loopback: ReadonlySet<string>;
  /** In a private network: any address is allowed, but only https. */
  readonly private: ReadonlySet<string>;
}

/** Which addresses a host may have. */
export type Reach = 'public' | 'loopback' | 'any';

export interface Target {
  readonly url: URL;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly reach: Reach;
}

export function getTarget(text: string | URL, allowed: AllowedOrigins): Target {
  const url = parseUrl(text);
  const isHttp = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !isHttp)
    throw refused(url, `only https is allowed, not ${toPrintable(url.protocol, 20)}`);
  if (url.username !== '' || url.password !== '') throw refused(url, 'it contains a user name or password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (isHttp ? 80 : 443) : Number(url.port);
  if (allowed.loopback.has(url.origin)) return { url, host, port, reach: 'loopback' };
  if (isHttp) throw refused(url, 'only https is allowed');
  if (allowed.private.has(url.origin)) return { url, host, port, reach: 'any' };
  if (isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host)) throw refused(url, notPublic);
  return { url, host, port, reach: 'public' };
}

/** Every address of a name must be allowed: we do not choose which one is used. */
export function checkAddresses({ url, reach }: Target, addresses: readonly string[]): void {
  if (addresses.length === 0) throw new WorkbenchError('WB1309', `the host of ${toOrigin(url)} has no address`);
  if (reach === 'loopback' && !addresses.every(isLoopbackAddress))
    throw refused(url, 'it is configured as an address of this machine, but is not one');
  if (reach === 'public' && !addresses.every(isPublicAddress)) throw refused(url, notPublic);
}

/** The part of an address that may be shown: neither its path nor its query, which can hold anything. */
export function toOrigin(url: URL): string {
  return toPrintable(`${url.protocol}//${url.host}`, 200);
}

const notPublic = 'it leads to this machine or a private network';

/** Endings of names that only a local resolver, or that of a cloud, can know. */
const localEnds = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa'];

/** A name without a dot belongs to the local network, too. */
function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === '' || name.endsWith('.') || !name.includes('.')) return true;
  return localEnds.some((end) => name.endsWith(`.${end}`));
}

function parseUrl(text: string | URL): URL {
  try {
    return new URL(text);
  } catch {
    throw new WorkbenchError('WB1308', 'an address was refused: it is not a URL');
  }
}

function refused(url: URL, why: string): WorkbenchError {
  return new WorkbenchError('WB1308', `the address ${toOrigin(url)} was refused: ${why}`);
}
