/** Reads one toolbox as it is written: the servers it defines, those it names, and the mistakes in both and in itself. */
import { nearestNames } from '../../base/text/nearest.ts';
import { toPrintable } from '../../base/text/printable.ts';
import {
  type FilePosition,
  joinPath,
  keyPlace,
  type Member,
  type Node,
  placeOf,
  toMembers,
} from '../document/json-node.ts';
import type { Problem } from '../document/problem.ts';
import { toFault } from '../model/left-out.ts';
import { isName, isServerName } from '../model/names.ts';
import { toolboxShape } from '../model/schema.ts';
import type { ToolShape } from '../model/tool-shape.ts';
import { isObjectMember, openObject } from './read.ts';
import { type NamedServer, readServers, reportName, withProblems } from './read-servers.ts';
import type { Reading } from './read-text.ts';
import { readToolShapes } from './read-tools.ts';

export interface WrittenToolbox {
  readonly name: string;
  readonly description: string;
  /** Servers that the toolbox defines. */
  readonly own: readonly NamedServer[];
  /** The servers of the toolbox, by their name in it. */
  readonly places: ReadonlyMap<string, NamedServer>;
  /** How tools are shown in this toolbox, by the name of their server. */
  readonly shapes: ReadonlyMap<string, readonly ToolShape[]>;
  /** Mistakes of the toolbox itself: it cannot be served. A mistake in a server, or in its name, costs only that place. */
  readonly problems: readonly Problem[];
  /** A name in the toolbox refers to no server, or to two. */
  readonly unsure: boolean;
}

export function readToolbox(member: Member, topLevel: readonly NamedServer[], reading: Reading): WrittenToolbox {
  const { report } = reading;
  const what = `toolbox "${toPrintable(member.key, 80)}"`;
  const name = member.key;
  if (!isName(name)) reportName({ kind: 'toolbox', name, place: keyPlace(member) }, reading);
  if (!isObjectMember(member, what, reading)) {
    const problems = report.errorsIn(member);
    return { name, description: '', own: [], places: new Map(), shapes: new Map(), problems, unsure: true };
  }
  const fields = openObject(toolboxShape, member.node, member.path, reading, { what });
  const description = fields.read('description');
  const [ownMember, list] = [fields.member('mcpServers'), fields.member('servers')];
  const own = readServers(ownMember, reading, { flatNames: false });
  const places = new Map(own.map((server) => [server.name, server]));
  const nodes = (list?.node.children ?? []).filter((node) => node.type === 'string');
  for (const [index, wanted] of (fields.read('servers') ?? []).entries()) {
    const node = nodes[index] ?? member.node;
    const ref = { wanted, written: String(node.value), at: placeOf(node, joinPath(list?.path ?? member.path, index)) };
    placeNamed(places, ref, { name, what, topLevel }, reading);
  }
  const shapes = readShapes(fields.member('tools'), { places, what }, reading);
  if (list === undefined && ownMember === undefined && fields.misspelt.size === 0)
    report.note('WB1405', keyPlace(member), `${what} has no servers`, 'Give it "mcpServers" or "servers".');
  const all = report.errorsIn(member);
  const ofNames = all.filter(isInside(list?.node));
  const problems = all.filter((problem) => !ofNames.includes(problem) && !isInside(ownMember?.node)(problem));
  return { name, description, own, places, shapes, problems, unsure: ofNames.length > 0 };
}

/** `tools` of a toolbox: for each server what `tools` of a server is. */
function readShapes(
  member: Member | undefined,
  { places, what }: { readonly places: ReadonlyMap<string, NamedServer>; readonly what: string },
  reading: Reading,
): Map<string, readonly ToolShape[]> {
  const shapes = new Map<string, readonly ToolShape[]>();
  if (member === undefined || !isObjectMember(member, `"tools" of ${what}`, reading)) return shapes;
  for (const server of toMembers(member.node, member.path)) {
    const wanted = server.key;
    const topLevel = [...places.values()];
    if (places.has(wanted)) shapes.set(wanted, readToolShapes(server, `server "${toPrintable(wanted, 80)}"`, reading));
    else
      reportUnknownServer(
        { wanted, written: wanted, at: keyPlace(server) },
        { what, topLevel },
        reading,
        'which it does not contain',
      );
  }
  return shapes;
}

/** Reads one entry of `servers`: a name of the top level. */
interface NameInList {
  readonly wanted: string;
  /** Only the written text is shown: the name may come from a variable. */
  readonly written: string;
  readonly at: FilePosition;
}

function placeNamed(
  places: Map<string, NamedServer>,
  { wanted, written, at }: NameInList,
  toolbox: { readonly name: string; readonly what: string; readonly topLevel: readonly NamedServer[] },
  reading: Reading,
): void {
  const server = toolbox.topLevel.find((candidate) => candidate.name === wanted);
  if (server === undefined) {
    const fault = toFault([reportUnknownServer({ wanted, written, at }, toolbox, reading)]);
    if (!places.has(written))
      places.set(written, { name: written, place: at, content: { leftOut: { ...nothing, name: written, fault } } });
    return;
  }
  placeServer(places, server, { toolbox: toolbox.name, at }, reading);
  if (isServerName(wanted)) return;
  const problem = reportName({ kind: 'server', name: wanted, place: at }, reading);
  places.set(wanted, withProblems(server, [problem]));
}

const nothing = { transport: 'stdio', shown: '' } as const;

/** A name refers to one server in a toolbox: with two, a call could reach the wrong one. */
export function placeServer(
  places: Map<string, NamedServer>,
  server: NamedServer,
  { toolbox, at }: { readonly toolbox: string; readonly at: FilePosition },
  { report }: Reading,
): Problem | undefined {
  const other = places.get(server.name);
  if (other === undefined) {
    places.set(server.name, server);
    return undefined;
  }
  const message = `the toolbox "${toPrintable(toolbox, 80)}" has two servers called "${toPrintable(server.name, 80)}"`;
  const problem = report.error('WB1405', at, message, 'Remove or rename one of them.');
  if (other !== server) places.set(server.name, withProblems(other, [problem]));
  return problem;
}

function isInside(node: Node | undefined): (problem: Problem) => boolean {
  return ({ offset }) => node !== undefined && offset > node.offset && offset < node.offset + node.length;
}

function reportUnknownServer(
  { wanted, written, at }: NameInList,
  { what, topLevel }: { readonly what: string; readonly topLevel: readonly NamedServer[] },
  { report }: Reading,
  why = 'which is not in "mcpServers"',
): Problem {
  const names = topLevel.map((server) => server.name);
  const [near] = wanted === written ? nearestNames(wanted, names, 1) : [];
  const hint = near === undefined ? '' : ` – did you mean "${toPrintable(near, 80)}"?`;
  const message = `${what} names the server "${toPrintable(written, 80)}", ${why}${hint}`;
  return report.error('WB1408', at, message, near === undefined ? undefined : `Write "${toPrintable(near, 80)}".`);
}
