/** The toolboxes of a file: their own servers, those they name, and one for the servers that none of them names. */
import { nearestNames } from '../base/nearest.ts';
import { toPrintable } from '../base/printable.ts';
import type { Mode, Placement, ToolboxDefinition } from './config.ts';
import type { Definitions } from './definitions.ts';
import { isName, isServerName } from './names.ts';
import { openObject, toKind } from './read.ts';
import { type NamedServer, readServers, reportName } from './read-servers.ts';
import type { Reading } from './read-text.ts';
import { toolboxShape } from './schema.ts';
import { joinPath, keyPlace, type Member, type Place, placeOf, toMembers, valuePlace } from './tree.ts';

const leftoverName = 'default';

/** A toolbox while it is filled. */
interface Filling {
  readonly name: string;
  readonly description: string;
  readonly placements: Map<string, Placement>;
}

export interface ToolboxesOptions {
  /** `toolboxes` of the file. */
  readonly member: Member | undefined;
  readonly topLevel: readonly NamedServer[];
  readonly definitions: Definitions;
  readonly mode: Mode;
  /** What a server is called in a toolbox, by its name. */
  readonly labels: ReadonlyMap<string, string>;
}

export function readToolboxes(options: ToolboxesOptions, reading: Reading): ReadonlyMap<string, ToolboxDefinition> {
  const { member, topLevel, mode } = options;
  const toLabel = (name: string) => options.labels.get(name) ?? name;
  const place = createPlacer(options.definitions, toLabel, reading);
  const toolboxes = new Map<string, Filling>();
  const named = new Set<string>();
  if (member !== undefined && member.node.type !== 'object')
    reading.report.error('WB1405', valuePlace(member), `toolboxes must be an object, not ${toKind(member.node)}`);
  for (const toolbox of member === undefined ? [] : toMembers(member.node, member.path)) {
    const filling = readToolbox(toolbox, topLevel, named, place, reading);
    if (filling?.description === '' && filling.placements.size > 0 && mode !== 'flat')
      noteUndescribed(toolbox, reading);
    if (filling !== undefined) toolboxes.set(toolbox.key, filling);
  }
  const leftover = topLevel.filter(({ name }) => !named.has(name));
  if (toolboxes.size === 0 && mode === 'meta' && leftover.length > 0) {
    // A plain file: with all servers in one toolbox, opening it would cost more than showing everything at once.
    for (const server of leftover) {
      const name = toLabel(server.name);
      const filling = { name, description: server.entry?.description ?? '', placements: new Map() };
      if (server.entry !== undefined) toolboxes.set(name, filling);
      place(filling, server, server.place);
    }
  } else if (leftover.length > 0 || toolboxes.size === 0) {
    const description = toolboxes.size === 0 ? 'All configured servers' : 'Servers outside any toolbox';
    const filling = toolboxes.get(leftoverName) ?? { name: leftoverName, description, placements: new Map() };
    toolboxes.set(leftoverName, filling);
    for (const server of leftover) place(filling, server, server.place);
  }
  return new Map(
    [...toolboxes].map(([name, { description, placements }]) => [
      name,
      { name, description, placements: [...placements.values()] },
    ]),
  );
}

type Placer = (toolbox: Filling, server: NamedServer, at: Place) => void;

/** A name stands for one server in a toolbox: a second one under it could never be reached. */
function createPlacer(definitions: Definitions, toLabel: (name: string) => string, { report }: Reading): Placer {
  return ({ name, placements }, server, at) => {
    if (server.entry === undefined) return;
    const label = toLabel(server.name);
    if (placements.has(label)) {
      const message = `the toolbox "${toPrintable(name, 80)}" has two servers called "${toPrintable(server.name, 80)}"`;
      report.error('WB1405', at, message, 'Remove or rename one of them.');
      return;
    }
    const { definition, filters } = server.entry;
    placements.set(label, { server: label, key: definitions.add(definition), ...filters });
  };
}

function readToolbox(
  member: Member,
  topLevel: readonly NamedServer[],
  named: Set<string>,
  place: Placer,
  reading: Reading,
): Filling | undefined {
  const { report } = reading;
  const what = `toolbox "${toPrintable(member.key, 80)}"`;
  if (!isName(member.key)) reportName({ kind: 'toolbox', name: member.key, place: keyPlace(member) }, reading);
  if (member.node.type !== 'object') {
    report.error('WB1405', valuePlace(member), `${what} must be an object, not ${toKind(member.node)}`);
    return undefined;
  }
  const fields = openObject(toolboxShape, member.node, member.path, reading, { what });
  const filling: Filling = { name: member.key, description: fields.read('description'), placements: new Map() };
  for (const server of readServers(fields.member('mcpServers'), reading, { flatNames: false }))
    place(filling, server, server.place);
  const list = fields.member('servers');
  const nodes = (list?.node.children ?? []).filter((node) => node.type === 'string');
  for (const [index, name] of (fields.read('servers') ?? []).entries()) {
    const at = placeOf(nodes[index] ?? member.node, joinPath(list?.path ?? member.path, index));
    const server = topLevel.find((candidate) => candidate.name === name);
    if (server === undefined) reportUnknownServer(name, nodes[index]?.value, at, { what, topLevel }, reading);
    else {
      if (!isServerName(name)) reportName({ kind: 'server', name, place: at }, reading);
      named.add(name);
      place(filling, server, at);
    }
  }
  if (list === undefined && fields.member('mcpServers') === undefined && fields.misspelt.size === 0)
    report.note('WB1405', keyPlace(member), `${what} has no servers`, 'Give it "mcpServers" or "servers".');
  return filling;
}

function noteUndescribed(toolbox: Member, { report }: Reading): void {
  const message = `toolbox "${toPrintable(toolbox.key, 80)}" has no "description"; a model chooses a toolbox by it`;
  report.note('WB1405', keyPlace(toolbox), message, 'Say in one sentence what its tools are good for.');
}

function reportUnknownServer(
  name: string,
  written: unknown,
  at: Place,
  { what, topLevel }: { readonly what: string; readonly topLevel: readonly NamedServer[] },
  { report }: Reading,
): void {
  const names = topLevel.map((server) => server.name);
  // Only what is written is shown: the name may have come from a variable.
  const [near] = name === written ? nearestNames(name, names, 1) : [];
  const hint = near === undefined ? '' : ` – did you mean "${toPrintable(near, 80)}"?`;
  const message = `${what} names the server "${toPrintable(String(written), 80)}", which is not in "mcpServers"${hint}`;
  report.error('WB1408', at, message, near === undefined ? undefined : `Write "${toPrintable(near, 80)}".`);
}
