/** Reads members of JSON that came from a server: own members only, under any name. */
import type { Json, JsonObject } from '../index.ts';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function findMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function findText(object: JsonObject, key: string): string | undefined {
  const value = findMember(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function findList(object: JsonObject, key: string): Json[] {
  const value = findMember(object, key);
  return Array.isArray(value) ? value : [];
}
