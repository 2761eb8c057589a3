/**
 * Whether a host is this machine. Two questions, because the safe answer differs: `isLoopback` grants something (plain http, no
 * token), so it is true only where no resolver has a say; `mayBeLoopback` is a precaution (no proxy, loop detection), so it is
 * true for everything that can end here. Both take a host as URL parsing gives it, with or without the brackets of IPv6.
 */

/** The names that a service on this machine is called by: a closed list, which a `Host` header is compared with letter by letter. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));
}

/** Also names that a resolver decides about, and addresses that lead here on some systems. */
export function mayBeLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isLoopback(name) || name.endsWith('.localhost') || name === '0.0.0.0') return true;
  const bare = toIPv6(name.replace(/^\[(.*)\]$/, '$1'));
  return bare === '::' || (bare !== undefined && /^::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)$/.test(bare));
}

/** For what a resolver or a socket gives: 127.0.0.0/8 and ::1, without brackets and without a zone. */
export function isLoopbackAddress(address: string): boolean {
  return loopbackV4.test(address) || toIPv6(address) === '::1';
}

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const loopbackV4 = new RegExp(`^127(?:\\.${byte}){3}$`);

/** The one spelling of an IPv6 address; undefined for what is not one. */
function toIPv6(address: string): string | undefined {
  const url = `http://[${address}]/`;
  return address.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
