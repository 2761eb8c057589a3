/** Shows the toolboxes to a person or a program: names, servers and tools, with the name of each tool in the chosen mode. */

import type { JsonObject } from '../../base/json/json.ts';
import { modeFacts } from '../../base/mode.ts';
import type { Kind } from '../../catalog/kind.ts';
import { buildDynamicNames, buildFlatNames, describeCollision, type NameTable } from '../../toolbox/name-table.ts';
import type { Address, Entry } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../view/snapshot.ts';

export interface ToolboxView {
  readonly name: string;
  readonly description: string;
  readonly servers: readonly string[];
  readonly entries: readonly EntryView[];
}

export interface EntryView {
  readonly address: Address;
  /** The name for clients; undefined when another tool claims the same name. */
  readonly publicName: string | undefined;
  readonly tool: JsonObject;
}

export function buildToolboxViews(snapshot: Snapshot): ToolboxView[] {
  const names = buildNames(snapshot, 'tools');
  const publicNames = new Map([...(names?.entries ?? [])].map(([name, entry]) => [identity(entry, snapshot), name]));
  return [...snapshot.toolboxes.values()].map(({ name, description, placements, entries }) => ({
    name,
    description,
    servers: [...placements.keys()],
    entries: entries.tools.map((entry) => ({
      address: entry.address,
      publicName: names === undefined ? entry.address.name : publicNames.get(identity(entry, snapshot)),
      tool: entry.item.definition,
    })),
  }));
}

/** Messages about names that two tools or two prompts claim; empty when each has its own. */
export function findCollisions(snapshot: Snapshot): string[] {
  return (['tools', 'prompts'] as const).flatMap((kind) =>
    [...(buildNames(snapshot, kind)?.collisions ?? [])].map(([name, owners]) => describeCollision(name, owners)),
  );
}

/** Mode `meta` has no public names: a tool is called by its address. */
function buildNames({ config, toolboxes }: Snapshot, kind: Kind): NameTable | undefined {
  const { publicNames } = modeFacts[config.mode];
  if (publicNames === 'server') return buildFlatNames(config, toolboxes.values(), kind);
  return publicNames === 'toolbox' ? buildDynamicNames(config, toolboxes.values(), { kind }) : undefined;
}

/** In flat mode a tool is shown once, even if it is in several toolboxes. */
function identity({ key, address }: Entry, { config }: Snapshot): string {
  return JSON.stringify(modeFacts[config.mode].showsAll ? [key, address.name] : [address.toolbox, key, address.name]);
}
