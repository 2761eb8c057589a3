/** Which tools a client may find, and under which address: a tool that stands in several toolboxes is found once. */
import { memoize } from '../../base/async/memoize.ts';
import type { Entry, Toolbox } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../../workbench/view/snapshot.ts';

export interface ShownTools {
  /** Keys of the servers, known or not, in the order of the configuration. */
  readonly keys: readonly string[];
  /** Those of them whose tools are not known. */
  readonly silent: readonly string[];
  /** Filters leave out some tools. */
  readonly filtered: boolean;
  /** Says which tools may be found; undefined where that is every known tool, because a search asks it for each. */
  readonly accepts: ((key: string, name: string) => boolean) | undefined;
  /** By key of the server and its own name for the tool. */
  find(key: string, name: string): Entry | undefined;
}

const allOf = memoize((snapshot: Snapshot) => collect(snapshot, snapshot.toolboxes.values()));

/** The tools of one toolbox, or of all toolboxes of the view. */
export function findShownTools(snapshot: Snapshot, toolbox: string | undefined): ShownTools {
  if (toolbox === undefined) return allOf(snapshot);
  const only = snapshot.toolboxes.get(toolbox);
  return collect(snapshot, only === undefined ? [] : [only]);
}

function collect({ catalog }: Snapshot, toolboxes: Iterable<Toolbox>): ShownTools {
  const byKey = new Map<string, Map<string, Entry>>();
  const keys = new Set<string>();
  for (const { placements, entries } of toolboxes) {
    for (const { key } of placements.values()) keys.add(key);
    for (const entry of entries.tools) {
      const named = byKey.get(entry.key) ?? new Map<string, Entry>();
      byKey.set(entry.key, named);
      const before = named.get(entry.item.name);
      // A toolbox with the name of the server has the shortest address.
      if (before === undefined || (isShort(entry) && !isShort(before))) named.set(entry.item.name, entry);
    }
  }
  const countOf = (key: string) => catalog.get(key)?.tools.length ?? 0;
  const all = [...keys];
  const find = (key: string, name: string) => byKey.get(key)?.get(name);
  const filtered = all.some((key) => countOf(key) > (byKey.get(key)?.size ?? 0));
  const isWhole = !filtered && [...catalog.keys()].every((key) => keys.has(key));
  return {
    keys: all,
    silent: all.filter((key) => countOf(key) === 0),
    filtered,
    accepts: isWhole ? undefined : (key, name) => find(key, name) !== undefined,
    find,
  };
}

function isShort({ address }: Entry): boolean {
  return address.toolbox === address.server;
}
