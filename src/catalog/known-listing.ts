/**
 * What one server offered when it was last heard, as a text that outlives a run: a line that says what it is and from when, and a
 * line with the rest. What is read goes through the same checks and limits as what a server says, because it may be anything.
 */
import { type CacheHint, readHint } from '../base/cache-hint.ts';
import {
  findMember,
  findObject,
  isObject,
  type Json,
  type JsonObject,
  parseObject,
  withMembers,
} from '../base/json.ts';
import type { ItemLimits } from './item.ts';
import { forEachKind, type Kind, kindRules, kinds } from './kind.ts';
import { buildItemList, type Listing } from './listing.ts';
import { withWholeTexts } from './whole-text.ts';

export interface KnownListing {
  readonly listing: Listing;
  /** What the server promised of its lists, at the time it was heard. */
  readonly hints: ReadonlyMap<Kind, CacheHint>;
  /** What else is known of the server; for whoever kept it to read. */
  readonly about: JsonObject;
  readonly heardAt: number;
}

export interface KnownLimits extends ItemLimits {
  readonly listItems: number;
}

/** Raised when texts of before cannot be read any more; they are ignored then. */
const format = 1;

export function toKnownText({ heardAt, ...rest }: KnownListing): string {
  return `${JSON.stringify({ format, heardAt })}\n${toBody(rest)}`;
}

function toBody({ listing, hints, about }: Omit<KnownListing, 'heardAt'>): string {
  const promised = Object.fromEntries([...hints].map(([kind, { ttlMs, cacheScope }]) => [kind, { ttlMs, cacheScope }]));
  return JSON.stringify({ about, hints: promised, ...forEachKind((kind) => listing[kind].map(toOwn(kind))) });
}

/** Under the name that its server gave it. */
function toOwn(kind: Kind) {
  const { identity } = kindRules[kind];
  return ({ name, shown, definition }: Listing[Kind][number]): JsonObject =>
    name === shown ? definition : withMembers(definition, { [identity]: name });
}

/** Undefined for anything that is no such text, and for one that lists nothing: there is nothing to know in it. */
export function parseKnownText(text: string, limits: KnownLimits): KnownListing | undefined {
  const heardAt = findHeardAt(text);
  const body = heardAt === undefined ? undefined : parseObject(text.slice(text.indexOf('\n') + 1));
  if (heardAt === undefined || body === undefined) return undefined;
  const checks = withWholeTexts(limits, [text]);
  const listing = forEachKind((kind) => readItems(kind, findMember(body, kind), checks));
  if (kinds.every((kind) => listing[kind].length === 0)) return undefined;
  const hints = findObject(body, 'hints') ?? {};
  const promised = kinds.map((kind) => [kind, readHint(findObject(hints, kind) ?? {})] as const);
  return { listing, hints: new Map(promised), about: findObject(body, 'about') ?? {}, heardAt };
}

function readItems(kind: Kind, entries: Json | undefined, limits: KnownLimits): Listing[Kind] {
  return Array.isArray(entries) ? buildItemList(kind, entries.slice(0, limits.listItems), { limits }).items : [];
}

/** From when a text is, without reading all of it; undefined when it is none of ours. */
export function findHeardAt(text: string): number | undefined {
  const end = text.indexOf('\n');
  const head = end < 0 || end > 200 ? undefined : parseObject(text.slice(0, end));
  if (!isObject(head) || findMember(head, 'format') !== format) return undefined;
  const heardAt = findMember(head, 'heardAt');
  return typeof heardAt === 'number' && Number.isFinite(heardAt) ? heardAt : undefined;
}

/** Whether two texts tell the same, whenever they were written. */
export function saysTheSame(a: string, b: string): boolean {
  return a.slice(a.indexOf('\n')) === b.slice(b.indexOf('\n'));
}
