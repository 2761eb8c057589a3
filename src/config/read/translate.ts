/** Turns the keys of other clients in a server entry into ours; each translation is noted. */
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, type Node, toMembers, valuePlace } from '../document/json-node.ts';
import type { Report } from '../document/report.ts';
import { approvalsByTool, type ForeignKey, toolsAsList, toReading, understoodKeys, unheldKeys } from './foreign.ts';

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
  if (member.key === 'timeout' && member.node.type === 'object') {
    report.note('WB1402', keyPlace(member), `"timeout" of ${what} was read as "startTimeoutMs" and "timeoutMs"`);
    return splitTimeout(member);
  }
  const unheld = findUnheld(member);
  if (unheld !== undefined) {
    report.note(
      'WB1412',
      keyPlace(member),
      `"${member.key}" of ${what} restricts the server in another client, but not here`,
      unheld,
    );
    return [];
  }
  const isList = member.key === 'tools' && member.node.type === 'array';
  const foreign = isList ? toolsAsList : understoodKeys.get(member.key);
  if (foreign === undefined) return [member];
  const misfit = findMisfit(member, foreign);
  if (misfit !== undefined) {
    // Without it the server would show tools that a person wanted hidden, or start without what it needs.
    const message = `"${member.key}" of ${what} must be ${misfit}`;
    report.error('WB1405', valuePlace(member), message, `Correct it, or use "${foreign.as}".`);
    return [];
  }
  report.note('WB1402', keyPlace(member), `"${member.key}" of ${what} was ${toReading(foreign)}`);
  if (foreign.how === 'keep some' && member.node.children?.length === 0) return [];
  return [{ ...member, key: foreign.as, node: convert(member.node, foreign) }];
}

function findUnheld(member: Member): string | undefined {
  const { key, node } = member;
  if (node.type === 'boolean' && node.value === false) return undefined;
  if (key === approvalsByTool.key && node.type === 'object' && !isOurs(member)) return approvalsByTool.reason;
  return unheldKeys.get(key);
}

/** `tools` is an object here and in Codex, which keeps nothing in it but approvals. */
function isOurs({ key, node }: Member): boolean {
  if (key !== approvalsByTool.key || node.type !== 'object') return false;
  const inner = toMembers(node, '').flatMap((tool) =>
    tool.node.type === 'object' ? toMembers(tool.node, '') : [tool],
  );
  return inner.length === 0 || inner.some((each) => each.key !== approvalsByTool.inner);
}

/** What the value should have been, when it cannot be read. */
function findMisfit({ node }: Member, { how }: ForeignKey): string | undefined {
  const children = node.children ?? [];
  switch (how) {
    case 'keep':
    case 'keep some':
    case 'leave out':
      return node.type === 'array' ? undefined : 'a list of tools';
    case 'variables':
      return node.type === 'array' && children.every((child) => findVariableName(child) !== undefined)
        ? undefined
        : 'a list of names of variables';
    case 'variable headers':
      return node.type === 'object' && toMembers(node, '').every((each) => findVariableName(each.node) !== undefined)
        ? undefined
        : 'an object of headers and names of variables';
    case 'bearer':
      return findVariableName(node) === undefined ? 'the name of a variable' : undefined;
    default:
      return undefined;
  }
}

/** A name, or Codex's `{"name": …}`. */
function findVariableName(node: Node): string | undefined {
  const named = node.type === 'object' ? toMembers(node, '').find(({ key }) => key === 'name')?.node : node;
  const name = named?.type === 'string' ? String(named.value) : '';
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : undefined;
}

/** opencode: one list for the command and its arguments. */
function splitCommand(member: Member): Member[] {
  const [command, ...args] = member.node.children ?? [];
  if (command === undefined) return [];
  const rest = { ...member, key: 'args', node: { ...member.node, children: args } };
  return [{ ...member, key: 'command', node: command }, ...(args.length === 0 ? [] : [rest])];
}

/** opencode: both in milliseconds. */
function splitTimeout(member: Member): Member[] {
  const ours = new Map([
    ['startup', 'startTimeoutMs'],
    ['request', 'timeoutMs'],
  ]);
  return toMembers(member.node, member.path).flatMap((inner) => {
    const key = ours.get(inner.key);
    return key === undefined ? [] : [{ ...inner, key }];
  });
}

function convert(node: Node, { how }: ForeignKey): Node {
  const children = node.children ?? [];
  switch (how) {
    case 'not':
      return node.type === 'boolean' ? { ...node, value: !node.value } : node;
    case 'seconds':
      return node.type === 'number' ? { ...node, value: Math.round(node.value * 1_000) } : node;
    case 'leave out':
      return {
        ...node,
        children: children.map((child) => (child.type === 'string' ? { ...child, value: `!${child.value}` } : child)),
      };
    case 'variables':
      return toRecord(
        node,
        children.map((child) => [findVariableName(child) ?? '', child, '']),
      );
    case 'variable headers':
      return toRecord(
        node,
        toMembers(node, '').map((member) => [member.key, member.node, '']),
      );
    case 'bearer':
      return toRecord(node, [['Authorization', node, 'Bearer ']]);
    default:
      return node;
  }
}

/** Builds an object as if it had been written: each value is the variable that `from` names, at its place. */
function toRecord(node: Node, entries: readonly (readonly [key: string, from: Node, before: string])[]): Node {
  const { offset, length } = node;
  const children = entries.map(([key, from, before]): Node => {
    const at = { offset: from.offset, length: from.length };
    const value = `${before}\${${findVariableName(from) ?? ''}}`;
    return {
      type: 'property',
      ...at,
      children: [
        { type: 'string', ...at, value: key },
        { type: 'string', ...at, value },
      ],
    };
  });
  return { type: 'object', offset, length, children };
}

/** Lists of tools and records add up; equal values are fine; anything else is a contradiction. */
function join(earlier: Member, later: Member): Member | undefined {
  const both = (type: Node['type']) => earlier.node.type === type && later.node.type === type;
  const children = () => [...(earlier.node.children ?? []), ...(later.node.children ?? [])];
  if (later.key === 'toolFilters' && both('array'))
    return { ...earlier, node: { ...earlier.node, children: children() } };
  if ((later.key === 'env' || later.key === 'headers') && both('object')) {
    const keys = children().map((property) => String(property.children?.[0]?.value).toLowerCase());
    return new Set(keys).size === keys.length
      ? { ...earlier, node: { ...earlier.node, children: children() } }
      : undefined;
  }
  const scalar = earlier.node.type === later.node.type && earlier.node.children === undefined;
  return scalar && earlier.node.value === later.node.value ? earlier : undefined;
}

function reportClash(earlier: Member, later: Member, report: Report): void {
  const [first, second] = [earlier, later].map((member) => toPrintable(String(member.keyNode.value), 80));
  if (first === second) return; // A key that is given twice has been reported already.
  report.error(
    'WB1405',
    keyPlace(later),
    `"${first}" and "${second}" contradict each other; both say "${later.key}"`,
    `Keep "${later.key}" only.`,
  );
}
