/**
 * The tool names that clients accept, as far as that is known. A client puts its own name for us before each tool name, so less
 * is left than its limit says; we assume that we are called `workbench` there.
 */

export interface ClientLimit {
  readonly client: string;
  /** The prefix that the client adds to every name. */
  readonly prefix: string;
  /** Longest name, including the prefix. */
  readonly most: number;
  /** The allowed characters of a name; undefined where the client replaces the others. */
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
