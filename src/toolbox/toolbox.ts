/** What is shown together: the toolboxes of a configuration, filled from the catalog. Values only. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Item } from '../catalog/item.ts';
import { forEachKind, type Kind } from '../catalog/kind.ts';
import type { Config, Placement } from '../config/model/config.ts';
import { buildFilter } from './filter.ts';
import { shapePlacement, type UnshownTool } from './shape/shape-placement.ts';
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
}

export function buildToolboxes(config: Config, catalog: Catalog): ReadonlyMap<string, Toolbox> {
  const toolboxes = new Map<string, Toolbox>();
  for (const { name, description, placements } of config.toolboxes.values()) {
    const unshown: Unshown[] = [];
    const groups = forEachKind((kind) =>
      placements.map((placement) => ({
        placement,
        entries: placementEntries(kind, { toolbox: name, placement, catalog, unshown }),
      })),
    );
    let index: Toolbox['index'] | undefined;
    toolboxes.set(name, {
      name,
      description,
      placements: new Map(placements.map((placement) => [placement.server, placement])),
      entries: forEachKind((kind) => groups[kind].flatMap(({ entries }) => entries)),
      unshown,
      // Built at the first call: a list does not need it.
      get index() {
        index ??= forEachKind((kind) => buildIndex(groups[kind]));
        return index;
      },
    });
  }
  return toolboxes;
}

interface Group {
  readonly placement: Placement;
  readonly entries: readonly Entry[];
}

function buildIndex(groups: readonly Group[]): Toolbox['index'][Kind] {
  // A further name of one tool never hides the name of another.
  const byName = (entries: readonly Entry[]) =>
    new Map([
      ...entries.flatMap((entry) => (entry.shaped?.aliases ?? []).map((name) => [name, entry] as const)),
      ...entries.flatMap((entry) => [entry.address.name, entry.item.shown].map((name) => [name, entry] as const)),
    ]);
  return new Map(groups.map(({ placement, entries }) => [placement.server, byName(entries)]));
}

interface Filling {
  readonly toolbox: string;
  readonly placement: Placement;
  readonly catalog: Catalog;
  /** Takes the tools that are not shown. */
  readonly unshown: Unshown[];
}

function placementEntries(kind: Kind, { toolbox, placement, catalog, unshown }: Filling): Entry[] {
  const { server, key, shapes } = placement;
  const items = catalog.get(key)?.[kind] ?? [];
  const passes = buildFilter(filtersOf(kind, placement));
  const kept = items.filter(({ shown }) => passes(shown));
  if (kind !== 'tools' || shapes === undefined)
    return kept.map((item) => ({ kind, address: { toolbox, server, name: item.name }, key, item }));
  const tools = shapePlacement(kept, shapes);
  unshown.push(...tools.unshown.map((tool) => ({ ...tool, server, key })));
  return tools.shown.map(({ item, shaped }) => ({
    kind,
    address: { toolbox, server, name: nameOf(item, shaped) },
    key,
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
