/** Reads nodes into values, as the shapes say. A value that does not fit is reported with its place, and reading goes on. */
import type { Json } from '../../base/json/json.ts';
import { editDistance, nearestNames } from '../../base/text/nearest.ts';
import { toPrintable } from '../../base/text/printable.ts';
import {
  type FilePosition,
  joinPath,
  keyPlace,
  type Member,
  type Node,
  placeOf,
  toMembers,
  valuePlace,
} from '../document/json-node.ts';
import { type Members, type ObjectShape, type Shape, type TypeOf, toPhrase } from '../model/schema-dsl.ts';
import { type Reading, readTextNode } from './read-text.ts';

/** An object of the file whose keys have been checked, to be read key by key. */
export interface Fields<M extends Members> {
  member(key: keyof M & string): Member | undefined;
  /** The place of the value of a key; the object itself when the key is missing. */
  at(key: keyof M & string): FilePosition;
  /** Known keys that misspelt keys seem to mean: their absence need not be reported too. */
  readonly misspelt: ReadonlySet<string>;
  /** The value, or the default of the schema. Read each key once, because reading reports. */
  read<K extends keyof M & string>(key: K, reading?: Reading): TypeOf<M[K], 'map'> | M[K]['default'];
}

export interface ObjectOptions {
  /** Describes the object in messages: `server "files"`. */
  readonly what: string;
  /** Replaces the members of the node, when they have been translated. */
  readonly members?: readonly Member[];
  /** Foreign keys and the key of ours that they mean, for "did you mean". */
  readonly aliases?: ReadonlyMap<string, { readonly as: string }>;
  /** Foreign keys that do not matter, with the reason. */
  readonly ignored?: ReadonlyMap<string, string>;
}

export function openObject<M extends Members>(
  shape: ObjectShape<M>,
  node: Node,
  path: string,
  reading: Reading,
  options: ObjectOptions,
): Fields<M> {
  const known = new Map<string, Member>();
  const misspelt = new Set<string>();
  for (const member of options.members ?? toMembers(node, path)) {
    // Some programs write null for "not given".
    if (Object.hasOwn(shape.members, member.key)) {
      if (member.node.type !== 'null') known.set(member.key, member);
    } else if (!/^(x-|_|\/\/|\$)/.test(member.key)) {
      const meant = reportUnknownKey(member, shape, reading, options);
      if (meant !== undefined) misspelt.add(meant);
    }
  }
  return {
    member: (key) => known.get(key),
    at: (key) => {
      const member = known.get(key);
      return member === undefined ? placeOf(node, path) : valuePlace(member);
    },
    misspelt,
    read(key, own = reading) {
      const member = known.get(key);
      const field = shape.members[key] as M[typeof key];
      const value = member === undefined ? undefined : readValue(field, member.node, member.path, own);
      return (value ?? field.default) as ReturnType<Fields<M>['read']> as never;
    },
  };
}

/** The key that was probably meant, if any: then the unknown key is an error, otherwise it is ignored. */
function reportUnknownKey(
  member: Member,
  shape: ObjectShape,
  { report }: Reading,
  { what, aliases, ignored }: ObjectOptions,
): string | undefined {
  const name = toPrintable(member.key, 80);
  const reason = ignored?.get(member.key);
  if (reason !== undefined) {
    report.note('WB1402', keyPlace(member), `the key "${name}" in ${what} is ignored`, reason);
    return undefined;
  }
  const close = findClose(member.key, [...Object.keys(shape.members), ...(aliases?.keys() ?? [])]);
  if (close === undefined) {
    report.note('WB1402', keyPlace(member), `the key "${name}" in ${what} is not known and is ignored`);
    return undefined;
  }
  const meant = aliases?.get(close)?.as ?? close;
  const message = `unknown key "${name}" in ${what} – did you mean "${meant}"?`;
  report.error('WB1401', keyPlace(member), message, `Write "${meant}" instead of "${name}".`);
  return meant;
}

