/**
 * Tool filters: names to keep, with `*` for any characters; `!` in front excludes and wins.
 * A list of exclusions only keeps everything else. Matching is linear: patterns come from people, names from servers.
 */
import { matchesParts } from '../base/text/match-parts.ts';

/** Whether every name passes: true for nearly every server, and a start checks every name. */
export function keepsAll(filters: readonly string[]): boolean {
  return filters.includes('*') && !filters.some((filter) => filter.startsWith('!'));
}

/** Built once for a list of filters, then used for every name. */
export function buildFilter(filters: readonly string[]): (name: string) => boolean {
  if (keepsAll(filters)) return () => true;
  const excludes = buildExclusion(filters);
  const excludesSome = filters.some((filter) => filter.startsWith('!'));
  const kept = filters.filter((filter) => !filter.startsWith('!')).map(toParts);
  return (name) => {
    if (excludes(name)) return false;
    return kept.length === 0 ? excludesSome : kept.some((parts) => matchesParts(name, parts));
  };
}

/** Whether a filter excludes this exact name. */
export function buildExclusion(filters: readonly string[]): (name: string) => boolean {
  const excluded = filters.filter((filter) => filter.startsWith('!')).map((filter) => toParts(filter.slice(1)));
  return (name) => excluded.some((parts) => matchesParts(name, parts));
}

/** The filters that match none of the names: most likely misspelt. */
export function findIdleFilters(filters: readonly string[], names: readonly string[]): string[] {
  return filters.filter((filter) => {
    const parts = toParts(filter.startsWith('!') ? filter.slice(1) : filter);
    return !names.some((name) => matchesParts(name, parts));
  });
}

function toParts(pattern: string): string[] {
  return pattern.split('*');
}
