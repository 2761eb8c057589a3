/** Reads a server with `instances`: each is a server of its own, with the keys that it shares with the others. */
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, type Node, toMembers, valuePlace } from '../document/json-node.ts';
import type { Report } from '../document/report.ts';
import { toFault } from '../model/left-out.ts';
import { isServerName } from '../model/names.ts';
import { instanceShape, serverShape } from '../model/schema.ts';
import { isObjectMember } from './read.ts';
import { describeEntry, type InstanceEntry, readServer, type ServerEntry } from './read-server.ts';
import type { Reading } from './read-text.ts';
import { translateMembers } from './translate.ts';

const own = ['instances', 'instanceArgument', 'defaultInstance'] as const;
const defaultArgument = 'instance';

/** Undefined when the server cannot be used at all; the report then says why. */
export function readInstances(member: Member, instances: Member, outer: Reading): ServerEntry | undefined {
  const { report } = outer;
  const what = `server "${toPrintable(member.key, 80)}"`;
  if (!isObjectMember(instances, `"instances" of ${what}`, outer)) return undefined;
  const members = toMembers(member.node, member.path);
  const base = translateMembers(
    members.filter(({ key }) => !(own as readonly string[]).includes(key)),
    what,
    report,
  );
  const argument = readName(members, 'instanceArgument', outer) ?? defaultArgument;
  const preset = readName(members, 'defaultInstance', outer);
  // What the instances share is read once for each, and told once.
  const reading = { ...outer, report: tellOnce(report) };
  const all = toMembers(instances.node, instances.path);
  const read = all.map((instance) => ({ instance, entry: readInstance(member, instance, base, reading) }));
  if (all.length === 0) report.error('WB1405', valuePlace(instances), `"instances" of ${what} is empty`);
  if (preset !== undefined && !all.some(({ key }) => key === preset)) {
    const at = members.find(({ key }) => key === 'defaultInstance') ?? instances;
    report.error(
      'WB1405',
      valuePlace(at),
      `${what} has no instance "${toPrintable(preset, 80)}"`,
      'Name one of "instances".',
    );
  }
  const [first] = read.flatMap(({ entry }) => entry ?? []);
  if (first === undefined) return undefined;
  const each = read.map(({ instance, entry }) => toInstance(member, instance, entry, report));
  return {
    ...first,
    definition: { ...first.definition, name: member.key },
    instances: { argument, preset, path: instances.path, each },
  };
}

function readInstance(
  member: Member,
  instance: Member,
  base: readonly Member[],
  reading: Reading,
): ServerEntry | undefined {
  const { report } = reading;
  const what = `instance "${toPrintable(instance.key, 80)}" of server "${toPrintable(member.key, 80)}"`;
  if (!isObjectMember(instance, what, reading)) return undefined;
  if (!/^[\w.-]{1,64}$/.test(instance.key) || !isServerName(instance.key)) {
    const message = `the name of ${what} is not allowed: names are made of letters, digits, ".", "-" and "_", without "__"`;
    report.error('WB1406', keyPlace(instance), message);
  }
  const given = translateMembers(toMembers(instance.node, instance.path), what, report);
  for (const each of given) {
    if (Object.hasOwn(instanceShape.members, each.key) || !Object.hasOwn(serverShape.members, each.key)) continue;
    report.error(
      'WB1405',
      keyPlace(each),
      `"${each.key}" belongs to the server, not to ${what}`,
      `Move "${each.key}" out of "instances".`,
    );
  }
  const node = joinNodes(instance.node, base, given);
  return readServer(
    { key: `${member.key}/${instance.key}`, keyNode: instance.keyNode, node, path: instance.path },
    reading,
  );
}

/** An object with the members of both, as if it had been written; the places are those in the file. */
function joinNodes(at: Node, base: readonly Member[], given: readonly Member[]): Node {
  const joined = new Map(base.map((member) => [member.key, member]));
  for (const member of given) {
    const before = joined.get(member.key);
    const adds = (member.key === 'env' || member.key === 'headers') && before?.node.type === 'object';
    joined.set(
      member.key,
      adds && before !== undefined ? { ...member, node: addMembers(before.node, member.node) } : member,
    );
  }
  return { ...at, children: [...joined.values()].map(toProperty) };
}

function addMembers(before: Node, more: Node): Node {
  if (more.type !== 'object') return more;
  const names = new Set(toMembers(more, '').map(({ key }) => key.toLowerCase()));
  const kept = (before.children ?? []).filter(
    (property) => !names.has(String(property.children?.[0]?.value).toLowerCase()),
  );
  return { ...more, children: [...kept, ...(more.children ?? [])] };
}

function toProperty({ key, keyNode, node }: Member): Node {
  const { offset } = keyNode;
  return {
    type: 'property',
    offset,
    length: node.offset + node.length - offset,
    children: [{ ...keyNode, value: key }, node],
  };
}

/** A mistake in one instance costs that one. */
function toInstance(member: Member, instance: Member, entry: ServerEntry | undefined, report: Report): InstanceEntry {
  const problems = report.errorsIn(instance);
  const { key: name } = instance;
  if (entry !== undefined && problems.length === 0)
    return {
      name,
      description: entry.description,
      content: { definition: { ...entry.definition, instanceOf: member.key } },
    };
  const about = { ...describeEntry(member), ...describeEntry(instance) };
  return {
    name,
    description: '',
    content: { leftOut: { name: `${member.key}/${name}`, ...about, fault: toFault(problems) } },
  };
}

function readName(members: readonly Member[], key: string, { report }: Reading): string | undefined {
  const member = members.find((each) => each.key === key && each.node.type !== 'null');
  if (member === undefined) return undefined;
  const text = member.node.type === 'string' ? String(member.node.value) : '';
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(text)) return text;
  report.error('WB1405', valuePlace(member), `${member.path} must be a name of letters, digits, "_", "-" and "."`);
  return undefined;
}

function tellOnce(report: Report): Report {
  const told = new Map<string, ReturnType<Report['error']>>();
  const once =
    (severity: 'error' | 'note'): Report['error'] =>
    (code, place, message, fix) => {
      const id = [severity, code, place.offset, place.length].join(' ');
      const problem = told.get(id) ?? report[severity](code, place, message, fix);
      told.set(id, problem);
      return problem;
    };
  return { ...report, error: once('error'), note: once('note') };
}
