/**
 * Which arguments of a tool also travel as HTTP headers: its input schema annotates them with `x-mcp-header`. An annotation that
 * breaks a rule of the protocol makes clients drop the whole tool, so such annotations are removed before a schema is shown.
 */

import { memoize } from '../async/memoize.ts';
import { findMember, isObject, type Json, type JsonObject, withMembers } from '../json/json.ts';

export interface ParamHeader {
  /** In lower case, as Node gives header names: `mcp-param-region`. */
  readonly header: string;
  /** The keys from the root to the value in the arguments. */
  readonly path: readonly string[];
}

const annotation = 'x-mcp-header';
const headerPrefix = 'mcp-param-';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const annotatedTypes = ['string', 'integer', 'boolean'];
/** Keywords with subschemas that must not hold an annotation, by the way they hold them. */
const maps = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const others = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
];
/** Schemas nested deeper than this are not searched. */
const deepest = 200;

interface Found extends ParamHeader {
  readonly schema: JsonObject;
}

interface Scan {
  readonly valid: readonly Found[];
  readonly faulty: boolean;
}

/** The valid annotations. */
export function findParamHeaders(inputSchema: JsonObject): readonly ParamHeader[] {
  return scan(inputSchema).valid;
}

/** Whether any annotation breaks a rule. */
export function hasInvalidParamHeaders(inputSchema: JsonObject): boolean {
  return scan(inputSchema).faulty;
}

/** The schema without annotations that break a rule; the same object when there are none. */
export function withoutInvalidParamHeaders(inputSchema: JsonObject): JsonObject {
  const { valid, faulty } = scan(inputSchema);
  if (!faulty) return inputSchema;
  return strip(inputSchema, new Set(valid.map(({ schema }) => schema)), 0);
}

const scan = memoize((inputSchema: JsonObject): Scan => {
  const found: Found[] = [];
  let total = 0;
  visit(inputSchema, [], true, (schema, path, reachable) => {
    total++;
    const name = findMember(schema, annotation);
    const fits = typeof name === 'string' && token.test(name) && annotatedTypes.includes(String(schema.type));
    if (fits && reachable && path.length > 0)
      found.push({ header: `${headerPrefix}${name.toLowerCase()}`, path, schema });
  });
  const count = new Map<string, number>();
  for (const { header } of found) count.set(header, (count.get(header) ?? 0) + 1);
  const valid = found.filter(({ header }) => count.get(header) === 1);
  return { valid, faulty: valid.length < total };
});

type Visitor = (schema: JsonObject, path: readonly string[], reachable: boolean) => void;

/** Calls back for every annotated schema; `reachable`: through `properties` only. */
function visit(schema: Json | undefined, path: readonly string[], reachable: boolean, found: Visitor): void {
  if (!isObject(schema) || path.length > deepest) return;
  if (Object.hasOwn(schema, annotation)) found(schema, path, reachable);
  for (const [key, below] of entriesOf(findMember(schema, 'properties')))
    visit(below, [...path, key], reachable, found);
  for (const keyword of maps)
    for (const [, below] of entriesOf(findMember(schema, keyword))) visit(below, [...path, keyword], false, found);
  for (const keyword of others) {
    const below = findMember(schema, keyword);
    for (const each of Array.isArray(below) ? below : [below]) visit(each, [...path, keyword], false, found);
  }
}

function strip(schema: JsonObject, kept: ReadonlySet<JsonObject>, depth: number): JsonObject {
  if (depth > deepest) return schema;
  const below = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(below);
    return isObject(value) ? strip(value, kept, depth + 1) : value;
  };
  const changes: Record<string, Json | undefined> = {};
  if (Object.hasOwn(schema, annotation) && !kept.has(schema)) changes[annotation] = undefined;
  for (const keyword of ['properties', ...maps]) {
    const map = findMember(schema, keyword);
    if (!isObject(map)) continue;
    const entries = entriesOf(map).map(([key, value]): [string, Json] => [key, below(value)]);
    changes[keyword] = Object.fromEntries(entries);
  }
  for (const keyword of others) {
    const value = findMember(schema, keyword);
    if (value !== undefined) changes[keyword] = below(value);
  }
  return withMembers(schema, changes);
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}
