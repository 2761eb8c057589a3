/** Reads a record of servers, with the rule for their names. */
import { toPrintable } from '../../base/text/printable.ts';
import { type FilePosition, keyPlace, type Member, toMembers, valuePlace } from '../document/json-node.ts';
import type { Problem } from '../document/problem.ts';
import { type LeftOutServer, toFault } from '../model/left-out.ts';
import { isFlatName, isServerName, suggestName } from '../model/names.ts';
import { toKind } from './read.ts';
import { readInstances } from './read-instances.ts';
import { describeEntry, readServer, type ServerEntry } from './read-server.ts';
import type { Reading } from './read-text.ts';

/** A server of the file: its definition, or why it is left out. */
export interface NamedServer {
  readonly name: string;
  readonly place: FilePosition;
  readonly content: { readonly entry: ServerEntry } | { readonly leftOut: Omit<LeftOutServer, 'key'> };
}

export function readServers(
  member: Member | undefined,
  reading: Reading,
  options: { readonly flatNames: boolean },
): NamedServer[] {
  if (member === undefined) return [];
  if (member.node.type !== 'object') {
    const message = `${member.path} must be an object of servers, not ${toKind(member.node)}`;
    reading.report.error('WB1405', valuePlace(member), message, 'Write the name of each server as a key.');
    return [];
  }
  const { report } = reading;
  // When a key has two records, it is not clear which one is meant.
  const ofAll = report.errorsIn(member).filter(({ path }) => path === member.path);
  const named = new Map<string, NamedServer>();
  for (const server of toMembers(member.node, member.path)) {
    const place = keyPlace(server);
    if (options.flatNames && !isFlatName(server.key)) {
      const message = `the name "${toPrintable(server.key, 80)}" of a server is empty or has control characters`;
      report.error('WB1406', place, message, `Call it "${suggestName(server.key, 'server')}".`);
    } else if (!options.flatNames && !isServerName(server.key))
      reportName({ kind: 'server', name: server.key, place }, reading);
    const instances = findInstances(server);
    const entry = instances === undefined ? readServer(server, reading) : readInstances(server, instances, reading);
    const problems = [...ofAll, ...report.errorsIn(server)].filter(
      (problem) => entry === undefined || !isOfInstance(problem, instances, entry),
    );
    const other = named.get(server.key);
    // Two servers of one name are reported at the second one; both are wrong.
    if (other !== undefined) named.set(server.key, withProblems(other, problems));
    else named.set(server.key, { name: server.key, place, content: toContent(server, entry, problems) });
  }
  return [...named.values()];
}

function findInstances({ node, path }: Member): Member | undefined {
  return toMembers(node, path).find(({ key, node: value }) => key === 'instances' && value.type !== 'null');
}

/** A mistake inside one instance costs that one only. */
function isOfInstance(problem: Problem, instances: Member | undefined, { instances: read }: ServerEntry): boolean {
  const hasOthers = read?.each.some(({ content }) => 'definition' in content) === true;
  if (instances === undefined || !hasOthers) return false;
  return toMembers(instances.node, instances.path).some(
    ({ keyNode, node }) => problem.offset >= keyNode.offset && problem.offset < node.offset + node.length,
  );
}

function toContent(
  member: Member,
  entry: ServerEntry | undefined,
  problems: readonly Problem[],
): NamedServer['content'] {
  if (entry !== undefined && problems.length === 0) return { entry };
  return { leftOut: { name: member.key, ...describeEntry(member), fault: toFault(problems) } };
}

/** The same server, left out for these problems, listed after its own. */
export function withProblems(server: NamedServer, problems: readonly Problem[]): NamedServer {
  const { name, place, content } = server;
  const earlier = 'leftOut' in content ? content.leftOut.fault.problems : [];
  const about = 'leftOut' in content ? content.leftOut : toLeftOut(content.entry);
  return { name, place, content: { leftOut: { ...about, fault: toFault([...earlier, ...problems]) } } };
}

function toLeftOut({ definition: { name, transport, shown } }: ServerEntry): Omit<LeftOutServer, 'key' | 'fault'> {
  return { name, transport: transport.kind, shown };
}

export function reportName(
  { kind, name, place }: { readonly kind: 'server' | 'toolbox'; readonly name: string; readonly place: FilePosition },
  { report }: Reading,
): Problem {
  const why = name === '' ? 'is empty' : name.includes('__') ? 'contains "__"' : 'has other characters';
  const rule =
    kind === 'toolbox'
      ? 'names are made of letters, digits, "-" and "_", without "__"'
      : 'names are not empty, without "__" and without control characters';
  const message = `the name "${toPrintable(name, 80)}" of a ${kind} is not allowed: ${rule}; this one ${why}`;
  return report.error('WB1406', place, message, `Call it "${suggestName(name, kind)}".`);
}
