/**
 * The lookup table from public names to entries. Routes are data, never parsed from a name; two entries that want one
 * name are both left out and reported, so that no call can reach the wrong server.
 */
import type { Config } from '../config/config.ts';
import { dynamicName, flatName } from './public-name.ts';
import type { Entry, Toolbox } from './toolbox.ts';

export interface NameTable {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly collisions: ReadonlyMap<string, readonly Entry[]>;
}

/** Every tool of every toolbox, under `{toolbox}__{server}__{tool}`. */
export function buildDynamicNames(
  config: Config,
  toolboxes: Iterable<Toolbox>,
  reserved: readonly string[],
): NameTable {
  const entries = [...toolboxes].flatMap((toolbox) => toolbox.entries);
  return buildNameTable(entries, (entry) => dynamicName(entry.address, config), reserved);
}

/** Every server once, whatever toolboxes it stands in; a tool is shown when any of its places shows it. */
export function buildFlatNames(config: Config, toolboxes: Iterable<Toolbox>): NameTable {
  const once = new Map<string, Entry>();
  for (const toolbox of toolboxes) {
    for (const entry of toolbox.entries) {
      const identity = JSON.stringify([entry.key, entry.tool.name]);
      if (!once.has(identity)) once.set(identity, entry);
    }
  }
  const toName = (entry: Entry) =>
    flatName(entry.address, { ...config, prefix: config.servers.get(entry.key)?.prefix ?? true });
  return buildNameTable([...once.values()], toName, []);
}

function buildNameTable(
  all: readonly Entry[],
  toName: (entry: Entry) => string,
  reserved: readonly string[],
): NameTable {
  const claims = new Map<string, Entry[]>();
  for (const entry of all) {
    const name = toName(entry);
    const owners = claims.get(name);
    if (owners === undefined) claims.set(name, [entry]);
    else owners.push(entry);
  }
  const entries = new Map<string, Entry>();
  const collisions = new Map<string, Entry[]>();
  for (const [name, owners] of claims) {
    const [owner] = owners;
    if (owners.length === 1 && owner !== undefined && !reserved.includes(name)) entries.set(name, owner);
    else collisions.set(name, owners);
  }
  return { entries, collisions };
}

/** What to tell about a collision: both owners and what to change. */
export function describeCollision(name: string, owners: readonly Entry[]): string {
  const who = owners
    .map(({ address }) => `'${address.name}' of server '${address.server}' (toolbox '${address.toolbox}')`)
    .join(' and ');
  return `Public name '${name}' is claimed by ${who}; ${owners.length > 1 ? 'none of them is shown' : 'the name is reserved'}. Rename a server, leave a tool out with "toolFilters": ["!name"], or remove "prefix": false.`;
}
