/** What is shown together: the toolboxes of a configuration, filled from the catalog. Values only. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Item } from '../catalog/item.ts';
import { forEachKind, type Kind } from '../catalog/kind.ts';
import type { Config, Placement } from '../config/model/config.ts';
import { buildFilter } from './filter.ts';

/** Identity of an entry among those of its kind: its place and its server's own name for it. */
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
  readonly item: Item;
}

export interface Toolbox {
  readonly name: string;
  readonly description: string;
  readonly placements: ReadonlyMap<string, Placement>;
  /** In the order of the configuration, then of the server's own list. */
  readonly entries: Readonly<Record<Kind, readonly Entry[]>>;
  /** The same by server and name, either its own or the shown one: a call must not cost more in a large toolbox. */
  readonly index: Readonly<Record<Kind, ReadonlyMap<string, ReadonlyMap<string, Entry>>>>;
}

export function buildToolboxes(config: Config, catalog: Catalog): ReadonlyMap<string, Toolbox> {
  const toolboxes = new Map<string, Toolbox>();
  for (const { name, description, placements } of config.toolboxes.values()) {
    const groups = forEachKind((kind) =>
      placements.map((placement) => ({ placement, entries: placementEntries(kind, name, placement, catalog) })),
    );
    let index: Toolbox['index'] | undefined;
    toolboxes.set(name, {
      name,
      description,
      placements: new Map(placements.map((placement) => [placement.server, placement])),
      entries: forEachKind((kind) => groups[kind].flatMap(({ entries }) => entries)),
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
  const byName = (entries: readonly Entry[]) =>
    new Map(entries.flatMap((entry) => [entry.address.name, entry.item.shown].map((name) => [name, entry])));
  return new Map(groups.map(({ placement, entries }) => [placement.server, byName(entries)]));
}

function placementEntries(kind: Kind, toolbox: string, placement: Placement, catalog: Catalog): Entry[] {
  const { server, key } = placement;
  const items = catalog.get(key)?.[kind] ?? [];
  const passes = buildFilter(filtersOf(kind, placement));
  return items
    .filter(({ shown }) => passes(shown))
    .map((item) => ({ kind, address: { toolbox, server, name: item.name }, key, item }));
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
