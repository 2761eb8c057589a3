/** What is shown together: the toolboxes of a configuration, filled with what the catalog knows. Values only. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config, Placement } from '../config/config.ts';
import { passesFilters } from './filter.ts';

/** Identity of a tool: where it stands and what its server calls it. */
export interface Address {
  readonly toolbox: string;
  readonly server: string;
  readonly name: string;
}

/** One tool in one toolbox. */
export interface Entry {
  readonly address: Address;
  /** Key of the server definition that answers. */
  readonly key: string;
  readonly tool: Tool;
}

export interface Toolbox {
  readonly name: string;
  readonly description: string;
  readonly placements: ReadonlyMap<string, Placement>;
  /** In the order of the configuration, then of the server's own list. */
  readonly entries: readonly Entry[];
  /** The same by server and name: a call must not cost more in a large toolbox. */
  readonly index: ReadonlyMap<string, ReadonlyMap<string, Entry>>;
}

export function buildToolboxes(config: Config, catalog: Catalog): ReadonlyMap<string, Toolbox> {
  const toolboxes = new Map<string, Toolbox>();
  for (const { name, description, placements } of config.toolboxes.values()) {
    const groups = placements.map((placement) => ({ placement, entries: placementEntries(name, placement, catalog) }));
    toolboxes.set(name, {
      name,
      description,
      placements: new Map(placements.map((placement) => [placement.server, placement])),
      entries: groups.flatMap(({ entries }) => entries),
      index: new Map(
        groups.map(({ placement, entries }) => [
          placement.server,
          new Map(entries.map((entry) => [entry.address.name, entry])),
        ]),
      ),
    });
  }
  return toolboxes;
}

function placementEntries(toolbox: string, { server, key, toolFilters }: Placement, catalog: Catalog): Entry[] {
  const tools = catalog.get(key)?.tools ?? [];
  return tools
    .filter((tool) => passesFilters(tool.name, toolFilters))
    .map((tool) => ({ address: { toolbox, server, name: tool.name }, key, tool }));
}

export function findEntry(toolbox: Toolbox, server: string, name: string): Entry | undefined {
  return toolbox.index.get(server)?.get(name);
}
