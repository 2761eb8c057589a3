/** What one server offers. A value: a new answer of the server makes a new listing. */
import { type CacheHint, uncacheable } from '../base/call/cache-hint.ts';
import type { Json } from '../base/json/json.ts';
import { type Item, type ItemLimits, type ListProblem, parseItem } from './item.ts';
import { forEachKind, type Kind, kindRules, kinds } from './kind.ts';

export type Listing = Readonly<Record<Kind, readonly Item[]>>;

export const emptyListing: Listing = forEachKind(() => []);

/** The result of reading one kind. */
export interface ItemList {
  readonly items: readonly Item[];
  readonly problems: readonly ListProblem[];
  /** How long the server promises that the list does not change. */
  readonly hint: CacheHint;
  /** The list did not arrive completely in time: the server may send more when it is asked again. */
  readonly late: boolean;
  /** Why no entry could be read; undefined for an empty list. */
  readonly unread?: string;
}

/** The lists that were read; a kind that was not requested is absent. */
export type Heard = ReadonlyMap<Kind, ItemList>;

/** Further problems of one list are only counted. */
const maxProblems = 20;
/** How many cleaned items a problem names. */
const maxNames = 5;

export interface ListOptions {
  readonly limits: ItemLimits;
  /** Why reading stopped early, if it did. */
  readonly fault?: string;
  readonly late?: boolean;
  readonly hint?: CacheHint;
}

/** Builds a list from the raw entries of all pages; one bad entry never affects the others. */
export function buildItemList(
  kind: Kind,
  entries: readonly Json[],
  { limits, fault, late = false, hint = uncacheable }: ListOptions,
): ItemList {
  // Compared by the shown name: two items that look the same are one to a client.
  const items = new Map<string, Item>();
  const problems: ListProblem[] = [];
  const cleaned: string[] = [];
  const { noun } = kindRules[kind];
  for (const entry of entries) {
    const parsed = parseItem(kind, entry, limits);
    const { item } = parsed;
    problems.push(...parsed.problems);
    if (item === undefined) continue;
    if (parsed.cleaned.length > 0) cleaned.push(`'${item.shown}' (${parsed.cleaned.join(', ')})`);
    if (items.has(item.shown))
      problems.push({ code: 'WB1015', message: `${noun} '${item.shown}' is listed twice; the first one is used` });
    else items.set(item.shown, item);
  }
  return {
    items: [...items.values()],
    ...(fault === undefined || entries.length > 0 ? {} : { unread: fault }),
    problems: [
      ...(fault === undefined ? [] : [{ code: 'WB1014', message: fault } as const]),
      ...summarise(problems, noun),
      ...tellCleaned(cleaned, noun),
    ],
    hint,
    late,
  };
}

function summarise(problems: readonly ListProblem[], noun: string): ListProblem[] {
  if (problems.length <= maxProblems) return [...problems];
  const more = `${problems.length - maxProblems} more ${noun}s have such problems`;
  return [...problems.slice(0, maxProblems), { code: 'WB1015', message: more }];
}

function tellCleaned(cleaned: readonly string[], noun: string): ListProblem[] {
  if (cleaned.length === 0) return [];
  const more = cleaned.length > maxNames ? ` and ${cleaned.length - maxNames} more` : '';
  const names = `${cleaned.slice(0, maxNames).join(', ')}${more}`;
  const message = `hidden characters were removed from ${cleaned.length} ${noun}${cleaned.length === 1 ? '' : 's'}: ${names}`;
  return [{ code: 'WB1020', message }];
}

/** Whether all of it could be read. */
export function isWhole({ problems }: ItemList): boolean {
  return !problems.some(({ code }) => code === 'WB1014');
}

/** Keeps the known items of a kind whose list cannot be read: a temporary fault must not remove them. */
export function withHeard(listing: Listing, heard: Heard): Listing {
  return forEachKind((kind) => {
    const list = heard.get(kind);
    const failed = list === undefined || (list.items.length === 0 && !isWhole(list));
    return failed ? listing[kind] : list.items;
  });
}

export function sameListing(a: Listing, b: Listing): boolean {
  return kinds.every((kind) => a[kind] === b[kind] || sameItems(a[kind], b[kind]));
}

function sameItems(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
}
