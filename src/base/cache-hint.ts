/** How long, and by whom, an answer may be kept: the promise of the stateless era, as far as we can give it. */
import { findMember, type JsonObject } from './json.ts';

export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** Nothing is promised. */
export const uncacheable: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** What a result says of itself; whatever is not said, or not well, is no promise. */
export function readHint(result: JsonObject): CacheHint {
  const ttlMs = findMember(result, 'ttlMs');
  const scope = findMember(result, 'cacheScope');
  return {
    ttlMs: typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs > 0 ? ttlMs : 0,
    cacheScope: scope === 'public' ? 'public' : 'private',
  };
}

/** The promise that can be given for all of them together: the shortest time, the strictest scope. */
export function mergeHints(hints: Iterable<CacheHint>): CacheHint {
  const all = [...hints];
  if (all.length === 0) return uncacheable;
  return {
    ttlMs: Math.min(...all.map(({ ttlMs }) => ttlMs)),
    cacheScope: all.every(({ cacheScope }) => cacheScope === 'public') ? 'public' : 'private',
  };
}

/** What is left of a promise after some time. */
export function remaining({ ttlMs, cacheScope }: CacheHint, elapsedMs: number): CacheHint {
  return { ttlMs: Math.max(0, ttlMs - elapsedMs), cacheScope };
}
