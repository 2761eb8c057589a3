/**
 * The listing of one server as a text that is kept between runs: one line with its format and date, one with
 * what the server said of itself, and one with its lists.
 * It passes the same checks and limits as a listing from the server, because the file may hold anything.
 */
import { type CacheHint, readHint } from '../base/call/cache-hint.ts';
import {
  findMember,
  findObject,
  isObject,
  type Json,
  type JsonObject,
  parseObject,
  withMembers,
} from '../base/json/json.ts';
import type { ItemLimits } from './item.ts';
import { forEachKind, type Kind, kindRules, kinds } from './kind.ts';
import { buildItemList, type Listing } from './listing.ts';
import { findChecks } from './whole-text.ts';

export interface KnownListing {
  readonly listing: Listing;
  /** The server's cache promise for its lists, at the time they were read. */
  readonly hints: ReadonlyMap<Kind, CacheHint>;
  /** Further facts about the server, in a form that only their writer reads. */
  readonly about: JsonObject;
  readonly heardAt: number;
}

export interface KnownLimits extends ItemLimits {
  readonly listItems: number;
}

/** Raised when older texts cannot be read any more; they are then ignored. */
const format = 2;

export function toKnownText({ heardAt, ...rest }: KnownListing): string {
  return `${JSON.stringify({ format, heardAt })}\n${toBody(rest)}`;
}

function toBody({ listing, hints, about }: Omit<KnownListing, 'heardAt'>): string {
  const promised = Object.fromEntries([...hints].map(([kind, { ttlMs, cacheScope }]) => [kind, { ttlMs, cacheScope }]));
  const lists = forEachKind((kind) => listing[kind].map(toOwn(kind)));
  return `${JSON.stringify(about)}\n${JSON.stringify({ hints: promised, ...lists })}`;
}

/** Under the name that its server gave it. */
function toOwn(kind: Kind) {
  const { identity } = kindRules[kind];
  return ({ name, shown, definition }: Listing[Kind][number]): JsonObject =>
    name === shown ? definition : withMembers(definition, { [identity]: name });
}

/** Undefined for anything that is not such a text, and for a text without items, which would be of no use. */
export function parseKnownText(text: string, limits: KnownLimits): KnownListing | undefined {
  const heardAt = findHeardAt(text);
  const about = heardAt === undefined ? undefined : findAbout(text);
  const body = about === undefined ? undefined : parseObject(text.slice(endOfAbout(text) + 1));
  if (heardAt === undefined || about === undefined || body === undefined) return undefined;
  const checked = { ...limits, checks: findChecks(limits, [text]) };
  const entriesOf = (kind: Kind) => toEntries(findMember(body, kind)).slice(0, limits.listItems);
  const isUsable = (kind: Kind) => entriesOf(kind).some((entry) => readItems(kind, [entry], checked).length > 0);
  if (!kinds.some(isUsable)) return undefined;
  const listing = whenRead((kind) => readItems(kind, entriesOf(kind), checked));
  const hints = findObject(body, 'hints') ?? {};
  const promised = kinds.map((kind) => [kind, readHint(findObject(hints, kind) ?? {})] as const);
  return { listing, hints: new Map(promised), about, heardAt };
}

function toEntries(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? list : [];
}

function readItems(kind: Kind, entries: readonly Json[], limits: ItemLimits): Listing[Kind] {
  return buildItemList(kind, entries, { limits }).items;
}

/** Each list is checked when it is first read: a start answers its client before it needs any of them. */
function whenRead(read: (kind: Kind) => Listing[Kind]): Listing {
  const lists = new Map<Kind, Listing[Kind]>();
  const find = (kind: Kind): Listing[Kind] => {
    const list = lists.get(kind) ?? read(kind);
    lists.set(kind, list);
    return list;
  };
  const listing = {};
  for (const kind of kinds) Object.defineProperty(listing, kind, { enumerable: true, get: () => find(kind) });
  return listing as Listing;
}

/** The date of a text, without reading all of it; undefined when it is not one of ours. */
export function findHeardAt(text: string): number | undefined {
  const end = text.indexOf('\n');
  const head = end < 0 || end > 200 ? undefined : parseObject(text.slice(0, end));
  if (!isObject(head) || findMember(head, 'format') !== format) return undefined;
  const heardAt = findMember(head, 'heardAt');
  return typeof heardAt === 'number' && Number.isFinite(heardAt) ? heardAt : undefined;
}

/** What the server said of itself, without reading its lists; undefined when a text with a date does not say it. */
export function findAbout(text: string): JsonObject | undefined {
  const end = endOfAbout(text);
  return end < 0 ? undefined : parseObject(text.slice(text.indexOf('\n') + 1, end));
}

function endOfAbout(text: string): number {
  return text.indexOf('\n', text.indexOf('\n') + 1);
}

/** Whether two texts have the same content, apart from their dates. */
export function saysTheSame(a: string, b: string): boolean {
  return a.slice(a.indexOf('\n')) === b.slice(b.indexOf('\n'));
}
