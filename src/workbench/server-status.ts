/** A server as it stands: what is configured, and how its link is. */

import type { Config, ServerDefinition } from '../config/config.ts';
import type { Link } from '../downstream/link.ts';
import type { LinkStatus } from '../downstream/link-status.ts';

export interface ServerStatus extends LinkStatus {
  readonly key: string;
  readonly name: string;
  readonly transport: ServerDefinition['transport']['kind'];
  readonly shown: string;
  readonly toolboxes: readonly string[];
  /** Tools it listed, before filters; undefined until it has listed them once. */
  readonly tools?: number;
}

/** Whether its tools can be called as they are known; one that does not run is started by the call. */
export function isAvailable({ state, listedAt, failure }: Pick<LinkStatus, 'state' | 'listedAt' | 'failure'>): boolean {
  if (state === 'starting') return listedAt !== undefined;
  if (failure !== undefined) return false;
  return state === 'ready' || state === 'sleeping' || state === 'known';
}

export function toServerStatus(
  { key, name, shown, transport }: ServerDefinition,
  { status, listing }: Pick<Link, 'status' | 'listing'>,
  config: Config,
): ServerStatus {
  const toolboxes = [...config.toolboxes.values()]
    .filter(({ placements }) => placements.some((placement) => placement.key === key))
    .map((toolbox) => toolbox.name);
  // Of one that does not list its tools it is not known that there are none.
  const isUnread = status.failure?.code === 'WB1024' && listing?.tools.length === 0;
  const tools = isUnread ? undefined : listing?.tools.length;
  return {
    ...status,
    key,
    name,
    shown,
    transport: transport.kind,
    toolboxes,
    ...(tools === undefined ? {} : { tools }),
  };
}
