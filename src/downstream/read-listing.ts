/** Reads a server's list of tools, page by page, within bounds: what arrived before a fault is used. */
import type { Outcome } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { findMember, findObject, type Json, type JsonObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { buildListing, emptyListing, type Listing } from '../catalog/listing.ts';
import type { ServerEdge } from './edge.ts';
import type { Peer } from './peer.ts';

export const listingLimits = { pages: 100, tools: 5_000, timeMs: 10_000 } as const;

export async function readListing(peer: Peer, edge: ServerEdge, clock: Clock): Promise<Listing> {
  if (findObject(edge.capabilities, 'tools') === undefined) return emptyListing;
  const deadline = clock.now() + listingLimits.timeMs;
  const entries: Json[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  const stop = (problem: string) => buildListing(entries, [problem]);

  for (let page = 1; page <= listingLimits.pages; page++) {
    const answer = await askPage(peer, edge, clock, cursor, deadline - clock.now());
    if (answer === undefined) return stop(`tools/list gave no answer within ${listingLimits.timeMs / 1000} s`);
    if ('error' in answer) return stop(`tools/list failed: ${toPrintable(answer.error.message, 200)}`);
    const tools = findMember(answer.result.value, 'tools');
    if (!Array.isArray(tools)) return stop('tools/list answered without a list of tools');
    entries.push(...tools.slice(0, listingLimits.tools - entries.length));
    if (entries.length >= listingLimits.tools) return stop(`only the first ${listingLimits.tools} tools are used`);
    const next = findMember(answer.result.value, 'nextCursor');
    // The empty string is a cursor like any other.
    if (typeof next !== 'string') return buildListing(entries);
    if (seen.has(next)) return stop('tools/list repeats a cursor');
    seen.add(next);
    cursor = next;
  }
  return stop(`only the first ${listingLimits.pages} pages of tools/list are used`);
}

function askPage(
  peer: Peer,
  edge: ServerEdge,
  clock: Clock,
  cursor: string | undefined,
  limitMs: number,
): Promise<Outcome | undefined> {
  const params: JsonObject = cursor === undefined ? {} : { cursor };
  const exchange = peer.request('tools/list', () => edge.toParams(params, {}));
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, limitMs), () => {
      exchange.abandon();
      resolve(undefined);
    });
    exchange.outcome.then(resolve, reject).finally(cancel);
  });
}