/** Two slips make a typing mistake, but only one in a short word: `tags` is not `args`, `roots` is not `tools`. */
function findClose(key: string, candidates: readonly string[]): string | undefined {
  const wanted = key.toLowerCase();
  const most = wanted.length > 5 ? 2 : 1;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > most) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= most && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** Undefined when the value does not fit; parts that do not fit are left out of lists and records. */
function readValue(shape: Shape, node: Node, path: string, reading: Reading): unknown {
  switch (shape.kind) {
    case 'string':
      return node.type === 'string' ? readTextNode(node, path, reading) : refuse(shape, node, path, reading);
    case 'boolean':
      return node.type === 'boolean' ? node.value : refuse(shape, node, path, reading);
    case 'integer': {
      const fits = Number.isInteger(node.value) && node.value >= shape.min && node.value <= shape.max;
      return fits ? node.value : refuse(shape, node, path, reading);
    }
    case 'choice': {
      if (node.type !== 'string') return refuse(shape, node, path, reading);
      const value = readTextNode(node, path, reading);
      return shape.values.includes(value) ? value : refuse(shape, node, path, reading);
    }
    case 'list':
      if (node.type !== 'array') return refuse(shape, node, path, reading);
      return (node.children ?? [])
        .map((child, index) => readValue(shape.of, child, joinPath(path, index), reading))
        .filter((value) => value !== undefined);
    case 'record': {
      if (node.type !== 'object') return refuse(shape, node, path, reading);
      const values = new Map<string, unknown>();
      for (const member of toMembers(node, path)) {
        const value = readValue(shape.of, member.node, member.path, reading);
        if (value !== undefined) values.set(member.key, value);
      }
      return values;
    }
    case 'either': {
      const fitting = shape.of.find((option) => (option.kind === 'list') === (node.type === 'array'));
      return fitting === undefined ? refuse(shape, node, path, reading) : readValue(fitting, node, path, reading);
    }
    case 'json':
      return readJson(node, path, reading);
    case 'object':
    case 'anything':
      return undefined;
  }
}

/** A value of any kind, with the variables in its strings filled in. */
export function readJson(node: Node, path: string, reading: Reading): Json {
  if (node.type === 'string') return readTextNode(node, path, reading);
  if (node.type === 'array')
    return (node.children ?? []).map((child, index) => readJson(child, joinPath(path, index), reading));
  if (node.type !== 'object') return node.value as Json;
  return Object.fromEntries(
    toMembers(node, path).map((member) => [member.key, readJson(member.node, member.path, reading)]),
  );
}

function refuse(shape: Shape, node: Node, path: string, { report }: Reading): undefined {
  const place = placeOf(node, path);
  if (shape.kind === 'choice' && node.type === 'string') {
    // The written text, not the expanded one, which must not be shown.
    const [near] = nearestNames(String(node.value), shape.values, 1);
    const hint = near === undefined ? '' : ` – did you mean "${near}"?`;
    report.error('WB1405', place, `${path} must be ${toPhrase(shape)}${hint}`);
  } else if (shape.kind === 'integer' && node.type === 'number') {
    report.error('WB1405', place, `${path} must be ${toPhrase(shape)}`);
  } else {
    const quotes = shape.kind === 'string' && (node.type === 'number' || node.type === 'boolean');
    const fix = quotes ? 'Put the value into double quotes.' : undefined;
    report.error('WB1405', place, `${path} must be ${toPhrase(shape)}, not ${toKind(node)}`, fix);
  }
  return undefined;
}

/** Whether a member is an object; the report says what it is instead. */
export function isObjectMember(member: Member, what: string, { report }: Reading): boolean {
  if (member.node.type === 'object') return true;
  report.error('WB1405', valuePlace(member), `${what} must be an object, not ${toKind(member.node)}`);
  return false;
}

/** Describes the type of a node. */
export function toKind(node: Node): string {
  switch (node.type) {
    case 'object':
      return 'an object';
    case 'array':
      return 'a list';
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    default:
      return `a ${node.type}`;
  }
}
