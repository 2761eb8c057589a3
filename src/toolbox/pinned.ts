/** The tools that the configuration pins: `server/tool`, or `toolbox/server/tool` where a server is in several toolboxes. */
import { type Entry, findEntry, type Toolbox } from './toolbox.ts';

export interface Pinned {
  /** In the order of the pins, each tool once. */
  readonly entries: readonly Entry[];
  /** Pins that no tool answers to. */
  readonly unmatched: readonly string[];
}

/** Only tools that the toolboxes show can be pinned: what a filter leaves out stays out. */
export function findPinned(pins: readonly string[], toolboxes: Iterable<Toolbox>): Pinned {
  const entries = new Map<string, Entry>();
  const unmatched: string[] = [];
  const all = [...toolboxes];
  for (const pin of pins) {
    const entry = findPin(pin, all);
    if (entry === undefined) unmatched.push(pin);
    else entries.set(JSON.stringify([entry.key, entry.item.name]), entry);
  }
  return { entries: [...entries.values()], unmatched };
}

/** Compared as text, never taken apart: names of tools may contain a slash. */
function findPin(pin: string, toolboxes: readonly Toolbox[]): Entry | undefined {
  for (const toolbox of toolboxes) {
    for (const server of [...toolbox.groups.keys(), ...toolbox.placements.keys()]) {
      for (const beginning of [`${server}/`, `${toolbox.name}/${server}/`]) {
        if (!pin.startsWith(beginning)) continue;
        const entry = findEntry(toolbox, 'tools', { server, name: pin.slice(beginning.length) });
        if (entry !== undefined) return entry;
      }
    }
  }
  return undefined;
}
