/** Finds the row of a client, by its id or by the name that it gives itself. */
import { nearestNames } from '../base/text/nearest.ts';
import type { ClientRow } from './client-row.ts';
import { clientTable } from './client-table.ts';

const rowById = new Map(clientTable.map((row) => [row.id, row]));

export function findClientById(id: string): ClientRow | undefined {
  return rowById.get(id);
}

export const clientIds: readonly string[] = clientTable.map(({ id }) => id);

/** The ids closest to one that is not known. */
export function nearestClientIds(id: string, others: Iterable<string> = []): string[] {
  return nearestNames(id, [...clientIds, ...others]);
}

/** Longer names are not looked at: a client may send any text. */
const maxNameLength = 100;

/**
 * Lower case, with one hyphen between words, and without what a relay adds to the name of its client: `LM Studio` and
 * `lm-studio (via mcp-remote 0.1.37)` are the same.
 */
export function normalizeClientName(name: string): string {
  const [own = ''] = name.slice(0, maxNameLength).split(' (via ');
  return own
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}

export function findClientByName(name: string): ClientRow | undefined {
  const wanted = normalizeClientName(name);
  if (wanted === '') return undefined;
  return (
    clientTable.find(({ names }) => names.is.includes(wanted)) ??
    clientTable.find(({ names }) => names.begins?.some((beginning) => wanted.startsWith(beginning)))
  );
}
