/**
 * How to call a tool, in one line that a model can act on. Schemas come from a server: they are read two levels deep, never
 * compiled, and cut.
 */
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { toPrintable } from '../../base/text/printable.ts';

const maxLength = 600;
const maxMembers = 30;
const maxChoices = 6;
const deepest = 2;

/** `Signature: echo(text: string, times?: integer)`. */
export function describeSignature(name: string, schema: JsonObject): string {
  const text = `Signature: ${toPrintable(name, 100)}(${describeMembers(schema, 1)})`;
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/** Whether arguments violate the first level of the schema: a required one is missing, or one has another type. */
export function breaksSchema(given: JsonObject, schema: JsonObject): boolean {
  const properties = findObject(schema, 'properties') ?? {};
  if (requiredOf(schema).some((key) => !Object.hasOwn(given, key))) return true;
  return Object.entries(given).some(([key, value]) => {
    const type = findString(findObject(properties, key) ?? {}, 'type');
    return type !== undefined && !isOfType(value, type);
  });
}

function describeMembers(schema: JsonObject, level: number): string {
  const properties = Object.entries(findObject(schema, 'properties') ?? {});
  const required = new Set(requiredOf(schema));
  const shown = properties
    .slice(0, maxMembers)
    .map(([key, value]) => `${toKey(key)}${required.has(key) ? '' : '?'}: ${toType(value, level)}`);
  return [...shown, ...(properties.length > shown.length ? ['…'] : [])].join(', ');
}

function toType(value: Json, level: number): string {
  if (!isObject(value)) return 'any';
  const choices = findMember(value, 'enum');
  if (Array.isArray(choices)) return toChoices(choices);
  if (Object.hasOwn(value, 'const')) return toChoices([value.const as Json]);
  const type = findMember(value, 'type');
  if (Array.isArray(type)) return type.slice(0, maxChoices).map(toName).join(' | ');
  if (type === 'array') {
    const items = toType(findMember(value, 'items') ?? null, level);
    return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
  }
  const isOpen = type === 'object' && level < deepest && isObject(findMember(value, 'properties'));
  if (isOpen) return `{ ${describeMembers(value, level + 1)} }`;
  return type === undefined ? 'any' : toName(type);
}

function toName(type: Json): string {
  return typeof type === 'string' ? toPrintable(type, 30) : 'any';
}

function toChoices(choices: readonly Json[]): string {
  const shown = choices.slice(0, maxChoices).map((choice) => toPrintable(JSON.stringify(choice) ?? 'null', 40));
  return [...shown, ...(choices.length > shown.length ? ['…'] : [])].join(' | ');
}

function toKey(key: string): string {
  return /^[\w$.-]{1,64}$/.test(key) ? key : toPrintable(JSON.stringify(key), 64);
}

function requiredOf(schema: JsonObject): string[] {
  const required = findMember(schema, 'required');
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
