/** JSON as a value: the parsed form of every message. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a text holds; undefined for any other value and for a text that is not JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An own member, never one of the prototype: everything a peer names is looked up with this. */
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

/** Empty when the member is not a list. */
export function findList(object: JsonObject, key: string): Json[] {
  const value = findMember(object, key);
  return Array.isArray(value) ? value : [];
}

/** The same object without some members. */
export function withoutMembers(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) if (!keys.includes(key)) define(copy, key, object[key] as Json);
  return copy;
}

/** The same object with some members set, each in its old place or at the end; a member set to undefined is removed. */
export function withMembers(object: JsonObject, members: Record<string, Json | undefined>): JsonObject {
  const keys = Object.keys(members);
  // The engine's own copy is by far the fastest, and treats `__proto__` as an ordinary name.
  const copy: Record<string, Json | undefined> = { ...object, ...members };
  if (keys.every((key) => members[key] !== undefined)) return copy as JsonObject;
  return withoutMembers(
    copy as JsonObject,
    keys.filter((key) => members[key] === undefined),
  );
}

/** Sets an own member even when a peer names it `__proto__`. */
function define(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
