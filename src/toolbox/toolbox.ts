/** What is shown together: the toolboxes of a configuration, filled from the catalog. Values only. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Item } from '../catalog/item.ts';
import { forEachKind, type Kind } from '../catalog/kind.ts';
import type { Config, Placement } from '../config/model/config.ts';
import { buildFilter } from './filter.ts';
import { type ApartTool, type InstancePlacement, mergeInstances } from './shape/merge-instances.ts';
import { type ShapedTools, shapeMerged, shapePlacement, type UnshownTool } from './shape/shape-placement.ts';
import type { Shaped } from './shape/shaped.ts';

/** Identity of an entry among those of its kind: its place, and its server's own name for it or, for a renamed tool, the other one. */
export interface Address {
  readonly toolbox: string;
  readonly server: string;
  readonly name: string;
}

/** One tool, prompt, resource or resource template in one toolbox. */
export interface Entry {
  readonly kind: Kind;
  readonly address: Address;
  /** Key of the definition of the server that answers. */
  readonly key: string;
  /** Its name is the server's own, also for a tool that is shown in another way. */
  readonly item: Item;
  /** Set for a tool that is shown in another way than its server defines it. */
  readonly shaped?: Shaped | undefined;
}

/** A tool of the server that the configuration hides, or that cannot be shown as it says. */
export interface Unshown extends UnshownTool {
  readonly server: string;
  readonly key: string;
}

export interface Toolbox {
  readonly name: string;
  readonly description: string;
  readonly placements: ReadonlyMap<string, Placement>;
  /** In the order of the configuration, then of the server's own list. */
  readonly entries: Readonly<Record<Kind, readonly Entry[]>>;
  /** The same by server and name, either its own or the shown one: a call must not cost more in a large toolbox. */
  readonly index: Readonly<Record<Kind, ReadonlyMap<string, ReadonlyMap<string, Entry>>>>;
  readonly unshown: readonly Unshown[];
  /** The places of several instances of one server, by their common name, under which most of their tools are. */
  readonly groups: ReadonlyMap<string, readonly InstancePlacement[]>;
  /** Tools of instances that are not under the common name. */
  readonly apart: readonly ApartTool[];
}

export function buildToolboxes(config: Config, catalog: Catalog): ReadonlyMap<string, Toolbox> {
  const toolboxes = new Map<string, Toolbox>();
  for (const { name, description, placements } of config.toolboxes.values()) {
    const groups = groupInstances(placements);
    const unshown: Unshown[] = [];
    const apart: ApartTool[] = [];
    const filling = { toolbox: name, catalog, unshown };
    const shelves = forEachKind((kind) => {
      const merges = kind === 'tools' && groups.size > 0;
      if (merges) return [...mergeGroups(placements, groups, { ...filling, apart })];
      return placements.map((placement) => ({
        server: placement.server,
        entries: placementEntries(kind, placement, filling),
      }));
    });
    let index: Toolbox['index'] | undefined;
    toolboxes.set(name, {
      name,
      description,
      placements: new Map(placements.map((placement) => [placement.server, placement])),
      groups,
      entries: forEachKind((kind) => shelves[kind].flatMap(({ entries }) => entries)),
      unshown,
      apart,
      // Built at the first call: a list does not need it.
      get index() {
        index ??= forEachKind((kind) => buildIndex(shelves[kind]));
        return index;
      },
    });
  }
  return toolboxes;
}

interface Shelf {
  readonly server: string;
  readonly entries: readonly Entry[];
}

function buildIndex(shelves: readonly Shelf[]): Toolbox['index'][Kind] {
  // A further name of one tool never hides the name of another.
  const byName = (entries: readonly Entry[]) =>
    new Map([
      ...entries.flatMap((entry) => (entry.shaped?.aliases ?? []).map((name) => [name, entry] as const)),
      ...entries.flatMap((entry) => [entry.address.name, entry.item.shown].map((name) => [name, entry] as const)),
    ]);
  return new Map(shelves.map(({ server, entries }) => [server, byName(entries)]));
}

const noGroups: Toolbox['groups'] = new Map();

function groupInstances(placements: readonly Placement[]): Toolbox['groups'] {
  if (!placements.some(({ instance }) => instance !== undefined)) return noGroups;
  const groups = new Map<string, InstancePlacement[]>();
  for (const placement of placements) {
    const { instance } = placement;
    if (instance !== undefined)
      groups.set(instance.of, [...(groups.get(instance.of) ?? []), { ...placement, instance }]);
  }
  return groups;
}

interface Filling {
  readonly toolbox: string;
  readonly catalog: Catalog;
  /** Takes the tools that are not shown. */
  readonly unshown: Unshown[];
}

/** The tools of each server; those of instances together, in the place of the first. */
function* mergeGroups(
  placements: readonly Placement[],
  groups: Toolbox['groups'],
  filling: Filling & { readonly apart: ApartTool[] },
): Iterable<Shelf> {
  for (const placement of placements) {
    const group = groups.get(placement.instance?.of ?? '') ?? [];
    const [first] = group;
    if (first === undefined) yield { server: placement.server, entries: placementEntries('tools', placement, filling) };
    if (first === undefined || first.key !== placement.key) continue;
    const { merged, apart } = mergeInstances(group, filling.catalog, buildFilter(first.toolFilters));
    filling.apart.push(...apart);
    const { of: server, path } = first.instance;
    yield {
      server,
      entries: toEntries(shapeMerged(merged, first.shapes ?? [], path), { server, key: first.key }, filling),
    };
    for (const each of group) {
      const own = apart.filter((tool) => tool.placement === each).map(({ item }) => item);
      const place = { server: each.server, key: each.key };
      yield { server: each.server, entries: toEntries(shapePlacement(own, each.shapes ?? []), place, filling) };
    }
  }
}

function placementEntries(kind: Kind, placement: Placement, filling: Filling): Entry[] {
  const { server, key, shapes } = placement;
  const items = filling.catalog.get(key)?.[kind] ?? [];
  const passes = buildFilter(filtersOf(kind, placement));
  const kept = items.filter(({ shown }) => passes(shown));
  if (kind === 'tools' && shapes !== undefined)
    return toEntries(shapePlacement(kept, shapes), { server, key }, filling);
  const { toolbox } = filling;
  return kept.map((item) => ({ kind, address: { toolbox, server, name: item.name }, key, item }));
}

function toEntries(
  tools: ShapedTools,
  { server, key }: Pick<Placement, 'server' | 'key'>,
  { toolbox, unshown }: Filling,
): Entry[] {
  unshown.push(...tools.unshown.map((tool) => ({ ...tool, server, key })));
  return tools.shown.map(({ item, shaped }) => ({
    kind: 'tools',
    address: { toolbox, server, name: nameOf(item, shaped) },
    key: shaped?.routes?.keys.values().next().value ?? key,
    item,
    shaped,
  }));
}

/** A renamed tool is not known by its own name any more. */
function nameOf({ name, shown }: Item, shaped: Shaped | undefined): string {
  return shaped === undefined || shaped.own.shown === shown ? name : shown;
}

const all = ['*'] as const;

/** Each kind has its own filters; resources and their templates share theirs. */
export function filtersOf(kind: Kind, { toolFilters, promptFilters, resourceFilters }: Placement): readonly string[] {
  if (kind === 'tools') return toolFilters;
  return (kind === 'prompts' ? promptFilters : resourceFilters) ?? all;
}

export function findEntry(
  toolbox: Toolbox,
  kind: Kind,
  { server, name }: Pick<Address, 'server' | 'name'>,
): Entry | undefined {
  return toolbox.index[kind].get(server)?.get(name);
}
