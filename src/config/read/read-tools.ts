/** Reads `tools` of a server or a toolbox: how its tools are shown. */
import { defined } from '../../base/json/defined.ts';
import type { Json, JsonObject } from '../../base/json/json.ts';
import { withoutHiddenInName } from '../../base/text/hidden.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, type Node, toMembers, valuePlace } from '../document/json-node.ts';
import { argumentShape, toolShape } from '../model/schema-tools.ts';
import { type ArgumentRule, type ArgumentShape, isPattern, type ToolShape } from '../model/tool-shape.ts';
import { looksSecret } from '../secrets/secret-name.ts';
import { findSecretValues } from '../secrets/secret-value.ts';
import { showSecret } from '../secrets/shown.ts';
import { approvalsByTool } from './foreign.ts';
import { isObjectMember, openObject, readJson } from './read.ts';
import type { Reading } from './read-text.ts';

/** Patterns first, because an exact name wins over them. */
export function readToolShapes(member: Member, what: string, reading: Reading): ToolShape[] {
  if (!isObjectMember(member, `"tools" of ${what}`, reading)) return [];
  const shapes: ToolShape[] = [];
  const members = new Map<ToolShape, Member>();
  for (const each of toMembers(member.node, member.path)) {
    const shape = readTool(each, reading);
    if (shape === undefined) continue;
    shapes.push(shape);
    members.set(shape, each);
  }
  reportClashes(shapes, members, reading);
  return [...shapes.filter(isPattern), ...shapes.filter((shape) => !isPattern(shape))];
}

/** Keys of FastMCP, which has the same key for the same purpose. */
const ignoredOfTools: ReadonlyMap<string, string> = new Map([
  ['tags', 'Not needed here.'],
  ['meta', 'Members of "_meta" stay as the server has them.'],
]);
const ignoredOfArguments: ReadonlyMap<string, string> = new Map([
  ['name', 'An argument keeps its name.'],
  ['type', 'The schema of the server holds.'],
  ['required', 'The schema of the server holds; a "default" makes an argument optional.'],
  ['examples', 'Write them into "description".'],
]);

function readTool(member: Member, reading: Reading): ToolShape | undefined {
  const { report } = reading;
  const what = `tool "${toPrintable(member.key, 80)}"`;
  if (!isObjectMember(member, what, reading)) return undefined;
  const inner = toMembers(member.node, member.path);
  const members = inner.flatMap((each) => translateTool(each, what, reading));
  const fields = openObject(toolShape, member.node, member.path, reading, { what, members, ignored: ignoredOfTools });
  const [name, aliases] = [fields.read('name'), fields.read('aliases')];
  for (const key of ['name', 'aliases'] as const)
    if (fields.member(key) !== undefined && isPattern({ match: member.key }))
      report.error(
        'WB1405',
        fields.at(key),
        `"${key}" cannot be given for the pattern "${toPrintable(member.key, 80)}"`,
        'Name the tool itself.',
      );
  for (const given of [...(name === undefined ? [] : [name]), ...(aliases ?? [])]) {
    if (isToolName(given)) continue;
    const message = `${member.path} has a name for a tool that is empty, longer than ${maxNameLength} characters, or has characters that cannot be seen`;
    report.error(
      'WB1405',
      fields.at(name === given ? 'name' : 'aliases'),
      message,
      'Use letters, digits, "_", "-" and ".".',
    );
  }
  const args = fields.member('arguments');
  return {
    match: member.key,
    path: member.path,
    ...defined({
      hidden: fields.read('hidden'),
      name,
      title: fields.read('title'),
      description: fields.read('description'),
      aliases,
      annotations: readAnnotations(fields.member('annotations'), reading),
      arguments: args === undefined ? undefined : readArguments(args, what, reading),
    }),
  };
}

const maxNameLength = 128;

function isToolName(name: string): boolean {
  return name !== '' && name.length <= maxNameLength && withoutHiddenInName(name) === name;
}

function translateTool(member: Member, what: string, { report }: Reading): Member[] {
  if (member.key === approvalsByTool.inner) {
    const message = `"${member.key}" of ${what} restricts the tool in another client, but not here`;
    report.note('WB1412', keyPlace(member), message, approvalsByTool.reason);
    return [];
  }
  if (member.key !== 'enabled' || member.node.type !== 'boolean') return [member];
  report.note('WB1402', keyPlace(member), `"enabled" of ${what} was read as the opposite of "hidden"`);
  return [{ ...member, key: 'hidden', node: { ...member.node, value: !member.node.value } }];
}

const hints = new Set(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);

function readAnnotations(member: Member | undefined, reading: Reading): JsonObject | undefined {
  if (member === undefined || !isObjectMember(member, member.path, reading)) return undefined;
  for (const each of toMembers(member.node, member.path)) {
    const wanted = hints.has(each.key) ? 'boolean' : each.key === 'title' ? 'string' : each.node.type;
    if (each.node.type !== wanted)
      reading.report.error(
        'WB1405',
        valuePlace(each),
        `${each.path} must be ${wanted === 'boolean' ? 'true or false' : 'a string'}`,
      );
  }
  return readJson(member.node, member.path, reading) as JsonObject;
}

