/**
 * The lookup table from public names to entries. Routes are data, never parsed from a name. Two entries that want the same name
 * are both left out and reported, so that no call can reach the wrong server.
 */
import { quote } from '../base/text/error-text.ts';
import { type Kind, kindRules } from '../catalog/kind.ts';
import type { Config } from '../config/model/config.ts';
import { maxResultTokens, readResultName } from '../config/model/result-limit.ts';
import { dynamicName, flatName, uniqueName, withoutServerName } from './public-name.ts';
import { buildUriMap } from './public-uri.ts';
import type { Entry, Toolbox } from './toolbox.ts';

export interface NameTable {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Further public names, which are not listed; never one that an entry has or that is claimed twice. */
  readonly aliases: ReadonlyMap<string, Entry>;
  readonly collisions: ReadonlyMap<string, readonly Entry[]>;
}

/** Every item of one kind in every toolbox, under `{toolbox}__{server}__{name}`. */
export function buildDynamicNames(
  config: Config,
  toolboxes: Iterable<Toolbox>,
  { kind, reserved = [] }: { kind: Kind; reserved?: readonly string[] },
): NameTable {
  const entries = [...toolboxes].flatMap((toolbox) => toolbox.entries[kind]);
  return buildNameTable(entries, ({ address }, name) => dynamicName({ ...address, name }, config), reserved);
}

/** Every server once, in however many toolboxes it is; an item that any of its places shows is shown. */
export function buildFlatNames(config: Config, toolboxes: Iterable<Toolbox>, kind: Kind): NameTable {
  const { separator, maxNameLength, safeNames } = config;
  const rules = { separator, maxNameLength, safeNames, prefix: true };
  const rulesOf = new Map([...config.servers].map(([key, { prefix }]) => [key, prefix ? rules : { ...rules, prefix }]));
  const toName = ({ address: { server }, key }: Entry, name: string) =>
    flatName({ server, name }, rulesOf.get(key) ?? rules);
  const entries = onceEach(toolboxes, kind);
  const reserved = kind === 'tools' && maxResultTokens(config) > 0 ? [readResultName] : [];
  if (config.fitsNames !== true) return buildNameTable(entries, toName, reserved);
  const isFree = findFree(entries);
  const toShort = (entry: Entry, name: string) => {
    const short = withoutServerName(name, entry.address.server);
    return toName(entry, isFree(entry, short) ? short : name);
  };
  const toUnique = ({ address: { server }, key, item }: Entry) => uniqueName({ server, key, name: item.name }, rules);
  return separate(buildNameTable(entries, toShort, reserved), toUnique);
}

/** Whether no other entry of the same server has this name already. */
function findFree(entries: readonly Entry[]): (entry: Entry, name: string) => boolean {
  const taken = new Map<string, Set<string>>();
  for (const { key, item } of entries) taken.set(key, (taken.get(key) ?? new Set()).add(item.shown));
  return ({ key }, name) => taken.get(key)?.has(name) !== true;
}

/** Gives entries that want the same name names of their own. */
function separate(table: NameTable, toUnique: (entry: Entry) => string): NameTable {
  const { entries, collisions, aliases } = table;
  if (collisions.size === 0) return table;
  const all = new Map(entries);
  const left = new Map<string, readonly Entry[]>();
  for (const [name, owners] of collisions) {
    const own = new Map(owners.map((entry) => [toUnique(entry), entry]));
    const isClear = own.size === owners.length && ![...own.keys()].some((each) => all.has(each));
    if (isClear) for (const [each, entry] of own) all.set(each, entry);
    else left.set(name, owners);
  }
  return { entries: all, aliases, collisions: left };
}

/** Every resource or template of every server once, under its public URI. */
export function buildUriNames(
  config: Pick<Config, 'servers' | 'mode'>,
  toolboxes: Iterable<Toolbox>,
  kind: Kind,
): NameTable {
  const { wrap } = buildUriMap(config);
  return buildNameTable(onceEach(toolboxes, kind), ({ key }, name) => wrap(key, name), []);
}

/** The first of several entries of one item in different toolboxes; an item that they show under different names has all of them. */
function onceEach(toolboxes: Iterable<Toolbox>, kind: Kind): Entry[] {
  const once: Entry[] = [];
  const seen = new Map<string, Set<string>>();
  for (const toolbox of toolboxes) {
    for (const entry of toolbox.entries[kind]) {
      const names = seen.get(entry.key) ?? new Set();
      const identity =
        entry.shaped === undefined ? entry.item.name : JSON.stringify([entry.item.name, entry.item.shown]);
      if (names.has(identity)) continue;
      seen.set(entry.key, names.add(identity));
      once.push(entry);
    }
  }
  return once;
}

function buildNameTable(
  all: readonly Entry[],
  toName: (entry: Entry, name: string) => string,
  reserved: readonly string[],
): NameTable {
  const entries = new Map<string, Entry>();
  const collisions = new Map<string, Entry[]>();
  for (const entry of all) {
    const name = toName(entry, entry.item.shown);
    const owner = entries.get(name);
    const owners = collisions.get(name);
    if (owners !== undefined) owners.push(entry);
    else if (reserved.includes(name)) collisions.set(name, [entry]);
    else if (owner === undefined) entries.set(name, entry);
    else {
      entries.delete(name);
      collisions.set(name, [owner, entry]);
    }
  }
  const aliases = new Map(
    all.flatMap((entry) => (entry.shaped?.aliases ?? []).map((name) => [toName(entry, name), entry] as const)),
  );
  for (const name of [...entries.keys(), ...collisions.keys(), ...reserved]) aliases.delete(name);
  return { entries, aliases, collisions };
}

/** The entry that a client means by a public name. */
export function findPublicEntry({ entries, aliases }: NameTable, name: string): Entry | undefined {
  return entries.get(name) ?? aliases.get(name);
}

/** Further owners of one name are only counted. */
const maxClaims = 3;

/** Describes a collision: both owners and what to change. */
export function describeCollision(name: string, owners: readonly Entry[]): string {
  const claims = owners.map(
    ({ address, item }) => `${quote(item.shown)} of server '${address.server}' (toolbox '${address.toolbox}')`,
  );
  const more = claims.length > maxClaims ? ` and ${claims.length - maxClaims} more` : '';
  const who = `${claims.slice(0, maxClaims).join(' and ')}${more}`;
  const [owner] = owners;
  if (owner !== undefined && kindRules[owner.kind].identity !== 'name')
    return `The ${kindRules[owner.kind].noun} ${quote(name)} is claimed by ${who}; none of them is listed. Each can be read with the label of its server in front of the URI.`;
  const isTool = owner === undefined || owner.kind === 'tools';
  const what = isTool ? 'Public name' : `Public name of a ${kindRules[owner.kind].noun}`;
  const advice = isTool ? 'Rename a server, leave a tool out with "toolFilters": ["!name"],' : 'Rename a server';
  return `${what} ${quote(name)} is claimed by ${who}; ${owners.length > 1 ? 'none of them is shown' : 'the name is reserved'}. ${advice} or remove "prefix": false.`;
}
