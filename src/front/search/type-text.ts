/**
 * The type of a value as a model reads it, from the JSON Schema of a server: TypeScript with `integer`. Schemas come from outside:
 * they are never compiled, references are followed a few times only, and every text is short.
 */
import {
  findList,
  findMember,
  findObject,
  findString,
  isObject,
  type Json,
  type JsonObject,
} from '../../base/json/json.ts';
import { resolveRef } from '../../base/json/resolve-ref.ts';
import { toPrintable } from '../../base/text/printable.ts';

/** More values of an enumeration are left out. */
const maxChoices = 6;
/** How many are shown then: enough to see what they look like. */
const shownChoices = 4;
const maxChoiceLength = 40;
const maxAlternatives = 4;
const maxReferences = 8;
/** Types inside of types; schemas may refer to themselves. */
const maxDepth = 4;

export interface TypeOptions {
  /** The whole schema, which references point into. */
  readonly root: JsonObject;
  /** The text for an object with these members; `object` for objects whose members are not shown. */
  toObject(schema: JsonObject): string;
}

export function typeTextOf(value: Json | undefined, options: TypeOptions): string {
  return toType(value, options, 0);
}

function toType(value: Json | undefined, options: TypeOptions, depth: number): string {
  if (depth > maxDepth) return 'any';
  const schema = resolveReference(value, options.root);
  if (!isObject(schema)) return 'any';
  if (Object.hasOwn(schema, 'const')) return toChoices([schema.const as Json]);
  const choices = findMember(schema, 'enum');
  if (Array.isArray(choices) && choices.length > 0) return toChoices(choices);
  const alternatives = [...findList(schema, 'anyOf'), ...findList(schema, 'oneOf')];
  if (alternatives.length > 0)
    return joinTypes(alternatives.slice(0, maxAlternatives + 1).map((each) => toType(each, options, depth + 1)));
  const type = findMember(schema, 'type');
  if (Array.isArray(type))
    return joinTypes(type.slice(0, maxAlternatives + 1).map((each) => ofType(each, schema, options, depth)));
  if (type !== undefined) return ofType(type, schema, options, depth);
  if (isObject(findMember(schema, 'properties'))) return options.toObject(schema);
  const parts = findList(schema, 'allOf')
    .slice(0, maxAlternatives)
    .map((each) => toType(each, options, depth + 1));
  return parts.find((part) => part !== 'any') ?? 'any';
}

/** The schema itself, or the one that it refers to; undefined where the reference leads nowhere. */
export function resolveReference(value: Json | undefined, root: JsonObject): Json | undefined {
  let found = value;
  for (let hop = 0; hop < maxReferences; hop++) {
    const reference = isObject(found) ? findString(found, '$ref') : undefined;
    if (reference === undefined) return found;
    found = resolveRef(root, reference);
  }
  return undefined;
}

function ofType(type: Json, schema: JsonObject, options: TypeOptions, depth: number): string {
  if (type === 'array') {
    const items = toType(findMember(schema, 'items'), options, depth + 1);
    return items.includes('|') ? `(${items})[]` : `${items}[]`;
  }
  if (type === 'object') return options.toObject(schema);
  return typeof type === 'string' ? toPrintable(type, 20) : 'any';
}

function joinTypes(types: readonly string[]): string {
  const once = [...new Set(types)];
  if (once.includes('any')) return 'any';
  const shown = once.slice(0, maxAlternatives);
  return [...shown, ...(once.length > shown.length ? ['…'] : [])].join('|');
}

function toChoices(choices: readonly Json[]): string {
  const shown = choices.length > maxChoices ? choices.slice(0, shownChoices) : choices;
  const texts = shown.map((choice) => toPrintable(JSON.stringify(choice) ?? 'null', maxChoiceLength));
  return [...texts, ...(choices.length > shown.length ? ['…'] : [])].join('|');
}

/** The name of an argument as it can be written in a call. */
export function toArgumentName(key: string): string {
  return /^[\p{L}\p{N}_$.-]{1,64}$/u.test(key) ? key : toPrintable(JSON.stringify(key), 64);
}

export interface Argument {
  readonly key: string;
  readonly required: boolean;
  readonly schema: Json;
}

/** The arguments of a tool, or the members of an object: required ones first, otherwise in the order of the server. */
export function listArguments(schema: JsonObject): Argument[] {
  const names = new Set(findList(schema, 'required'));
  const all = Object.entries(findObject(schema, 'properties') ?? {}).map(([key, each]) => ({
    key,
    required: names.has(key),
    schema: each,
  }));
  return [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)];
}