function readArguments(member: Member, what: string, reading: Reading): ArgumentShape[] {
  if (!isObjectMember(member, `"arguments" of ${what}`, reading)) return [];
  return toMembers(member.node, member.path).flatMap((each) => {
    const shape = readArgument(each, reading);
    return shape === undefined ? [] : [shape];
  });
}

function readArgument(member: Member, reading: Reading): ArgumentShape | undefined {
  const what = `argument "${toPrintable(member.key, 80)}"`;
  if (!isObjectMember(member, what, reading)) return undefined;
  const members = translateArgument(toMembers(member.node, member.path), what, reading);
  const fields = openObject(argumentShape, member.node, member.path, reading, {
    what,
    members,
    ignored: ignoredOfArguments,
  });
  const hidden = fields.read('hidden');
  // Null is a value here.
  const [value, preset] = ['value', 'default'].map((key) => members.find((each) => each.key === key));
  const stated = [value, preset, hidden === true ? fields.member('hidden') : undefined].filter(
    (each) => each !== undefined,
  );
  const [, second] = stated;
  if (second !== undefined)
    reading.report.error(
      'WB1405',
      keyPlace(second),
      `${what} has more than one of "value", "default" and "hidden": true`,
      'Keep one of them.',
    );
  const rule: ArgumentRule | undefined =
    value !== undefined
      ? { kind: 'fixed', ...readGiven(member.key, value, reading) }
      : preset !== undefined
        ? { kind: 'default', ...readGiven(member.key, preset, reading) }
        : hidden === undefined
          ? undefined
          : { kind: hidden ? 'hidden' : 'shown' };
  return { name: member.key, path: member.path, ...defined({ description: fields.read('description'), rule }) };
}

/** FastMCP: `hide` with a `default` fixes an argument. */
function translateArgument(members: readonly Member[], what: string, { report }: Reading): readonly Member[] {
  const hide = members.find(({ key, node }) => key === 'hide' && node.type === 'boolean');
  if (hide === undefined) return members;
  const others = members.filter((each) => each !== hide);
  if (hide.node.value === false) return others;
  const isFixed = others.some(({ key }) => key === 'default');
  const as = isFixed ? '"default" was read as "value"' : 'read as "hidden"';
  report.note('WB1402', keyPlace(hide), `"hide" of ${what}: ${as}`);
  if (!isFixed) return [...others, { ...hide, key: 'hidden' }];
  return others.map((each) => (each.key === 'default' ? { ...each, key: 'value' } : each));
}

interface Given {
  readonly value: Json;
  readonly shown: string;
  readonly secret: boolean;
}

function readGiven(name: string, { node, path }: Member, reading: Reading): Given {
  const value = readJson(node, path, reading);
  const written = JSON.stringify(toWritten(node));
  const text = JSON.stringify(value);
  const isTelling = looksSecret(name) && /"/.test(text);
  if (isTelling) learnTexts(name, value, reading);
  const secret = isTelling || written !== text || findSecretValues(text).length > 0;
  return { value, secret, shown: secret ? showSecret(written) : toPrintable(written, 200) };
}

function toWritten(node: Node): Json {
  if (node.type === 'array') return (node.children ?? []).map(toWritten);
  if (node.type !== 'object') return node.value as Json;
  return Object.fromEntries(toMembers(node, '').map((member) => [member.key, toWritten(member.node)]));
}

/** Every text in a value under a name such as `token`. */
function learnTexts(name: string, value: Json, { secrets }: Reading): void {
  if (typeof value === 'string') secrets.learn(name, value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) learnTexts(name, part, { secrets } as Reading);
}

/** Two tools under one name, as far as the file alone shows it. */
function reportClashes(
  shapes: readonly ToolShape[],
  members: ReadonlyMap<ToolShape, Member>,
  { report }: Reading,
): void {
  const owners = new Map<string, ToolShape>();
  const exact = shapes.filter((shape) => !isPattern(shape) && shape.hidden !== true);
  for (const shape of exact) if (shape.name === undefined) owners.set(shape.match, shape);
  for (const shape of exact) {
    const names = [...(shape.name === undefined ? [] : [shape.name]), ...(shape.aliases ?? [])];
    for (const name of names) {
      const owner = owners.get(name);
      const member = members.get(shape);
      if (owner === undefined) owners.set(name, shape);
      else if (owner !== shape && member !== undefined)
        report.error(
          'WB1405',
          keyPlace(member),
          `${shape.path} and ${owner.path} give two tools the name "${toPrintable(name, 80)}"`,
          'Choose another name for one of them.',
        );
    }
  }
}
