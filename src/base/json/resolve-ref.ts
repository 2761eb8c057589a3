/** Follows a reference inside a schema. */
import { findMember, isObject, type Json, type JsonObject } from './json.ts';

/** Undefined for a reference to another document, to an anchor, or to nothing. */
export function resolveRef(root: JsonObject, ref: Json): Json | undefined {
  if (ref === '#') return root;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decode(part);
    if (key === undefined) return undefined;
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isObject(at) ? findMember(at, key) : undefined;
  }
  return at;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
