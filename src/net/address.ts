/**
 * Which IP addresses belong to the public internet. All others (this machine, the local network, addresses that wrap such a one)
 * must not be reached because an outside party named them. Total: an address that cannot be parsed is not public.
 */
import { isIPv4, isIPv6 } from 'node:net';

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(toV4(address));
  // A zone id makes it a link-local address.
  return isIPv6(address) && !address.includes('%') && isPublicV6(toV6(address));
}

/** Networks of RFC 6890 and its registry that are not the public internet. */
const closedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Public by its number, but Azure answers there for the machine itself.
  ['168.63.129.16', 32],
];

/** Parts of the global unicast space that wrap other addresses (Teredo, 6to4) or lead nowhere. */
const closedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

function isPublicV4(bytes: readonly number[]): boolean {
  return !closedV4.some(([network, bits]) => isWithin(bytes, toV4(network), bits));
}

function isPublicV6(bytes: readonly number[]): boolean {
  // A network without IPv4 reaches public IPv4 addresses through this prefix; the wrapped address decides.
  if (isWithin(bytes, toV6('64:ff9b::'), 96)) return isPublicV4(bytes.slice(12));
  if (!isWithin(bytes, toV6('2000::'), 3)) return false;
  return !closedV6.some(([network, bits]) => isWithin(bytes, toV6(network), bits));
}

function isWithin(bytes: readonly number[], network: readonly number[], bits: number): boolean {
  return network.every((wanted, at) => {
    const open = Math.min(8, Math.max(0, (at + 1) * 8 - bits));
    return (bytes[at] ?? 0) >> open === wanted >> open;
  });
}

function toV4(address: string): number[] {
  return address.split('.').map(Number);
}

/** The sixteen bytes of an address that `isIPv6` accepts. */
function toV6(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = toGroupBytes(head);
  const after = toGroupBytes(tail ?? '');
  return [...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after];
}

function toGroupBytes(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return toV4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
