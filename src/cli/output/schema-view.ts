/** Describes what a JSON Schema says about one value, as far as a command line needs it: its types, in words. */

import { findList, findMember, findString, isObject } from '../../base/json/json.ts';
import type { Json, JsonObject } from '../../index.ts';

const deepest = 8;
const maxChoiceLength = 6;
/** For an object in a signature: at most this many members and levels, lists and references counted. */
const maxMembers = 8;
const deepestShape = 4;

/** The schema of one top-level argument. */
export function findArgumentSchema(inputSchema: JsonObject, key: string): Json | undefined {
  const properties = findMember(inputSchema, 'properties');
  return isObject(properties) ? findMember(properties, key) : undefined;
}

/** The JSON types a value may have, or undefined when the schema does not say. `root` is where references point to. */
export function findTypes(schema: Json | undefined, root: JsonObject, depth = 0): Set<string> | undefined {
  if (!isObject(schema) || depth > deepest) return undefined;
  const values =
    findMember(schema, 'const') === undefined ? findList(schema, 'enum') : [findMember(schema, 'const') ?? null];
  if (values.length > 0) return new Set(values.map(typeOf));
  const type = findMember(schema, 'type');
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  const parts = findAlternatives(schema, root).map((part) => findTypes(part, root, depth + 1));
  if (parts.length === 0) return undefined;
  const types = new Set<string>();
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const each of part) types.add(each);
  }
  return types;
}

/** The type of a value as a TypeScript signature would write it. */
export function toTypeText(schema: Json | undefined, root: JsonObject, depth = 0): string {
  if (!isObject(schema) || depth > deepest) return 'unknown';
  const constant = findMember(schema, 'const');
  if (constant !== undefined) return JSON.stringify(constant);
  const choices = findList(schema, 'enum');
  if (choices.length > 0) {
    const shown = choices.slice(0, maxChoiceLength).map((choice) => JSON.stringify(choice));
    return [...shown, ...(choices.length > maxChoiceLength ? ['…'] : [])].join(' | ');
  }
  const type = findMember(schema, 'type');
  if (typeof type === 'string') return toWord(type, schema, root, depth);
  if (Array.isArray(type)) return unionOf(type.map((each) => toWord(String(each), schema, root, depth)));
  const parts = findAlternatives(schema, root);
  return parts.length === 0 ? 'unknown' : unionOf(parts.map((part) => toTypeText(part, root, depth + 1)));
}

function toWord(type: string, schema: JsonObject, root: JsonObject, depth: number): string {
  if (type === 'integer') return 'number';
  if (type === 'object') return toShape(schema, root, depth);
  if (type !== 'array') return type;
  const item = toTypeText(findMember(schema, 'items'), root, depth + 1);
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

/** `{name: string, tags?: string[]}` for an object that names its members. */
function toShape(schema: JsonObject, root: JsonObject, depth: number): string {
  const properties = findMember(schema, 'properties');
  const keys = isObject(properties) ? Object.keys(properties) : [];
  if (keys.length === 0) return 'object';
  if (depth > deepestShape) return '{…}';
  const required = new Set(findList(schema, 'required'));
  const shown = keys.slice(0, maxMembers).map((key) => {
    const type = toTypeText(findArgumentSchema(schema, key), root, depth + 1);
    return `${key}${required.has(key) ? '' : '?'}: ${type}`;
  });
  return `{${[...shown, ...(keys.length > maxMembers ? ['…'] : [])].join(', ')}}`;
}

function unionOf(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ');
}

/** A schema with its references inside the document resolved, as far as they can be followed. */
export function followReference(schema: Json | undefined, root: JsonObject): Json | undefined {
  let at = schema;
  for (let steps = 0; steps < deepest; steps++) {
    const reference = isObject(at) ? findString(at, '$ref') : undefined;
    if (reference === undefined) return at;
    at = findReference(reference, root);
  }
  return undefined;
}

/** The schemas that this one delegates to: a reference inside the document, or alternatives. */
function findAlternatives(schema: JsonObject, root: JsonObject): Json[] {
  const reference = findString(schema, '$ref');
  if (reference !== undefined) {
    const target = findReference(reference, root);
    return target === undefined ? [] : [target];
  }
  const alternatives = [...findList(schema, 'anyOf'), ...findList(schema, 'oneOf')];
  return alternatives.length > 0 ? alternatives : findList(schema, 'allOf').slice(0, 1);
}

function findReference(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const step of reference.slice(2).split('/')) {
    if (!isObject(at)) return undefined;
    at = findMember(at, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return at;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
