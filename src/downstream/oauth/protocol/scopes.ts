/** Lists of scopes as OAuth writes them: one string, separated by spaces, the order without meaning. */

export function splitScopes(scope: string | undefined): string[] {
  return [...new Set((scope ?? '').split(' ').filter((word) => word !== ''))];
}

/** All of them once; undefined when there are none. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const all = splitScopes(lists.filter((list) => list !== undefined).join(' '));
  return all.length === 0 ? undefined : all.join(' ');
}

export function includesScopes(scope: string | undefined, wanted: string | undefined): boolean {
  const has = new Set(splitScopes(scope));
  return splitScopes(wanted).every((word) => has.has(word));
}
