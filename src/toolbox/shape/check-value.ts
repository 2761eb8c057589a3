/**
 * Whether a value fits a schema, as far as that can be told without running anything that a server wrote: patterns are not run, and
 * references outside of the schema are not followed. Then the answer is undefined.
 */
import { findList, findMember, findObject, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { resolveRef } from '../../base/json/resolve-ref.ts';

export type Verdict = boolean | undefined;

/** Schemas may refer to themselves. */
const maxDepth = 64;
const maxSteps = 20_000;

interface Check {
  readonly root: JsonObject;
  steps: number;
}

export function checkValue(value: Json, schema: Json, root: JsonObject): Verdict {
  return judge(value, schema, { root, steps: 0 }, 0);
}

/** Rules that hold for every type of value or only for one of them; each is asked with the schema it stands in. */
function judge(value: Json, schema: Json, check: Check, depth: number): Verdict {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return undefined;
  check.steps++;
  if (depth > maxDepth || check.steps > maxSteps) return undefined;
  const below = (part: Json, inner: Json) => judge(part, inner, check, depth + 1);
  return all([
    judgeType(value, findMember(schema, 'type')),
    judgeChoice(value, schema),
    judgeRef(value, schema, check, depth),
    judgeCombined(value, schema, below),
    typeof value === 'number' ? judgeNumber(value, schema) : true,
    typeof value === 'string' ? judgeText(value, schema) : true,
    Array.isArray(value) ? judgeList(value, schema, below) : true,
    isObject(value) ? judgeObject(value, schema, below) : true,
  ]);
}

/** False when one is false; otherwise undefined when one is. */
export function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function any(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function not(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

function judgeType(value: Json, type: Json | undefined): Verdict {
  if (type === undefined) return true;
  const types = Array.isArray(type) ? type : [type];
  return types.some((each) => isOfType(value, each));
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function judgeChoice(value: Json, schema: JsonObject): Verdict {
  const choices = findMember(schema, 'enum');
  const isChosen = !Array.isArray(choices) || choices.some((choice) => sameJson(choice, value));
  return isChosen && (!Object.hasOwn(schema, 'const') || sameJson(schema.const as Json, value));
}

function judgeRef(value: Json, schema: JsonObject, check: Check, depth: number): Verdict {
  if (['$dynamicRef', '$recursiveRef'].some((key) => Object.hasOwn(schema, key))) return undefined;
  const ref = findMember(schema, '$ref');
  if (ref === undefined) return true;
  const target = resolveRef(check.root, ref);
  return target === undefined ? undefined : judge(value, target, check, depth + 1);
}

type Below = (part: Json, schema: Json) => Verdict;

function judgeCombined(value: Json, schema: JsonObject, below: Below): Verdict {
  const each = (key: string) => findList(schema, key).map((option) => below(value, option));
  const [anyOf, oneOf] = [each('anyOf'), each('oneOf')];
  const forbidden = findMember(schema, 'not');
  return all([
    ...each('allOf'),
    anyOf.length === 0 ? true : any(anyOf),
    oneOf.length === 0 ? true : exactlyOne(oneOf),
    forbidden === undefined ? true : not(below(value, forbidden)),
    judgeCondition(value, schema, below),
  ]);
}

function exactlyOne(verdicts: readonly Verdict[]): Verdict {
  const right = verdicts.filter((verdict) => verdict === true).length;
  if (right > 1) return false;
  return verdicts.includes(undefined) ? undefined : right === 1;
}

function judgeCondition(value: Json, schema: JsonObject, below: Below): Verdict {
  const condition = findMember(schema, 'if');
  if (condition === undefined) return true;
  const holds = below(value, condition);
  const branches = [findMember(schema, 'then') ?? true, findMember(schema, 'else') ?? true] as const;
  if (holds === undefined) {
    const both = branches.map((branch) => below(value, branch));
    return both[0] === both[1] ? both[0] : undefined;
  }
  return below(value, holds ? branches[0] : branches[1]);
}

function judgeNumber(value: number, schema: JsonObject): Verdict {
  const bounds: readonly [string, (limit: number) => boolean][] = [
    ['minimum', (limit) => value >= limit],
    ['maximum', (limit) => value <= limit],
    ['exclusiveMinimum', (limit) => value > limit],
    ['exclusiveMaximum', (limit) => value < limit],
  ];
  const step = findMember(schema, 'multipleOf');
  // A fraction of a fraction is not exact.
  const isStep = typeof step !== 'number' || (Number.isInteger(step) && step > 0 ? value % step === 0 : undefined);
  return all([...bounds.map(([key, holds]) => withinLimit(schema, key, holds)), isStep]);
}

function withinLimit(schema: JsonObject, key: string, holds: (limit: number) => boolean): Verdict {
  const limit = findMember(schema, key);
  return typeof limit !== 'number' || holds(limit);
}

function judgeText(value: string, schema: JsonObject): Verdict {
  const length = [...value].length;
  return all([
    withinLimit(schema, 'minLength', (limit) => length >= limit),
    withinLimit(schema, 'maxLength', (limit) => length <= limit),
    Object.hasOwn(schema, 'pattern') ? undefined : true,
  ]);
}

function judgeList(value: readonly Json[], schema: JsonObject, below: Below): Verdict {
  const first = findMember(schema, 'prefixItems') ?? findMember(schema, 'items');
  const tuple = Array.isArray(first) ? first : [];
  const rest = findMember(schema, Array.isArray(findMember(schema, 'items')) ? 'additionalItems' : 'items');
  const unsure = ['contains', 'uniqueItems', 'unevaluatedItems'].some((key) => Object.hasOwn(schema, key));
  return all([
    withinLimit(schema, 'minItems', (limit) => value.length >= limit),
    withinLimit(schema, 'maxItems', (limit) => value.length <= limit),
    ...value.map((item, at) => below(item, at < tuple.length ? (tuple[at] ?? true) : (rest ?? true))),
    unsure ? undefined : true,
  ]);
}

const unsureOfObjects = ['patternProperties', 'dependentRequired', 'dependentSchemas', 'dependencies'];

function judgeObject(value: JsonObject, schema: JsonObject, below: Below): Verdict {
  const keys = Object.keys(value);
  const properties = findObject(schema, 'properties') ?? {};
  const others = findMember(schema, 'additionalProperties') ?? true;
  const names = findMember(schema, 'propertyNames') ?? true;
  const unsure = [...unsureOfObjects, 'unevaluatedProperties'].some((key) => Object.hasOwn(schema, key));
  return all([
    findList(schema, 'required').every((key) => typeof key !== 'string' || Object.hasOwn(value, key)),
    withinLimit(schema, 'minProperties', (limit) => keys.length >= limit),
    withinLimit(schema, 'maxProperties', (limit) => keys.length <= limit),
    ...keys.map((key) => below(key, names)),
    ...keys.map((key) => {
      const own = findMember(properties, key);
      if (own !== undefined) return below(value[key] as Json, own);
      return Object.hasOwn(schema, 'patternProperties') ? undefined : below(value[key] as Json, others);
    }),
    unsure ? undefined : true,
  ]);
}

/** The order of the members of an object does not count. */
export function sameJson(one: Json, other: Json): boolean {
  return toCanonicalText(one) === toCanonicalText(other);
}

export function toCanonicalText(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
