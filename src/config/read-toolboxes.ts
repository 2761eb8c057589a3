/** The toolboxes of a file, and one for the servers that none of them names. */

import type { Placement, ToolboxDefinition } from './config.ts';
import type { Definitions } from './definitions.ts';
import { type Fault, toFault } from './left-out.ts';
import { toKind } from './read.ts';
import { type NamedServer, withProblems } from './read-servers.ts';
import type { Reading } from './read-text.ts';
import { placeServer, readToolbox, type WrittenToolbox } from './read-toolbox.ts';
import { type Member, toMembers, valuePlace } from './tree.ts';

const leftoverName = 'default';

export interface ToolboxesOptions {
  /** `toolboxes` of the file. */
  readonly member: Member | undefined;
  readonly topLevel: readonly NamedServer[];
  readonly definitions: Definitions;
}

export interface ReadToolboxes {
  readonly toolboxes: ReadonlyMap<string, ToolboxDefinition>;
  /** Those that are wrong themselves, by name. */
  readonly leftOut: ReadonlyMap<string, Fault>;
  /** A mistake may have put a server where it does not belong. */
  readonly unsure: boolean;
}

/** A toolbox while it is filled. */
type Filling = Pick<WrittenToolbox, 'name' | 'description'> & { readonly places: Map<string, NamedServer> };

export function readToolboxes({ member, topLevel, definitions }: ToolboxesOptions, reading: Reading): ReadToolboxes {
  const { report } = reading;
  const isRecord = member === undefined || member.node.type === 'object';
  if (!isRecord) report.error('WB1405', valuePlace(member), `toolboxes must be an object, not ${toKind(member.node)}`);
  const written = (member === undefined ? [] : toMembers(member.node, member.path)).map((toolbox) =>
    readToolbox(toolbox, topLevel, reading),
  );
  // Of two records under one key nobody knows which is meant.
  const ofAll = member === undefined ? [] : report.errorsIn(member).filter(({ path }) => path === member.path);
  const fillings = new Map<string, Filling>();
  const leftOut = new Map<string, Fault>();
  const lost: NamedServer[] = [];
  for (const { name, description, own, places } of written) {
    const problems = [...ofAll, ...written.filter((other) => other.name === name).flatMap((each) => each.problems)];
    if (problems.length === 0) fillings.set(name, { name, description, places: new Map(places) });
    else {
      leftOut.set(name, toFault(problems));
      // What is defined there goes with it; what it only names is right, and is served where else it stands.
      lost.push(...own.map((server) => withProblems(server, problems)));
    }
  }
  const isClear = fillLeftover(fillings, topLevel, reading);
  const place = createPlacer(definitions);
  const toolboxes = new Map(
    [...fillings].map(([key, { name, description, places }]) => {
      return [key, { name, description, placements: [...places.values()].map(place) }];
    }),
  );
  for (const server of lost) place(server);
  const unsure = !isRecord || !isClear || leftOut.size > 0 || written.some((toolbox) => toolbox.unsure);
  return { toolboxes, leftOut, unsure };
}

/** Whether every name still stands for one server. */
function fillLeftover(fillings: Map<string, Filling>, topLevel: readonly NamedServer[], reading: Reading): boolean {
  const named = new Set([...fillings.values()].flatMap(({ places }) => [...places.values()]));
  const leftover = topLevel.filter((server) => !named.has(server));
  if (leftover.length === 0 && fillings.size > 0) return true;
  const description = fillings.size === 0 ? 'All configured servers' : 'Servers outside any toolbox';
  const filling = fillings.get(leftoverName) ?? { name: leftoverName, description, places: new Map() };
  fillings.set(leftoverName, filling);
  const problems = leftover.map((server) =>
    placeServer(filling.places, server, { toolbox: leftoverName, at: server.place }, reading),
  );
  return problems.every((problem) => problem === undefined);
}

function createPlacer(definitions: Definitions): (server: NamedServer) => Placement {
  return ({ name, content }) => {
    if ('leftOut' in content) return { server: name, key: definitions.leave(content.leftOut), toolFilters: [] };
    const { definition, toolFilters } = content.entry;
    return { server: name, key: definitions.add(definition), toolFilters };
  };
}
