/** Schemas of tools, values and arguments by chance. */
import type { Json, JsonObject } from '../../../src/base/json/json.ts';

export type Chance = (below: number) => number;

export function createChance(seed: number): Chance {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export const pick = <T>(chance: Chance, from: readonly T[]): T => from[chance(from.length)] as T;

/** Names of arguments; the validator that answers are compared with does not see `__proto__`. */
export const plainNames: readonly string[] = ['a', 'b', 'c', 'owner', 'constructor'];
export const allNames: readonly string[] = [...plainNames, '__proto__'];
const values: readonly Json[] = [
  'x',
  'acme',
  '',
  0,
  1,
  7,
  true,
  false,
  null,
  [],
  ['x'],
  [1, 'x'],
  {},
  { a: 1 },
  { owner: 'x' },
];

export const pickValue = (chance: Chance): Json => pick(chance, values);

/** Arguments as a model may send them, hidden ones included. */
export function pickArguments(chance: Chance, names: readonly string[]): JsonObject {
  const entries: [string, Json][] = [];
  for (const name of names) if (chance(2) === 0) entries.push([name, pickValue(chance)]);
  return Object.fromEntries(entries);
}

function propertySchema(chance: Chance): Json {
  return pick<() => Json>(chance, [
    () => true,
    () => ({}),
    () => ({ type: pick(chance, ['string', 'integer', 'boolean', 'array', 'object', 'null']) }),
    () => ({ type: ['string', 'null'] }),
    () => ({ enum: [pickValue(chance), pickValue(chance)] }),
    () => ({ const: pickValue(chance) }),
    () => ({ type: 'string', minLength: chance(4), maxLength: 4 }),
    () => ({ type: 'integer', minimum: 1, maximum: 5 }),
    () => ({ type: 'array', items: { type: 'string' }, maxItems: 1 }),
    () => ({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }),
    () => ({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    () => ({ not: { type: 'string' } }),
    () => ({ $ref: '#/$defs/Text' }),
  ])();
}

/** The part of a schema that speaks of the arguments. */
function objectSchema(chance: Chance, names: readonly string[], depth: number): JsonObject {
  const schema: JsonObject = {};
  if (chance(4) > 0) {
    const chosen = names.filter(() => chance(2) === 0);
    schema.properties = Object.fromEntries(chosen.map((name) => [name, propertySchema(chance)]));
    if (chance(3) === 0) schema.additionalProperties = pick<Json>(chance, [false, true, { type: 'string' }]);
  }
  if (chance(3) === 0) schema.required = names.filter(() => chance(3) === 0);
  if (chance(8) === 0) schema.minProperties = chance(3);
  if (chance(8) === 0) schema.maxProperties = 1 + chance(4);
  if (chance(8) === 0) schema.dependencies = { [pick(chance, names)]: [pick(chance, names)] };
  if (chance(12) === 0) schema.propertyNames = { enum: ['a', 'b', 'owner', 'c'] };
  if (depth > 0) {
    const below = () => objectSchema(chance, names, depth - 1);
    if (chance(4) === 0) schema.allOf = [below(), below()];
    if (chance(4) === 0) schema.anyOf = [below(), below()];
    if (chance(4) === 0) schema.oneOf = [below(), below()];
    if (chance(8) === 0) schema.not = below();
    if (chance(6) === 0) Object.assign(schema, { if: below(), [`th${'en'}`]: below(), else: below() });
    if (chance(8) === 0) schema.dependencies = { [pick(chance, names)]: below() };
    if (chance(8) === 0) schema.$ref = pick(chance, ['#/$defs/More', '#/$defs/Closed']);
  }
  return schema;
}

export function toolSchema(chance: Chance, names: readonly string[]): JsonObject {
  return {
    type: 'object',
    ...objectSchema(chance, names, 2),
    $defs: {
      Text: { type: 'string' },
      More: { properties: { a: { type: 'string' }, owner: { type: 'string' } } },
      Closed: { properties: { a: {}, b: {}, owner: { enum: ['acme', 7] } }, additionalProperties: false },
    },
  };
}
