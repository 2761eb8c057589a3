/** A server as it stands: what is configured, and how its link is. */

import type { Item } from '../catalog/item.ts';
import type { Config, ServerDefinition } from '../config/config.ts';
import type { Link } from '../downstream/link.ts';
import type { LinkStatus } from '../downstream/link-status.ts';
import { buildFilter, keepsAll } from '../toolbox/filter.ts';

export interface ServerStatus extends LinkStatus {
  readonly key: string;
  readonly name: string;
  readonly transport: ServerDefinition['transport']['kind'];
  readonly shown: string;
  readonly toolboxes: readonly string[];
  /** What it is called in its toolboxes, where its name cannot stand there. */
  readonly label?: string;
  /** Tools it listed, before filters; undefined until it was heard once. */
  readonly tools?: number;
  /** Those of them that the filters of any of its toolboxes keep. */
  readonly toolsShown?: number;
}

/** Whether its tools can be called as they are known; one that does not run is started by the call. */
export function isAvailable({ state, listedAt }: Pick<LinkStatus, 'state' | 'listedAt'>): boolean {
  if (state === 'starting') return listedAt !== undefined;
  return state === 'ready' || state === 'sleeping' || state === 'known';
}

export function toServerStatus(
  { key, name, shown, transport }: ServerDefinition,
  { status, listing }: Pick<Link, 'status' | 'listing'>,
  config: Config,
): ServerStatus {
  const places = [...config.toolboxes.values()].flatMap((toolbox) =>
    toolbox.placements.filter((placement) => placement.key === key).map((placement) => ({ toolbox, placement })),
  );
  const toolboxes = [...new Set(places.map(({ toolbox }) => toolbox.name))];
  const label = places.find(({ placement }) => placement.server !== name)?.placement.server;
  const tools = listing?.tools.length;
  const filters = places.map(({ placement }) => placement.toolFilters);
  return {
    ...status,
    key,
    name,
    shown,
    transport: transport.kind,
    toolboxes,
    ...(label === undefined ? {} : { label }),
    ...(tools === undefined ? {} : { tools, toolsShown: countKept(listing?.tools ?? [], filters) }),
  };
}

function countKept(tools: readonly Item[], filters: readonly (readonly string[])[]): number {
  if (filters.some(keepsAll)) return tools.length;
  const passes = filters.map(buildFilter);
  return tools.filter(({ shown }) => passes.some((each) => each(shown))).length;
}
