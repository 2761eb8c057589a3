/** Schemas of chance: every keyword that can be met, valid or nearly so, in both drafts. */
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import type { Random } from '../../generator/random.ts';

export const names = ['a', 'b', 'c', 'kind', 'x y', '__proto__', 'constructor', '$ref', 'é'] as const;
const definitions = ['One', 'Two', 'T~h/ree', '__proto__'] as const;
const types = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
const patterns = ['^a', 'b$', '^[a-z]*$', '.'];

export function randomSchema(random: Random): JsonObject {
  const old = random.oneIn(2);
  const root = object(random, 3, old);
  const pool = definitions.map((name) => [name, schema(random, 2, old)] as const);
  return {
    ...(old ? { $schema: 'http://json-schema.org/draft-07/schema#' } : {}),
    ...(random.oneIn(4) ? combinators(random, 2, old) : {}),
    ...root,
    [old ? 'definitions' : '$defs']: Object.fromEntries(pool),
  };
}

function schema(random: Random, depth: number, old: boolean): Json {
  if (random.oneIn(25)) return random.oneIn(2);
  if (random.oneIn(8)) return { ...reference(random, old), ...(random.oneIn(2) ? typed(random, 0, old) : {}) };
  const parts: JsonObject[] = [];
  if (!random.oneIn(6)) parts.push(depth > 0 ? typed(random, depth, old) : scalar(random, random.pick(types)));
  if (random.oneIn(6)) parts.push(choices(random));
  if (random.oneIn(5) && depth > 0) parts.push(combinators(random, depth, old));
  if (random.oneIn(4)) parts.push({ description: random.pick(['First.', 'Second', '']) });
  if (random.oneIn(20)) parts.push({ nullable: true });
  if (random.oneIn(15)) parts.push({ default: value(random), title: 'Title' });
  return Object.assign({}, ...parts);
}

function typed(random: Random, depth: number, old: boolean): JsonObject {
  if (random.oneIn(6)) {
    const list = types.filter(() => random.oneIn(3));
    return {
      ...scalar(random, 'string'),
      ...(random.oneIn(2) && depth > 0 ? object(random, depth, old) : {}),
      type: list.length > 0 ? list : ['null'],
    };
  }
  const type = random.pick(types);
  const whole =
    type === 'object' ? object(random, depth, old) : type === 'array' ? list(random, depth, old) : scalar(random, type);
  if (!random.oneIn(8)) return whole;
  const { type: _, ...untyped } = whole;
  return untyped;
}

function scalar(random: Random, type: string): JsonObject {
  const some: JsonObject = { type };
  if (type === 'string') {
    if (random.oneIn(3)) some.minLength = random.int(3);
    if (random.oneIn(3)) some.maxLength = 1 + random.int(4);
    if (random.oneIn(3)) some.pattern = random.pick(patterns);
    if (random.oneIn(4)) some.format = random.pick(['date-time', 'uri', 'made-up']);
  }
  if (type === 'number' || type === 'integer') {
    if (random.oneIn(3)) some.minimum = random.int(5) - 2;
    if (random.oneIn(3)) some.maximum = random.int(6);
    if (random.oneIn(3)) some.exclusiveMinimum = random.pick([-1, 0, 0.5, 2]);
    if (random.oneIn(3)) some.exclusiveMaximum = random.pick([1, 3, 3.5]);
    if (random.oneIn(5)) some.multipleOf = random.pick([1, 0.5, 2]);
  }
  return some;
}

