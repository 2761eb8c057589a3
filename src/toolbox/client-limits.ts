/**
 * The tool names that clients accept, as far as that is known. A client puts its own name for us before each tool name, so less
 * is left than its limit says; we assume that we are called `workbench` there.
 */
import type { ClientNameLimit } from '../clients/client-row.ts';
import { clientTable } from '../clients/client-table.ts';

export interface ClientLimit extends ClientNameLimit {
  readonly client: string;
}

/** The limits of the clients of the table, and one that most models set for all clients. */
export const clientLimits: readonly ClientLimit[] = [
  ...clientTable.flatMap(({ title, nameLimit }) => (nameLimit === undefined ? [] : [{ client: title, ...nameLimit }])),
  { client: 'the APIs of most models', prefix: '', most: 64, characters: /^[A-Za-z0-9_-]*$/ },
];

export interface NameFault {
  readonly kind: 'characters' | 'length';
  /** The affected names, in order. */
  readonly names: readonly string[];
  /** The clients that refuse at least one of them. */
  readonly clients: readonly string[];
}

/** The problems of public names; empty when every client accepts them all. */
export function judgeNames(names: readonly string[], limits: readonly ClientLimit[] = clientLimits): NameFault[] {
  const kinds: Record<NameFault['kind'], (name: string, limit: ClientLimit) => boolean> = {
    characters: (name, { characters }) => characters === undefined || characters.test(name),
    length: (name, { prefix, most }) => prefix.length + name.length <= most,
  };
  return (['characters', 'length'] as const)
    .map((kind) => ({
      kind,
      names: names.filter((name) => limits.some((limit) => !kinds[kind](name, limit))),
      clients: limits.filter((limit) => names.some((name) => !kinds[kind](name, limit))).map(({ client }) => client),
    }))
    .filter((fault) => fault.names.length > 0);
}

/** The length that every client leaves for a name. */
export function longestName(limits: readonly ClientLimit[] = clientLimits): number {
  return Math.min(...limits.map(({ prefix, most }) => most - prefix.length));
}
