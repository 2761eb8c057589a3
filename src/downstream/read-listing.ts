/** Reads what a server lists, page by page, within bounds: what arrived before a fault is used, and no kind costs another. */

import { type CacheHint, mergeHints, readHint, uncacheable } from '../base/cache-hint.ts';
import type { Outcome } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { findMember, findObject, type Json, type JsonObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { type Kind, kindRules } from '../catalog/kind.ts';
import { buildItemList, type Heard, type ItemList } from '../catalog/listing.ts';
import type { ServerEdge } from './edge.ts';
import type { Peer } from './peer.ts';

/** For each kind. */
export const listingLimits = { pages: 100, items: 5_000, timeMs: 10_000 } as const;

interface Source {
  readonly peer: Peer;
  readonly edge: ServerEdge;
  readonly clock: Clock;
}

/** A server is asked only for what it says it has; it has none of the rest. */
export async function readListing(source: Source, kinds: readonly Kind[]): Promise<Heard> {
  const { capabilities } = source.edge;
  const lists = kinds.map(async (kind): Promise<[Kind, ItemList]> => {
    const offered = findObject(capabilities, kindRules[kind].capability) !== undefined;
    return [kind, offered ? await readList(source, kind) : buildItemList(kind, [])];
  });
  return new Map(await Promise.all(lists));
}

async function readList(source: Source, kind: Kind): Promise<ItemList> {
  const { clock } = source;
  const { listMethod, noun } = kindRules[kind];
  const deadline = clock.now() + listingLimits.timeMs;
  const entries: Json[] = [];
  const hints: CacheHint[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  const stop = (problem: string) => buildItemList(kind, entries, { problems: [problem] });

  for (let page = 1; page <= listingLimits.pages; page++) {
    const answer = await askPage(source, { method: listMethod, cursor, limitMs: deadline - clock.now() });
    if (answer === undefined) return stop(`${listMethod} gave no answer within ${listingLimits.timeMs / 1000} s`);
    if ('error' in answer) return stop(`${listMethod} failed: ${toPrintable(answer.error.message, 200)}`);
    hints.push(source.edge.era === 'modern' ? readHint(answer.result.value) : uncacheable);
    const items = findMember(answer.result.value, kind);
    if (!Array.isArray(items)) return stop(`${listMethod} answered without a list of ${noun}s`);
    entries.push(...items.slice(0, listingLimits.items - entries.length));
    if (entries.length >= listingLimits.items) return stop(`only the first ${listingLimits.items} ${noun}s are used`);
    const next = findMember(answer.result.value, 'nextCursor');
    // The empty string is a cursor like any other.
    if (typeof next !== 'string') return buildItemList(kind, entries, { hint: mergeHints(hints) });
    if (seen.has(next)) return stop(`${listMethod} repeats a cursor`);
    seen.add(next);
    cursor = next;
  }
  return stop(`only the first ${listingLimits.pages} pages of ${listMethod} are used`);
}

function askPage(
  { peer, edge, clock }: Source,
  { method, cursor, limitMs }: { method: string; cursor: string | undefined; limitMs: number },
): Promise<Outcome | undefined> {
  const params: JsonObject = cursor === undefined ? {} : { cursor };
  const exchange = peer.request(method, () => edge.toParams(params, {}));
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, limitMs), () => {
      exchange.abandon();
      resolve(undefined);
    });
    exchange.outcome.then(resolve, reject).finally(cancel);
  });
}
