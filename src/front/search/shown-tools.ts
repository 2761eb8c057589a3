/** Which tools a client may find, and under which address: a tool that stands in several toolboxes is found once. */
import { memoize } from '../../base/async/memoize.ts';
import type { Entry, Toolbox } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../../workbench/view/snapshot.ts';

export interface ShownTools {
  /** Keys of the servers, known or not, in the order of the configuration. */
  readonly keys: readonly string[];
  /** By key of the server and its own name for the tool. */
  find(key: string, name: string): Entry | undefined;
}

const allOf = memoize(({ toolboxes }: Snapshot) => collect(toolboxes.values()));

/** The tools of one toolbox, or of all toolboxes of the view. */
export function findShownTools(snapshot: Snapshot, toolbox: string | undefined): ShownTools {
  if (toolbox === undefined) return allOf(snapshot);
  const only = snapshot.toolboxes.get(toolbox);
  return collect(only === undefined ? [] : [only]);
}

function collect(toolboxes: Iterable<Toolbox>): ShownTools {
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
  return { keys: [...keys], find: (key, name) => byKey.get(key)?.get(name) };
}

function isShort({ address }: Entry): boolean {
  return address.toolbox === address.server;
}
