/** Reads `clients` of the file: how single clients are shown the tools. */

import { defined } from '../../base/json/defined.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { genericClient } from '../../clients/client-table.ts';
import { clientIds, nearestClientIds, normalizeClientName } from '../../clients/find-client.ts';
import { keyPlace, type Member, toMembers } from '../document/json-node.ts';
import type { ClientSettings } from '../model/config.ts';
import { clientShape } from '../model/schema-clients.ts';
import { isObjectMember, openObject } from './read.ts';
import type { Reading } from './read-text.ts';

export function readClients(member: Member, reading: Reading): ReadonlyMap<string, ClientSettings> {
  const clients = new Map<string, ClientSettings>();
  if (!isObjectMember(member, 'clients', reading)) return clients;
  for (const each of toMembers(member.node, member.path)) {
    const settings = readClient(each, reading);
    if (settings !== undefined) clients.set(each.key, settings);
  }
  return clients;
}

function readClient(member: Member, reading: Reading): ClientSettings | undefined {
  const { key, node, path } = member;
  const what = `client "${toPrintable(key, 80)}"`;
  if (!isObjectMember(member, path, reading)) return undefined;
  const fields = openObject(clientShape, node, path, reading, { what });
  const [mode, maxNameLength, schemas] = [fields.read('mode'), fields.read('maxNameLength'), fields.read('schemas')];
  const pinned = fields.read('pinned');
  const names = fields.read('names')?.map(normalizeClientName);
  if (!knownIds.has(key) && (names ?? []).length === 0) reportUnknown(member, what, reading);
  return defined({ mode, maxNameLength, schemas, pinned, names });
}

const knownIds: ReadonlySet<string> = new Set([...clientIds, genericClient.id]);

function reportUnknown(member: Member, what: string, { report }: Reading): void {
  const [near] = nearestClientIds(member.key, [genericClient.id]);
  const hint = near === undefined ? '' : ` – did you mean "${near}"?`;
  report.error(
    'WB1405',
    keyPlace(member),
    `${what} is not known${hint}`,
    `For a client of your own add "names", the names that it gives itself. Known: ${[...knownIds].join(', ')}.`,
  );
}
