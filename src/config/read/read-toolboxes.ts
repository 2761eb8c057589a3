/** Reads the toolboxes of a file, and adds one for the servers that none of them names. */

import { modeFacts } from '../../base/mode.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, toMembers } from '../document/json-node.ts';
import type { Mode, Placement, ToolboxDefinition } from '../model/config.ts';
import type { Definitions } from '../model/definitions.ts';
import { type Fault, toFault } from '../model/left-out.ts';
import type { ToolShape } from '../model/tool-shape.ts';
import { isObjectMember } from './read.ts';
import { type NamedServer, withProblems } from './read-servers.ts';
import type { Reading } from './read-text.ts';
import { placeServer, readToolbox, type WrittenToolbox } from './read-toolbox.ts';

const leftoverName = 'default';

export interface ToolboxesOptions {
  /** `toolboxes` of the file. */
  readonly member: Member | undefined;
  readonly topLevel: readonly NamedServer[];
  readonly definitions: Definitions;
  readonly mode: Mode;
  /** The label of a server in a toolbox, by its name. */
  readonly labels: ReadonlyMap<string, string>;
}

export interface ReadToolboxes {
  readonly toolboxes: ReadonlyMap<string, ToolboxDefinition>;
  /** Toolboxes that are wrong themselves, by name. */
  readonly leftOut: ReadonlyMap<string, Fault>;
  /** A mistake may have put a server into the wrong toolbox. */
  readonly unsure: boolean;
}

/** A toolbox while it is filled. */
type Filling = Pick<WrittenToolbox, 'name' | 'description'> & {
  readonly shapes?: WrittenToolbox['shapes'];
  readonly places: Map<string, NamedServer>;
};

export function readToolboxes(options: ToolboxesOptions, reading: Reading): ReadToolboxes {
  const { member, topLevel, definitions, mode } = options;
  const { report } = reading;
  const toLabel = (name: string) => options.labels.get(name) ?? name;
  const isRecord = member === undefined || isObjectMember(member, 'toolboxes', reading);
  const members = member === undefined ? [] : toMembers(member.node, member.path);
  const written = members.map((toolbox) => readToolbox(toolbox, topLevel, reading));
  if (!modeFacts[mode].showsAll)
    for (const [at, toolbox] of written.entries()) noteUndescribed(members[at], toolbox, reading);
  // When a key has two records, it is not clear which one is meant.
  const ofAll = member === undefined ? [] : report.errorsIn(member).filter(({ path }) => path === member.path);
  const fillings = new Map<string, Filling>();
  const leftOut = new Map<string, Fault>();
  const lost: NamedServer[] = [];
  for (const { name, description, own, places, shapes } of written) {
    const problems = [...ofAll, ...written.filter((other) => other.name === name).flatMap((each) => each.problems)];
    if (problems.length === 0) fillings.set(name, { name, description, shapes, places: new Map(places) });
    else {
      leftOut.set(name, toFault(problems));
      // Servers that it defines are left out with it; servers that it only names are correct, and are served in other toolboxes.
      lost.push(...own.map((server) => withProblems(server, problems)));
    }
  }
  // A plain file: with all servers in one toolbox, opening it would cost more than showing everything at once.
  const isOneEach = members.length === 0 && isRecord && modeFacts[mode].opensServers && topLevel.length > 0;
  if (isOneEach) fillOneEach(fillings, topLevel, toLabel);
  const isClear = isOneEach || fillLeftover(fillings, topLevel, reading);
  const place = createPlacer(definitions, toLabel);
  const toolboxes = new Map(
    [...fillings].map(([key, { name, description, places, shapes }]) => {
      const placements = [...places.values()].flatMap((server) =>
        place(server).map((placement) => withShapes(placement, shapes?.get(server.name))),
      );
      return [key, { name, description, placements }];
    }),
  );
  for (const server of lost) place(server);
  const unsure = !isRecord || !isClear || leftOut.size > 0 || written.some((toolbox) => toolbox.unsure);
  return { toolboxes, leftOut, unsure };
}

function fillOneEach(
  fillings: Map<string, Filling>,
  topLevel: readonly NamedServer[],
  toLabel: (name: string) => string,
): void {
  for (const server of topLevel) {
    const name = toLabel(server.name);
    const description = 'entry' in server.content ? server.content.entry.description : '';
    fillings.set(name, { name, description, places: new Map([[server.name, server]]) });
  }
}

/** Whether every name still refers to one server. */
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

type Placer = (server: NamedServer) => Placement[];

function createPlacer(definitions: Definitions, toLabel: (name: string) => string): Placer {
  return ({ name, content }) => {
    const server = toLabel(name);
    if ('leftOut' in content) return [{ server, key: definitions.leave(content.leftOut), toolFilters: [] }];
    const { definition, filters, instances } = content.entry;
    if (instances === undefined) return [{ server, key: definitions.add(definition), ...filters }];
    const { argument, preset, path } = instances;
    return instances.each.map((each) => ({
      server: toLabel(`${name}/${each.name}`),
      key:
        'leftOut' in each.content ? definitions.leave(each.content.leftOut) : definitions.add(each.content.definition),
      ...filters,
      instance: {
        ...{ of: server, name: each.name, description: each.description, argument, path },
        preset: each.name === preset,
        usable: 'definition' in each.content && !each.content.definition.disabled,
      },
    }));
  };
}

/** What the toolbox says comes last, so that it wins. */
function withShapes(placement: Placement, more: readonly ToolShape[] | undefined): Placement {
  return more === undefined ? placement : { ...placement, shapes: [...(placement.shapes ?? []), ...more] };
}

function noteUndescribed(member: Member | undefined, toolbox: WrittenToolbox, { report }: Reading): void {
  const { name, description, places, problems } = toolbox;
  if (member === undefined || description !== '' || places.size === 0 || problems.length > 0) return;
  const message = `toolbox "${toPrintable(name, 80)}" has no "description"; a model chooses a toolbox by it`;
  report.note('WB1405', keyPlace(member), message, 'Say in one sentence what its tools are good for.');
}
