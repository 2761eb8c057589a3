/** Values that a schema may accept: guessed along the schema, with strange members here and there. The validator has the last word. */
import { findMember, isObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';
import type { Random } from '../../generator/random.ts';
import { names, value } from './random-schema.ts';

const deepest = 6;

export function randomInstance(schema: Json, root: JsonObject, random: Random, depth = 0): Json {
  if (!isObject(schema) || depth > deepest || random.oneIn(40)) return value(random);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return random.pick(schema.enum);
  if ('const' in schema) return schema.const as Json;
  const parts: Json[] = [];
  const add = (part: Json) => parts.push(randomInstance(part, root, random, depth + 1));
  if (typeof schema.$ref === 'string') add(follow(schema.$ref, root));
  for (const part of listOf(schema.allOf)) add(part);
  for (const key of ['anyOf', 'oneOf']) if (listOf(schema[key]).length > 0) add(random.pick(listOf(schema[key])));
  for (const key of ['then', 'else']) if (key in schema && random.oneIn(2)) add(schema[key] as Json);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  if (type !== undefined || parts.length === 0) parts.push(ofType(type, schema, root, random, depth));
  const objects = parts.filter(isObject);
  return objects.length > 0 && !random.oneIn(8) ? Object.assign({}, ...objects) : random.pick(parts);
}

function ofType(type: Json | undefined, schema: JsonObject, root: JsonObject, random: Random, depth: number): Json {
  switch (type) {
    case 'string':
      return random.pick(['a', 'ab', 'abc', '', 'b', 'one', 'two', 'z'.repeat(Number(schema.minLength ?? 1))]);
    case 'integer':
    case 'number':
      return numberFor(schema, type, random);
    case 'boolean':
      return random.oneIn(2);
    case 'null':
      return null;
    case 'array':
      return listFor(schema, root, random, depth);
    case 'object':
      return objectFor(schema, root, random, depth);
    default:
      if ('properties' in schema || 'required' in schema)
        return random.oneIn(4) ? value(random) : objectFor(schema, root, random, depth);
      return 'items' in schema && !random.oneIn(4) ? listFor(schema, root, random, depth) : value(random);
  }
}

function numberFor(schema: JsonObject, type: string, random: Random): Json {
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((key) => schema[key]);
  const known = bounds.filter((bound) => typeof bound === 'number');
  const near = known.flatMap((bound) => [bound, bound + 1, bound - 1, bound + 0.25, bound - 0.25]);
  const pool = [...near, 0, 1, 2, 3].filter((one) => type === 'number' || Number.isInteger(one));
  return random.pick(pool);
}

function listFor(schema: JsonObject, root: JsonObject, random: Random, depth: number): Json {
  const prefix = Array.isArray(schema.items) ? schema.items : listOf(schema.prefixItems);
  const rest = (Array.isArray(schema.items) ? schema.additionalItems : schema.items) ?? {};
  const length = Math.min(Number(schema.minItems ?? 0) + random.int(4), Number(schema.maxItems ?? 4));
  return Array.from({ length }, (_, at) => randomInstance(prefix[at] ?? rest, root, random, depth + 1));
}

function objectFor(schema: JsonObject, root: JsonObject, random: Random, depth: number): Json {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = listOf(schema.required).filter((key) => typeof key === 'string');
  const others = schema.additionalProperties === false ? [] : names.filter(() => random.oneIn(6));
  const keys = new Set([...Object.keys(properties).filter(() => !random.oneIn(3)), ...required, ...others]);
  const entries = [...keys].map((key) => {
    const part =
      findMember(properties, key) ?? (isObject(schema.additionalProperties) ? schema.additionalProperties : {});
    return [key, randomInstance(part, root, random, depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

function listOf(part: Json | undefined): Json[] {
  return Array.isArray(part) ? part : [];
}

function follow(reference: string, root: JsonObject): Json {
  let at: Json | undefined = root;
  for (const step of decodeURIComponent(reference).split('/').slice(1))
    at = isObject(at) ? findMember(at, step.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined;
  return at ?? {};
}
