/** The members of a server entry with the keys of other clients turned into ours; each turn is noted. */
import { toPrintable } from '../base/printable.ts';
import { type ForeignKey, toReading, understoodKeys } from './foreign.ts';
import type { Report } from './report.ts';
import { keyPlace, type Member, type Node } from './tree.ts';

export function translateMembers(members: readonly Member[], what: string, report: Report): Member[] {
  const translated = new Map<string, Member>();
  for (const member of members) {
    for (const turned of translate(member, what, report)) {
      const earlier = translated.get(turned.key);
      const joined = earlier === undefined ? turned : join(earlier, turned);
      if (joined === undefined) reportClash(earlier ?? turned, turned, report);
      else translated.set(turned.key, joined);
    }
  }
  return [...translated.values()];
}

function translate(member: Member, what: string, report: Report): Member[] {
  if (member.node.type === 'null') return [];
  if ((member.key === 'command' || member.key === 'cmd') && member.node.type === 'array') {
    report.note('WB1402', keyPlace(member), `"${member.key}" of ${what} is a list; read as "command" and "args"`);
    return splitCommand(member);
  }
  const foreign = understoodKeys.get(member.key);
  if (foreign === undefined) return [member];
  const filters = foreign.how === 'keep' || foreign.how === 'leave out';
  if (filters && member.node.type !== 'array') {
    report.note('WB1402', keyPlace(member), `"${member.key}" of ${what} is no list of tools and is ignored`);
    return [];
  }
  report.note('WB1402', keyPlace(member), `"${member.key}" of ${what} was ${toReading(foreign)}`);
  return [{ ...member, key: foreign.as, node: convert(member.node, foreign) }];
}

/** opencode: one list for the command and its arguments. */
function splitCommand(member: Member): Member[] {
  const [command, ...args] = member.node.children ?? [];
  if (command === undefined) return [];
  const rest = { ...member, key: 'args', node: { ...member.node, children: args } };
  return [{ ...member, key: 'command', node: command }, ...(args.length === 0 ? [] : [rest])];
}

function convert(node: Node, { how }: ForeignKey): Node {
  if (how === 'not') return node.type === 'boolean' ? { ...node, value: !node.value } : node;
  if (how !== 'leave out') return node;
  const children = (node.children ?? []).map((child) =>
    child.type === 'string' ? { ...child, value: `!${child.value}` } : child,
  );
  return { ...node, children };
}

/** Lists of tools add up; the same said twice is fine; anything else is a contradiction. */
function join(earlier: Member, later: Member): Member | undefined {
  if (later.key === 'toolFilters' && earlier.node.type === 'array' && later.node.type === 'array') {
    const children = [...(earlier.node.children ?? []), ...(later.node.children ?? [])];
    return { ...earlier, node: { ...earlier.node, children } };
  }
  const scalar = earlier.node.type === later.node.type && earlier.node.children === undefined;
  return scalar && earlier.node.value === later.node.value ? earlier : undefined;
}

function reportClash(earlier: Member, later: Member, report: Report): void {
  const [first, second] = [earlier, later].map((member) => toPrintable(String(member.keyNode.value), 80));
  if (first === second) return; // The same key twice has been reported by its lines.
  report.error(
    'WB1405',
    keyPlace(later),
    `"${first}" and "${second}" contradict each other; both say "${later.key}"`,
    `Keep "${later.key}" only.`,
  );
}
