/** A server as it is shown: its configuration, and the status of its link. */
import { defined } from '../../base/json/defined.ts';
import type { Item } from '../../catalog/item.ts';
import type { Config, Placement, ServerDefinition } from '../../config/model/config.ts';
import type { Link } from '../../downstream/link/link.ts';
import type { LinkStatus } from '../../downstream/link/link-status.ts';
import { buildFilter, keepsAll } from '../../toolbox/filter.ts';
import { planShape } from '../../toolbox/shape/plan-shape.ts';

export interface ServerStatus extends LinkStatus {
  readonly key: string;
  readonly name: string;
  readonly transport: ServerDefinition['transport']['kind'];
  readonly shown: string;
  readonly toolboxes: readonly string[];
  /** Its name in toolboxes, where its own name is not allowed there. */
  readonly label?: string;
  /** Tools it listed, before filters; undefined until it has listed them once. */
  readonly tools?: number;
  /** The tools that at least one of its toolboxes keeps: not left out by filters, and not hidden. */
  readonly toolsShown?: number;
}

/**
 * Whether its tools can be called as they are known; a server that does not run is started by the call. A server that has failed
 * cannot be counted on before it is ready again, even if its tools are known.
 */
export function isAvailable({ state, listedAt, failure }: Pick<LinkStatus, 'state' | 'listedAt' | 'failure'>): boolean {
  if (failure !== undefined) return false;
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
  const placements = places.map(({ placement }) => placement);
  const common = { ...status, key, name, shown, transport: transport.kind, toolboxes, ...defined({ label }) };
  // A server that failed to list its tools may have some.
  const isUnread = status.failure?.code === 'WB1024' && listing?.tools.length === 0;
  if (listing === undefined || isUnread) return common;
  return {
    ...common,
    // Counted when read: a client is greeted before the lists of an earlier run are looked at.
    get tools() {
      return listing.tools.length;
    },
    get toolsShown() {
      return countKept(listing.tools, placements);
    },
  };
}

/** The status of a server that is left out because its entry is wrong: it never runs, so it has no link. */
export function findLeftOutStatus(key: string, config: Config): ServerStatus | undefined {
  const leftOut = config.leftOut?.servers.get(key);
  if (leftOut === undefined) return undefined;
  const { name, shown, transport, fault } = leftOut;
  const { code, message, fix } = fault;
  const failure = { code, message, fix, stderr: [] };
  return { state: 'failing', failure, notes: [], key, name, shown, transport, toolboxes: toolboxesOf(key, config) };
}

function toolboxesOf(key: string, config: Config): string[] {
  return [...config.toolboxes.values()]
    .filter(({ placements }) => placements.some((placement) => placement.key === key))
    .map((toolbox) => toolbox.name);
}

function countKept(tools: readonly Item[], placements: readonly Placement[]): number {
  if (placements.some(({ toolFilters, shapes }) => shapes === undefined && keepsAll(toolFilters))) return tools.length;
  const passes = placements.map(({ toolFilters, shapes }) => {
    const keeps = buildFilter(toolFilters);
    return (name: string) => keeps(name) && (shapes === undefined || planShape(name, shapes)?.hidden?.value !== true);
  });
  return tools.filter(({ shown }) => passes.some((each) => each(shown))).length;
}
