/**
 * What names of tools clients take, as far as that is known. A client puts its name for us before each, so less is left than its limit
 * says; we are taken to be called `workbench` there.
 */

export interface ClientLimit {
  readonly client: string;
  /** Put before every name. */
  readonly prefix: string;
  /** Longest name, with the prefix. */
  readonly most: number;
  /** What a name may be made of; undefined where the client replaces the rest. */
  readonly characters?: RegExp;
}

const plain = /^[A-Za-z0-9_-]*$/;

export const clientLimits: readonly ClientLimit[] = [
  { client: 'Claude Code', prefix: 'mcp__workbench__', most: 64, characters: plain },
  { client: 'Claude Desktop', prefix: '', most: 64, characters: plain },
  { client: 'the APIs of most models', prefix: '', most: 64, characters: plain },
  { client: 'Cursor', prefix: 'workbench', most: 59 },
  { client: 'VS Code', prefix: 'mcp_workbench_', most: 64 },
  { client: 'Gemini CLI', prefix: 'mcp_workbench_', most: 63, characters: /^[A-Za-z0-9_.:-]*$/ },
  { client: 'Codex', prefix: 'mcp__workbench__', most: 128 },
];

export interface NameFault {
  readonly kind: 'characters' | 'length';
  /** The names that are at fault, in order. */
  readonly names: readonly string[];
  /** Who does not take at least one of them. */
  readonly clients: readonly string[];
}

/** What is wrong with public names; empty when every client takes them all. */
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

/** What is left for a name in every client. */
export function longestName(limits: readonly ClientLimit[] = clientLimits): number {
  return Math.min(...limits.map(({ prefix, most }) => most - prefix.length));
}
