/** Small changes to a schema for the arguments of a tool. */
import { findList, findMember, isObject, type Json, type JsonObject, withMembers } from '../../base/json/json.ts';

/** Members without a say in what is accepted, for arguments, which are always an object. */
const silent = new Set(['title', 'description', '$comment', 'default', 'examples', 'deprecated']);

/** Whether a schema accepts all arguments, as far as that is easily seen. */
export function isTrue(schema: Json): boolean {
  if (!isObject(schema)) return schema === true;
  return Object.entries(schema).every(([key, value]) => {
    if (key === 'properties') return isObject(value) && Object.keys(value).length === 0;
    return (
      silent.has(key) || (key === 'type' && value === 'object') || (key === 'additionalProperties' && value === true)
    );
  });
}

/** Members that stay beside those of another schema without a change of their meaning. */
const neutral = new Set([...silent, 'type', '$schema', '$defs', 'definitions']);

/** A schema that consists of a reference becomes what it refers to: some clients refuse `allOf` at the top. */
export function withAlso(schema: JsonObject, also: readonly Json[]): JsonObject {
  const [only, ...others] = also;
  if (only === undefined) return schema;
  const keys = Object.keys(schema).filter((key) => key !== 'allOf');
  const canJoin = isObject(only) && others.length === 0 && !Object.hasOwn(schema, 'allOf');
  if (canJoin && keys.every((key) => neutral.has(key)) && (only.type ?? 'object') === (schema.type ?? 'object'))
    return { ...only, ...schema };
  return withMembers(schema, { allOf: [...findList(schema, 'allOf'), ...also] });
}

/** The same object when nothing differs. */
export function withChanges(schema: JsonObject, changes: Record<string, Json | undefined>): JsonObject {
  const differing = Object.entries(changes).filter(([key, value]) => !sameShallow(findMember(schema, key), value));
  return differing.length === 0 ? schema : withMembers(schema, Object.fromEntries(differing));
}

function sameShallow(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => each === other[at]);
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && one[key] === other[key])
  );
}
