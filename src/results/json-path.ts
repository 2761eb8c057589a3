/**
 * JSON paths, the part of RFC 9535 that needs no expressions: `$.name`, `['name']`, `[0]`, `[-1]`, `[2:10]`, `[*]`, `.*`, several
 * of them in one bracket, and `..` for any depth.
 */
import { type Child, JsonScan, type ValuePlace } from './json-scan.ts';

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly kind: 'all' };

export interface PathSegment {
  readonly selectors: readonly Selector[];
  /** Also in everything below. */
  readonly deep: boolean;
}

const maxSegments = 32;

export const pathForms = '$.items[0:20].name, $["a key"], $.items[*].id, $..name';

/** Undefined when the text is not such a path. The `$` may be left out. */
export function parsePath(source: string): PathSegment[] | undefined {
  const text = source.trim();
  const segments: PathSegment[] = [];
  let at = text.startsWith('$') ? 1 : 0;
  const isBare = at === 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const deep = rest.startsWith('..');
    const dot = deep ? 2 : rest.startsWith('.') ? 1 : 0;
    const bracket = rest[dot] === '[' && dot !== 1;
    // Without `$` and dot a path may begin with a name.
    if (!bracket && dot === 0 && !(isBare && at === 0)) return undefined;
    const found = bracket ? parseBracket(rest, dot) : parseName(rest, dot);
    if (found === undefined || segments.push({ selectors: found.selectors, deep }) > maxSegments) return undefined;
    at += found.end;
  }
  return segments;
}

interface Found {
  readonly selectors: readonly Selector[];
  readonly end: number;
}

