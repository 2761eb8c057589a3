/** A record of servers, with the rule for their names. */
import { toPrintable } from '../base/printable.ts';
import { isFlatName, isServerName, suggestName } from './names.ts';
import { toKind } from './read.ts';
import { readServer, type ServerEntry } from './read-server.ts';
import type { Reading } from './read-text.ts';
import { keyPlace, type Member, type Place, toMembers, valuePlace } from './tree.ts';

/** A server that is in the file; without entry when it cannot be used and the report says why. */
export interface NamedServer {
  readonly name: string;
  readonly place: Place;
  readonly entry: ServerEntry | undefined;
}

export function readServers(
  member: Member | undefined,
  reading: Reading,
  options: { readonly flatNames: boolean },
): NamedServer[] {
  if (member === undefined) return [];
  if (member.node.type !== 'object') {
    const message = `${member.path} must be an object of servers, not ${toKind(member.node)}`;
    reading.report.error('WB1405', valuePlace(member), message, 'Write the name of each server as a key.');
    return [];
  }
  return toMembers(member.node, member.path).map((server) => {
    const place = keyPlace(server);
    if (options.flatNames && !isFlatName(server.key)) {
      const message = `the name "${toPrintable(server.key, 80)}" of a server is empty or has control characters`;
      reading.report.error('WB1406', place, message, `Call it "${suggestName(server.key, 'server')}".`);
    } else if (!options.flatNames && !isServerName(server.key))
      reportName({ kind: 'server', name: server.key, place }, reading);
    return { name: server.key, place, entry: readServer(server, reading) };
  });
}

export function reportName(
  { kind, name, place }: { readonly kind: 'server' | 'toolbox'; readonly name: string; readonly place: Place },
  { report }: Reading,
): void {
  const why = name === '' ? 'is empty' : name.includes('__') ? 'contains "__"' : 'has other characters';
  const rule =
    kind === 'toolbox'
      ? 'names are made of letters, digits, "-" and "_", without "__"'
      : 'names are not empty, without "__" and without control characters';
  const message = `the name "${toPrintable(name, 80)}" of a ${kind} is not allowed: ${rule}; this one ${why}`;
  report.error('WB1406', place, message, `Call it "${suggestName(name, kind)}".`);
}
