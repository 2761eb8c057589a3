/** What one server said it offers. A value: a new answer of the server makes a new listing. */
import { type CacheHint, uncacheable } from '../base/cache-hint.ts';
import type { Json } from '../base/json.ts';
import { type Item, parseItem } from './item.ts';
import { forEachKind, type Kind, kindRules, kinds } from './kind.ts';

export type Listing = Readonly<Record<Kind, readonly Item[]>>;

export const emptyListing: Listing = forEachKind(() => []);

/** What was read of one kind. */
export interface ItemList {
  readonly items: readonly Item[];
  /** What was wrong with the answer, in words for the person who runs the Workbench. */
  readonly problems: readonly string[];
  /** How long the server promises that it stays so. */
  readonly hint: CacheHint;
}

/** The lists that were read; a kind that was not asked for is not among them. */
export type Heard = ReadonlyMap<Kind, ItemList>;

/** Builds a list from the raw entries of all pages; one bad entry never costs the others. */
export function buildItemList(
  kind: Kind,
  entries: readonly Json[],
  { problems = [], hint = uncacheable }: { problems?: readonly string[]; hint?: CacheHint } = {},
): ItemList {
  const items = new Map<string, Item>();
  const found = [...problems];
  for (const entry of entries) {
    const { item, problem } = parseItem(kind, entry);
    if (problem !== undefined) found.push(problem);
    if (item === undefined) continue;
    if (items.has(item.name))
      found.push(`${kindRules[kind].noun} '${item.name}' is listed twice; the first one counts`);
    else items.set(item.name, item);
  }
  return { items: [...items.values()], problems: found, hint };
}

/** Keeps what was known of a kind whose list cannot be read: a passing fault must not take things away. */
export function withHeard(listing: Listing, heard: Heard): Listing {
  return forEachKind((kind) => {
    const list = heard.get(kind);
    const failed = list === undefined || (list.items.length === 0 && list.problems.length > 0);
    return failed ? listing[kind] : list.items;
  });
}

export function sameListing(a: Listing, b: Listing): boolean {
  return kinds.every((kind) => a[kind] === b[kind] || sameItems(a[kind], b[kind]));
}

function sameItems(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
}