function parseName(text: string, from: number): Found | undefined {
  if (text[from] === '*') return { selectors: [{ kind: 'all' }], end: from + 1 };
  const name = /^[^\s.[\]*"'$]+/.exec(text.slice(from))?.[0];
  return name === undefined ? undefined : { selectors: [{ kind: 'name', name }], end: from + name.length };
}

function parseBracket(text: string, from: number): Found | undefined {
  const selectors: Selector[] = [];
  let at = from + 1;
  for (;;) {
    const part = selectorForm.exec(text.slice(at));
    const selector = part === null ? undefined : toSelector(part);
    if (part === null || selector === undefined) return undefined;
    selectors.push(selector);
    at += part[0].length;
    const closing = text[at++];
    if (closing === ']') return { selectors, end: at };
    if (closing !== ',') return undefined;
  }
}

const selectorForm =
  /^ *(?:(\*)|("(?:[^"\\]|\\.)*")|'((?:[^'\\]|\\.)*)'|(-?\d{1,15})?( *: *(-?\d{1,15})? *(?:: *(-?\d{1,15})?)?)?) *(?=[,\]])/;

function toSelector([, all, double, single, start, slice, end, step]: RegExpExecArray): Selector | undefined {
  if (all !== undefined) return { kind: 'all' };
  if (double !== undefined || single !== undefined) {
    const name = double ?? `"${(single ?? '').replace(/\\'/g, "'").replace(/"/g, '\\"')}"`;
    try {
      return { kind: 'name', name: JSON.parse(name) as string };
    } catch {
      return undefined;
    }
  }
  if (slice === undefined) return start === undefined ? undefined : { kind: 'index', index: Number(start) };
  return {
    kind: 'slice',
    ...(start === undefined ? {} : { start: Number(start) }),
    ...(end === undefined ? {} : { end: Number(end) }),
    step: step === undefined ? 1 : Number(step),
  };
}

export interface SelectLimits {
  /** Characters that may be scanned. */
  readonly maxScanned: number;
  readonly maxValues: number;
}

/**
 * The places of all values that the path selects in a valid JSON text, in order; undefined when there are too many. Throws a
 * ScanLimit when finding them costs too much.
 */
export function selectPath(text: string, path: readonly PathSegment[], limits: SelectLimits): ValuePlace[] | undefined {
  const { maxValues } = limits;
  const scan = new JsonScan(text, limits.maxScanned);
  let places: ValuePlace[] = [scan.root()];
  for (const { selectors, deep } of path) {
    const parents = deep ? findGroups(scan, places, maxValues) : places;
    const next: ValuePlace[] = [];
    for (const parent of parents) {
      for (const selector of selectors) for (const child of select(scan, parent, selector)) next.push(child);
      if (next.length > maxValues) return undefined;
    }
    if (parents.length > maxValues) return undefined;
    places = next;
  }
  return places;
}

/** Every object and array among the values and in them, each before those that it holds. */
function findGroups(scan: JsonScan, places: readonly ValuePlace[], maxValues: number): ValuePlace[] {
  const found: ValuePlace[] = [];
  const open = places.toReversed();
  for (let place = open.pop(); place !== undefined && found.length <= maxValues; place = open.pop()) {
    if (scan.kindOf(place) === 'other') continue;
    found.push(place);
    for (const child of childrenOf(scan, place).toReversed()) if (scan.kindOf(child) !== 'other') open.push(child);
  }
  return found;
}

function select(scan: JsonScan, parent: ValuePlace, selector: Selector): ValuePlace[] {
  const kind = scan.kindOf(parent);
  if (selector.kind === 'all') return childrenOf(scan, parent);
  if (kind !== (selector.kind === 'name' ? 'object' : 'array')) return [];
  const children = selector.kind === 'name' ? childrenOf(scan, parent) : firstOf(scan, parent, entriesNeeded(selector));
  if (selector.kind === 'name') return children.filter(({ key }) => key === selector.name);
  return indexesOf(selector, children.length).flatMap((index) => children[index] ?? []);
}

/** How many entries of an array have to be found; all of them where places count from the end. */
function entriesNeeded(selector: Exclude<Selector, { kind: 'name' | 'all' }>): number {
  const { start = 0, end = -1 } =
    selector.kind === 'index' ? { start: selector.index, end: selector.index + 1 } : selector;
  const isAhead = start >= 0 && end >= 0 && (selector.kind === 'index' || selector.step > 0);
  return isAhead ? end : Number.POSITIVE_INFINITY;
}

function firstOf(scan: JsonScan, parent: ValuePlace, most: number): Child[] {
  const found: Child[] = [];
  if (most <= 0) return found;
  for (const child of scan.children(parent)) if (found.push(child) >= most) break;
  return found;
}

/** When a name occurs several times the last member counts, as in the parsed value. */
function childrenOf(scan: JsonScan, parent: ValuePlace): Child[] {
  const children = [...scan.children(parent)];
  if (scan.kindOf(parent) !== 'object') return children;
  const last = new Map(children.map((child) => [child.key, child]));
  return last.size === children.length ? children : children.filter((child) => last.get(child.key) === child);
}

/** As RFC 9535 counts them: from the end when negative, never outside. */
function indexesOf(selector: Exclude<Selector, { kind: 'name' | 'all' }>, length: number): number[] {
  const fromEnd = (index: number) => (index < 0 ? length + index : index);
  if (selector.kind === 'index') return [fromEnd(selector.index)].filter((index) => index >= 0);
  const { step } = selector;
  if (step === 0) return [];
  const indexes: number[] = [];
  if (step > 0) {
    const start = Math.min(Math.max(fromEnd(selector.start ?? 0), 0), length);
    const end = Math.min(Math.max(fromEnd(selector.end ?? length), 0), length);
    for (let index = start; index < end; index += step) indexes.push(index);
  } else {
    const start = Math.min(Math.max(fromEnd(selector.start ?? length - 1), -1), length - 1);
    const end = selector.end === undefined ? -1 : Math.min(Math.max(fromEnd(selector.end), -1), length - 1);
    for (let index = start; index > end; index += step) indexes.push(index);
  }
  return indexes;
}
