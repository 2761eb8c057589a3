/** The keywords of one type: bounds of numbers, members of objects, items of lists. */
import { findList, findMember, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { unite } from './combine.ts';
import { describeForm } from './describe-form.ts';
import { anyForm, type Case, type Form, isAny, noText, type TypeName, toOpenCase } from './form.ts';
import { insideSpot, type SchemaReading, type SchemaSpot } from './reading.ts';

export type ReadInside = (schema: Json, spot: SchemaSpot) => Form;

const headerAnnotation = 'x-mcp-header';
const maxSaidLength = 80;

export function readCase(
  schema: JsonObject,
  type: TypeName,
  spot: SchemaSpot,
  reading: SchemaReading,
  read: ReadInside,
): Case {
  noteStrangers(schema, spot, reading);
  switch (type) {
    case 'object':
      return readObject(schema, spot, reading, read);
    case 'array':
      return readList(schema, spot, reading, read);
    case 'number':
    case 'integer':
      return readNumber(schema, type, spot, reading);
    case 'string':
      return { ...toOpenCase(type), type, header: findString(schema, headerAnnotation) };
    default:
      return toOpenCase(type);
  }
}

const owners = [
  ['properties', ['object']],
  ['required', ['object']],
  ['items', ['array']],
  ['minimum', ['number', 'integer']],
  ['maximum', ['number', 'integer']],
] as const;

/** Keywords beside a type that does not have them. */
function noteStrangers(schema: JsonObject, { path }: SchemaSpot, reading: SchemaReading): void {
  const { type } = schema;
  for (const [keyword, types] of owners)
    if (Object.hasOwn(schema, keyword) && typeof type === 'string' && !types.some((owner) => owner === type))
      reading.note(schema, path, keyword, 'wrong-place');
}

function readNumber(
  schema: JsonObject,
  type: 'number' | 'integer',
  { path }: SchemaSpot,
  reading: SchemaReading,
): Case {
  const facts: string[] = [];
  const readBound = (keyword: 'minimum' | 'maximum', exclusive: string, step: 1 | -1, words: string) => {
    const open = findNumber(schema, exclusive);
    const bound = findNumber(schema, keyword);
    if (Object.hasOwn(schema, exclusive)) reading.note(schema, path, exclusive, 'not-known');
    if (Object.hasOwn(schema, keyword) && bound === undefined) reading.note(schema, path, keyword, 'unusable');
    if (open === undefined) return bound;
    const next = type === 'integer' ? (step === 1 ? Math.floor(open) : Math.ceil(open)) + step : open;
    if (type === 'number') facts.push(`${words} than ${open}.`);
    return bound === undefined ? next : step === 1 ? Math.max(bound, next) : Math.min(bound, next);
  };
  const minimum = readBound('minimum', 'exclusiveMinimum', 1, 'Greater');
  const maximum = readBound('maximum', 'exclusiveMaximum', -1, 'Less');
  const text = facts.length === 0 ? noText : { ...noText, facts };
  return { type, minimum, maximum, header: findString(schema, headerAnnotation), text };
}

function findNumber(schema: JsonObject, key: string): number | undefined {
  const value = findMember(schema, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readObject(schema: JsonObject, spot: SchemaSpot, reading: SchemaReading, read: ReadInside): Case {
  const given = findMember(schema, 'properties');
  if (!isObject(given)) reading.note(schema, spot.path, 'properties', 'needs-properties');
  const own = isObject(given) ? Object.entries(given) : [];
  const isCut = own.length > 0 && spot.level >= reading.maxLevel;
  if (isCut) reading.note(schema, spot.path, 'properties', 'size');
  const shown = isCut ? [] : own;
  const properties = new Map(
    shown.map(([key, part]) => [key, read(part as Json, insideSpot(spot, 'properties', key))]),
  );
  const names = findList(schema, 'required');
  const required = new Set(names.filter((key) => typeof key === 'string'));
  if (Object.hasOwn(schema, 'required') && (names !== schema.required || required.size < names.length))
    reading.note(schema, spot.path, 'required', 'unusable');
  const facts = [...(isCut ? sayKeys(own.map(([key]) => key)) : []), ...readOtherKeys(schema, spot, reading, read)];
  const closed = !isCut && isClosed(schema);
  return { type: 'object', properties, required, closed, text: facts.length === 0 ? noText : { ...noText, facts } };
}

function sayKeys(keys: readonly string[]): string[] {
  const text = `Keys: ${keys.join(', ')}.`;
  return text.length > 2 * maxSaidLength ? [] : [text];
}

/** Whether the object has no other properties than those that its own `properties` names. */
function isClosed(schema: JsonObject): boolean {
  const others = findMember(schema, 'additionalProperties');
  const patterns = findMember(schema, 'patternProperties');
  return others === false && (!isObject(patterns) || Object.keys(patterns).length === 0);
}

/** What is said about properties that are not named. */
function readOtherKeys(schema: JsonObject, spot: SchemaSpot, reading: SchemaReading, read: ReadInside): string[] {
  const facts: string[] = [];
  const sayValues = (keys: string, part: Json, at: SchemaSpot) => {
    const form = spot.level < reading.maxLevel ? read(part, at) : anyForm;
    if (!isAny(form)) facts.push(`${keys}: ${describeForm(form)}.`);
  };
  for (const keyword of ['additionalProperties', 'patternProperties', 'propertyNames'])
    if (Object.hasOwn(schema, keyword)) reading.note(schema, spot.path, keyword, 'not-known');
  const others = findMember(schema, 'additionalProperties');
  if (isObject(others)) sayValues('Values of other keys', others, insideSpot(spot, 'additionalProperties'));
  const patterns = findMember(schema, 'patternProperties');
  for (const [pattern, part] of isObject(patterns) ? Object.entries(patterns) : [])
    if (pattern.length <= maxSaidLength)
      sayValues(`Values of keys that match ${pattern}`, part as Json, insideSpot(spot, 'patternProperties', pattern));
  const names = findMember(schema, 'propertyNames');
  const pattern = isObject(names) ? findString(names, 'pattern') : undefined;
  if (pattern !== undefined && pattern.length <= maxSaidLength) facts.push(`Keys match ${pattern}.`);
  const choices = isObject(names) ? sayKeys(findList(names, 'enum').filter((key) => typeof key === 'string')) : [];
  return [...facts, ...(isObject(names) && Object.hasOwn(names, 'enum') ? choices : [])];
}

function readList(schema: JsonObject, spot: SchemaSpot, reading: SchemaReading, read: ReadInside): Case {
  const items = findMember(schema, 'items');
  const prefix = reading.knowsPrefixItems ? findMember(schema, 'prefixItems') : undefined;
  for (const keyword of ['prefixItems', 'additionalItems'])
    if (Object.hasOwn(schema, keyword)) reading.note(schema, spot.path, keyword, 'tuple');
  if (Array.isArray(items)) reading.note(schema, spot.path, 'items', 'tuple');
  else if (!isObject(items)) reading.note(schema, spot.path, 'items', 'needs-items');
  if (spot.level >= reading.maxLevel) {
    if (isObject(items) && Object.keys(items).length > 0) reading.note(schema, spot.path, 'items', 'size');
    return toOpenCase('array');
  }
  const tuple = Array.isArray(items) ? { keyword: 'items', parts: items } : { keyword: 'prefixItems', parts: prefix };
  if (!Array.isArray(tuple.parts))
    return {
      type: 'array',
      items: items === undefined ? anyForm : read(items, insideSpot(spot, 'items')),
      text: noText,
    };
  const forms = tuple.parts.map((part, at) => read(part, insideSpot(spot, tuple.keyword, at)));
  const text = { ...noText, facts: [`Items in order: ${forms.map((form) => describeForm(form)).join(', ')}.`] };
  return {
    type: 'array',
    items: unite([...forms, ...readRest(schema, forms.length, spot, read)], reading.meter),
    text,
  };
}

/** The items behind those of a tuple; none when there cannot be any. */
function readRest(schema: JsonObject, length: number, spot: SchemaSpot, read: ReadInside): Form[] {
  const keyword = Array.isArray(schema.items) ? 'additionalItems' : 'items';
  const most = findMember(schema, 'maxItems');
  if (typeof most === 'number' && most <= length) return [];
  const rest = findMember(schema, keyword);
  return rest === undefined ? [anyForm] : [read(rest, insideSpot(spot, keyword))];
}
