/**
 * Who has named which resource in an answer. A model may pass on a URI that it read in some text, without the label of its
 * server; a server that has named it before is known to have it.
 */
import type { Bench } from '../workbench/bench.ts';

const most = 5_000;
const seen = new WeakMap<Bench, Map<string, Set<string>>>();

export function noteLink(bench: Bench, key: string, uri: string): void {
  let links = seen.get(bench);
  if (links === undefined) {
    links = new Map();
    seen.set(bench, links);
  }
  const owners = links.get(uri) ?? new Set();
  // Put last again, so that what was named longest ago is forgotten first.
  links.delete(uri);
  links.set(uri, owners.add(key));
  const [oldest] = links.keys();
  if (links.size > most && oldest !== undefined) links.delete(oldest);
}

/** Keys of the servers that have named it. */
export function findLinking(bench: Bench, uri: string): string[] {
  return [...(seen.get(bench)?.get(uri) ?? [])];
}