function object(random: Random, depth: number, old: boolean): JsonObject {
  const keys = names.filter(() => random.oneIn(3));
  const some: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, schema(random, depth - 1, old)])),
  };
  if (random.oneIn(2)) some.required = names.filter(() => random.oneIn(5));
  if (random.oneIn(2)) some.additionalProperties = random.oneIn(2) ? random.oneIn(2) : schema(random, 0, old);
  if (random.oneIn(8)) some.patternProperties = { [random.pick(patterns)]: schema(random, 0, old) };
  if (random.oneIn(10))
    some.propertyNames = random.pick<Json>([{ pattern: '^[a-z]' }, { enum: ['a', 'b', 'kind'] }, { maxLength: 4 }]);
  if (random.oneIn(12)) some.minProperties = random.int(2);
  if (random.oneIn(12)) some.maxProperties = 1 + random.int(4);
  if (random.oneIn(12)) some.dependentRequired = { a: ['b'] };
  if (random.oneIn(12)) some.dependentSchemas = { a: schema(random, 0, old) };
  if (random.oneIn(12)) some.dependencies = { b: random.oneIn(2) ? ['a'] : schema(random, 0, old) };
  if (random.oneIn(12) && !old) some.unevaluatedProperties = random.oneIn(2);
  return some;
}

function list(random: Random, depth: number, old: boolean): JsonObject {
  const some: JsonObject = { type: 'array' };
  const tuple = () => [1, 2].map(() => schema(random, depth - 1, old));
  if (random.oneIn(4)) {
    some[old ? 'items' : 'prefixItems'] = tuple();
    if (random.oneIn(2)) some[old ? 'additionalItems' : 'items'] = schema(random, 0, old);
  } else if (!random.oneIn(5)) some.items = schema(random, depth - 1, old);
  if (random.oneIn(4)) some.minItems = random.int(3);
  if (random.oneIn(4)) some.maxItems = 1 + random.int(3);
  if (random.oneIn(8)) some.uniqueItems = true;
  if (random.oneIn(10)) some.contains = schema(random, 0, old);
  return some;
}

function choices(random: Random): JsonObject {
  const some = [...new Set([1, 2, 3].map(() => JSON.stringify(value(random))))].map((text) => JSON.parse(text) as Json);
  return random.oneIn(2) ? { enum: some } : { const: some[0] as Json };
}

function combinators(random: Random, depth: number, old: boolean): JsonObject {
  const parts = () => [1, 2, 3].slice(random.int(3)).map(() => branch(random, depth - 1, old));
  const some: JsonObject = { [random.pick(['anyOf', 'oneOf', 'allOf'])]: parts() };
  if (random.oneIn(5)) some.allOf = parts();
  if (random.oneIn(6)) some.not = schema(random, 0, old);
  if (random.oneIn(6)) {
    some.if = schema(random, 0, old);
    some[random.pick(['then', 'else'])] = schema(random, depth - 1, old);
  }
  return some;
}

/** Often the kinds that servers use: sets of required arguments, and objects told apart by one of their members. */
function branch(random: Random, depth: number, old: boolean): Json {
  if (random.oneIn(3)) return { required: names.filter(() => random.oneIn(4)) };
  if (!random.oneIn(3)) return schema(random, depth, old);
  const some = object(random, depth, old);
  return {
    ...some,
    properties: { ...(some.properties as JsonObject), kind: { const: random.pick(['one', 'two']) } },
    required: ['kind'],
  };
}

function reference(random: Random, old: boolean): JsonObject {
  const name = random.pick(definitions).replaceAll('~', '~0').replaceAll('/', '~1');
  const inside = `#/${old ? 'definitions' : '$defs'}/${encodeURIComponent(name)}`;
  return { $ref: random.oneIn(6) ? random.pick(['#', '#/properties/a']) : inside };
}

/** Any value, mostly a small one. */
export function value(random: Random, depth = 2): Json {
  const scalars: Json[] = ['', 'a', 'ab', 'zzzzz', 'one', 'two', 0, 1, 2, 3, -1, 0.5, 2.5, true, false, null];
  if (depth === 0 || !random.oneIn(4)) return random.pick(scalars);
  if (random.oneIn(2)) return [1, 2, 3].slice(random.int(4)).map(() => value(random, depth - 1));
  return Object.fromEntries(names.filter(() => random.oneIn(4)).map((key) => [key, value(random, depth - 1)]));
}
