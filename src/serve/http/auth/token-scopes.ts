/** What a token may do: the scopes in its claims, and the toolboxes they stand for. */

const toolboxPrefix = 'toolbox:';

function toToolboxScope(toolbox: string): string {
  return `${toolboxPrefix}${toolbox}`;
}

/** `scope` or `scp`, as one string or as a list: issuers differ. */
export function readScopes(claims: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const values = ['scope', 'scp'].flatMap((key) => (Object.hasOwn(claims, key) ? claims[key] : []));
  const words = values.flatMap((value) => (typeof value === 'string' ? value.split(' ') : []));
  return new Set(words.filter((word) => word !== ''));
}

export interface ScopeRules {
  /** Needed by every request. */
  readonly base: readonly string[];
  /** The toolboxes there are. */
  readonly toolboxes: Iterable<string>;
  /** Toolboxes need no scope of their own. */
  readonly allToolboxes: boolean;
}

export type ScopeVerdict =
  | { readonly kind: 'granted' /** undefined = all */; readonly toolboxes: ReadonlySet<string> | undefined }
  | { readonly kind: 'missing' };

/** A toolbox that was not granted is refused whether it exists or not, so that names cannot be guessed. */
export function judgeScopes(
  held: ReadonlySet<string>,
  { base, toolboxes, allToolboxes }: ScopeRules,
  toolbox: string | undefined,
): ScopeVerdict {
  if (!base.every((scope) => held.has(scope))) return { kind: 'missing' };
  if (allToolboxes) return { kind: 'granted', toolboxes: undefined };
  if (toolbox !== undefined && !held.has(toToolboxScope(toolbox))) return { kind: 'missing' };
  const granted = new Set([...toolboxes].filter((name) => held.has(toToolboxScope(name))));
  if (toolbox === undefined && granted.size === 0) return { kind: 'missing' };
  return { kind: 'granted', toolboxes: granted };
}

/** All scopes that are of use at an endpoint. */
export function neededScopes({ base, toolboxes, allToolboxes }: ScopeRules, toolbox: string | undefined): string[] {
  if (allToolboxes) return [...base];
  return [...base, ...(toolbox === undefined ? [...toolboxes] : [toolbox]).map(toToolboxScope)];
}
