/**
 * Removes characters that only a model would see from the names and texts of a server's items. Names of arguments and values stay
 * as they are: they go back to the server.
 */

import { findMember, isObject, type Json, type JsonObject, withMembers } from '../base/json/json.ts';
import { withoutHidden, withoutHiddenInName } from '../base/text/hidden.ts';

/**
 * The same object when there is nothing to remove. `plain`: its texts are known to consist of visible characters, line breaks and
 * tabs, so that only names are left to check.
 */
export function cleanDefinition(definition: JsonObject, { plain }: { readonly plain: boolean }): JsonObject {
  if (plain && nameKeys.every((key) => isClean(definition, key))) return definition;
  return change(definition, (key, value) => {
    switch (key) {
      case 'name':
      case 'uri':
      case 'uriTemplate':
      case 'title':
        return typeof value === 'string' ? withoutHiddenInName(value) : value;
      default:
        return plain ? value : cleanMember(key, value);
    }
  });
}

const nameKeys = ['name', 'uri', 'uriTemplate', 'title'];

function isClean(definition: JsonObject, key: string): boolean {
  const value = findMember(definition, key);
  return typeof value !== 'string' || withoutHiddenInName(value) === value;
}

function cleanMember(key: string, value: Json): Json {
  switch (key) {
    case 'description':
      return typeof value === 'string' ? withoutHidden(value) : value;
    case 'annotations':
      return isObject(value) ? cleanTexts(value) : value;
    case 'inputSchema':
    case 'outputSchema':
      return cleanSchema(value);
    case 'arguments':
      return Array.isArray(value) ? changeEach(value, (each) => (isObject(each) ? cleanTexts(each) : each)) : value;
    default:
      return value;
  }
}

/** Keywords of JSON Schema that hold schemas under names chosen by the server. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that hold values. */
const values = new Set(['default', 'const', 'enum', 'examples', 'required']);

function cleanSchema(schema: Json): Json {
  if (Array.isArray(schema)) return changeEach(schema, cleanSchema);
  if (!isObject(schema)) return schema;
  return change(schema, (key, value) => {
    if (maps.has(key)) return isObject(value) ? change(value, (_, each) => cleanSchema(each)) : value;
    if (values.has(key)) return value;
    return typeof value === 'string' ? cleanText(key, value) : cleanSchema(value);
  });
}

function cleanTexts(object: JsonObject): JsonObject {
  return change(object, (key, value) => (typeof value === 'string' ? cleanText(key, value) : value));
}

function cleanText(key: string, text: string): string {
  return key === 'description' || key === 'title' || key === '$comment' ? withoutHidden(text) : text;
}

function change(object: JsonObject, clean: (key: string, value: Json) => Json): JsonObject {
  let changed: [string, Json][] | undefined;
  // Every object of every list passes through here, at every start.
  for (const key of Object.keys(object)) {
    const value = object[key] as Json;
    const cleaned = clean(key, value);
    if (cleaned === value) continue;
    changed ??= [];
    changed.push([key, cleaned]);
  }
  return changed === undefined ? object : withMembers(object, Object.fromEntries(changed));
}

function changeEach(list: Json[], clean: (value: Json) => Json): Json[] {
  const cleaned = list.map(clean);
  return cleaned.some((value, at) => value !== list[at]) ? cleaned : list;
}

/** The top-level members that differ, for the report. */
export function changedMembers(before: JsonObject, after: JsonObject): string[] {
  return Object.keys(before).filter((key) => findMember(before, key) !== findMember(after, key));
}
