/** How long, and by whom, an answer may be cached: the promise of the stateless era, as far as we can give it. */
import { findMember, type JsonObject } from '../json/json.ts';

export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** No promise. */
export const uncacheable: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** The promise that a result makes; a missing or malformed member promises nothing. */
export function readHint(result: JsonObject): CacheHint {
  const ttlMs = findMember(result, 'ttlMs');
  const scope = findMember(result, 'cacheScope');
  return {
    ttlMs: typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs > 0 ? ttlMs : 0,
    cacheScope: scope === 'public' ? 'public' : 'private',
  };
}

/** The promise that holds for all of them together: the shortest time, the strictest scope. */
export function mergeHints(hints: Iterable<CacheHint>): CacheHint {
  const all = [...hints];
  if (all.length === 0) return uncacheable;
  return {
    ttlMs: Math.min(...all.map(({ ttlMs }) => ttlMs)),
    cacheScope: all.every(({ cacheScope }) => cacheScope === 'public') ? 'public' : 'private',
  };
}

/** The part of a promise that is left after some time. */
export function remaining({ ttlMs, cacheScope }: CacheHint, elapsedMs: number): CacheHint {
  return { ttlMs: Math.max(0, ttlMs - elapsedMs), cacheScope };
}
