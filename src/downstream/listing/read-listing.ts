/** Reads what a server lists, page by page, within limits: what arrived before a fault is used, and a fault in one kind does not cost another. */

import type { Clock } from '../../base/async/clock.ts';
import { type CacheHint, mergeHints } from '../../base/call/cache-hint.ts';
import type { Outcome } from '../../base/call/call.ts';
import { findMember, findObject, type Json, type JsonObject } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import { type RpcError, rpcCode } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { type Kind, kindRules } from '../../catalog/kind.ts';
import { buildItemList, type Heard, type ItemList, type ListOptions } from '../../catalog/listing.ts';
import { findChecks } from '../../catalog/whole-text.ts';
import type { Limits } from '../../config/model/schema-limits.ts';
import type { ServerEdge } from '../era/edge.ts';
import type { RpcPeer } from '../rpc/rpc-peer.ts';

export interface ListingTime {
  /** No client waits for it, so the server has more time. */
  readonly patient?: boolean;
}

/** A connection, made or being made, on which lists are read. */
export interface ListSource {
  readonly connected: Promise<{
    readonly connection: { listing(wanted: readonly Kind[], time?: ListingTime): Promise<Heard> };
  }>;
}

interface Source {
  readonly peer: RpcPeer;
  readonly edge: ServerEdge;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** A server is asked only for the kinds it says it has. */
export async function readListing(source: Source, kinds: readonly Kind[]): Promise<Heard> {
  const { capabilities } = source.edge;
  const lists = kinds.map(async (kind): Promise<[Kind, ItemList]> => {
    const offered = findObject(capabilities, kindRules[kind].capability) !== undefined;
    return [kind, offered ? await readList(source, kind) : buildItemList(kind, [], source)];
  });
  return new Map(await Promise.all(lists));
}

async function readList(source: Source, kind: Kind): Promise<ItemList> {
  const { clock, limits } = source;
  const texts: (string | undefined)[] = [];
  const { listMethod, noun } = kindRules[kind];
  const deadline = clock.now() + limits.listMs;
  const entries: Json[] = [];
  const hints: CacheHint[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  const build = (rest: Omit<ListOptions, 'limits'>) =>
    buildItemList(kind, entries, { limits: { ...limits, checks: findChecks(limits, texts) }, ...rest });
  const stop = (fault: string, late = false) => build({ fault, late });

  for (let page = 1; page <= limits.listPages; page++) {
    const answer = await askPage(source, { method: listMethod, cursor, limitMs: deadline - clock.now() });
    if (answer === undefined) return stop(`${listMethod} gave no answer within ${limits.listMs / 1000} s`, true);
    if ('error' in answer && page === 1 && isAbsent(kind, answer.error)) return build({});
    if ('error' in answer) return stop(`${listMethod} failed: ${toPrintable(answer.error.message, 200)}`);
    texts.push(findText(answer.result));
    hints.push(source.edge.listHint(answer.result.value));
    const items = findMember(answer.result.value, kind);
    if (!Array.isArray(items)) return stop(`${listMethod} answered without a list of ${noun}s`);
    const full = items.length > limits.listItems - entries.length;
    for (const item of items.slice(0, limits.listItems - entries.length)) entries.push(item);
    const next = findMember(answer.result.value, 'nextCursor');
    if (entries.length >= limits.listItems && (full || typeof next === 'string'))
      return stop(`only the first ${limits.listItems} ${noun}s are used`);
    // The empty string is a cursor like any other.
    if (typeof next !== 'string') return build({ hint: mergeHints(hints) });
    if (seen.has(next)) return stop(`${listMethod} repeats a cursor`);
    seen.add(next);
    cursor = next;
  }
  return stop(`only the first ${limits.listPages} pages of ${listMethod} are used`);
}

/** Many servers name a capability and lack one of its lists. A server without its tools is of no use, so their absence is reported. */
function isAbsent(kind: Kind, { code }: RpcError): boolean {
  return kind !== 'tools' && code === rpcCode.methodNotFound;
}

/** Undefined for a value that did not come as text and is nested too deep to be written as text. */
function findText(payload: RawJson): string | undefined {
  try {
    return payload.text;
  } catch {
    return undefined;
  }
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
