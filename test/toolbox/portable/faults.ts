/** What model families would refuse in a schema, as far as their rules are known; written apart from the code that keeps them. */
import { isObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';

const types = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'description', 'enum', 'x-mcp-header'],
  number: ['type', 'description', 'minimum', 'maximum', 'x-mcp-header'],
  integer: ['type', 'description', 'minimum', 'maximum', 'x-mcp-header'],
  boolean: ['type', 'description', 'x-mcp-header'],
  null: ['type', 'description'],
  array: ['type', 'description', 'items'],
  object: ['type', 'description', 'properties', 'required'],
};

export function findFaults(schema: Json, at = ''): string[] {
  if (!isObject(schema)) return [`${at}: not an object`];
  const keys = Object.keys(schema);
  if (at === '' && schema.type !== 'object') return ['the top is not an object'];
  if ('description' in schema && typeof schema.description !== 'string') return [`${at}: description`];
  if ('anyOf' in schema) {
    if (keys.length !== 1) return [`${at}: ${keys} beside anyOf`];
    const parts = schema.anyOf as Json[];
    if (!Array.isArray(parts) || parts.length < 2) return [`${at}: anyOf of one`];
    if (parts.some((part) => !isObject(part) || !('type' in part))) return [`${at}: anyOf without types`];
    return parts.flatMap((part, index) => findFaults(part, `${at}/anyOf/${index}`));
  }
  if (!('type' in schema)) return keys.every((key) => key === 'description') ? [] : [`${at}: ${keys} without a type`];
  const type = schema.type as string;
  if (!types.includes(type)) return [`${at}: type ${type}`];
  const strangers = keys.filter((key) => !keywords[type]?.includes(key));
  if (strangers.length > 0) return [`${at}: ${strangers} in ${type}`];
  if (type === 'array') return findFaults(schema.items ?? null, `${at}/items`);
  if (type === 'object') return findObjectFaults(schema, at);
  const choices = schema.enum;
  if (choices === undefined) return [];
  const isRight =
    Array.isArray(choices) && choices.length > 0 && choices.every((one) => typeof one === 'string' && one !== '');
  return isRight ? [] : [`${at}: enum ${JSON.stringify(choices)}`];
}

function findObjectFaults(schema: JsonObject, at: string): string[] {
  const { properties, required = [] } = schema;
  if (!isObject(properties)) return [`${at}: no properties`];
  const unknown = (required as string[]).filter((key) => !Object.hasOwn(properties, key));
  const strange = at === '' ? Object.keys(properties).filter((key) => !/^[\w.-]{1,64}$/.test(key)) : [];
  return [
    ...unknown.map((key) => `${at}: ${key} is required and not defined`),
    ...strange.map((key) => `the argument ${key} has a name that is refused`),
    ...Object.entries(properties).flatMap(([key, part]) => findFaults(part, `${at}/properties/${key}`)),
  ];
}

/** How deep objects and lists are nested. */
export function depthOf(schema: Json): number {
  if (!isObject(schema)) return 0;
  if (Array.isArray(schema.anyOf)) return Math.max(...schema.anyOf.map(depthOf));
  const parts = [
    ...(isObject(schema.properties) ? Object.values(schema.properties) : []),
    ...('items' in schema ? [schema.items as Json] : []),
  ];
  return parts.length === 0 ? 0 : 1 + Math.max(...parts.map(depthOf));
}
