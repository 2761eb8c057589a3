/** JSON as a value: what every message is made of once it has been parsed. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a text holds; undefined for any other value and for what is no JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An own member, never one from the prototype: everything a peer names is looked up with this. */
export function findMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function findObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = findMember(object, key);
  return isObject(value) ? value : undefined;
}

export function findString(object: JsonObject, key: string): string | undefined {
  const value = findMember(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The same object without some members. */
export function withoutMembers(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) if (!keys.includes(key)) define(copy, key, object[key] as Json);
  return copy;
}

/** The same object with some members set, each in its old place or at the end; a member set to undefined is left out. */
export function withMembers(object: JsonObject, members: Record<string, Json | undefined>): JsonObject {
  const keys = Object.keys(members);
  // The engine's own way to copy is the fastest by far, and takes `__proto__` for a name like any other.
  const copy: Record<string, Json | undefined> = { ...object, ...members };
  if (keys.every((key) => members[key] !== undefined)) return copy as JsonObject;
  return withoutMembers(
    copy as JsonObject,
    keys.filter((key) => members[key] === undefined),
  );
}

/** Sets an own member even when a peer calls it `__proto__`. */
function define(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
