/** References inside one schema. Addresses of other documents are never fetched, and members of prototypes never found. */
import { findMember, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { type Path, toPath } from './path.ts';

export interface SchemaTarget {
  readonly schema: JsonObject | boolean;
  readonly path: Path;
  /** What `#` means inside the target. */
  readonly document: SchemaDocument;
}

/** A schema that references inside it begin at: the root, or one with an `$id` of its own. */
export interface SchemaDocument {
  readonly schema: JsonObject;
  readonly path: Path;
}

/** The document that a schema is in, which is the schema itself when it has an `$id`. */
export function toDocument(schema: JsonObject, path: Path, outer: SchemaDocument): SchemaDocument {
  const id = findString(schema, '$id');
  return id === undefined || id.startsWith('#') || schema === outer.schema ? outer : { schema, path };
}

export function findTarget(reference: string, document: SchemaDocument): SchemaTarget | undefined {
  const steps = toSteps(reference, findString(document.schema, '$id'));
  if (steps === undefined) return undefined;
  let at: Json | undefined = document.schema;
  let { path } = document;
  let inside = document;
  for (const step of steps) {
    at = Array.isArray(at) ? findItem(at, step) : isObject(at) ? findMember(at, step) : undefined;
    path = toPath(path, step);
    if (isObject(at)) inside = toDocument(at, path, inside);
  }
  return isObject(at) || typeof at === 'boolean' ? { schema: at, path, document: inside } : undefined;
}

/** The keys of a JSON pointer; undefined for a reference out of the document. */
function toSteps(reference: string, id: string | undefined): string[] | undefined {
  const own = id !== undefined && reference.startsWith(`${id}#`) ? reference.slice(id.length) : reference;
  if (own === '#' || own === '') return [];
  if (!own.startsWith('#/')) return undefined;
  try {
    const steps = decodeURIComponent(own.slice(2)).split('/');
    return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}

function findItem(list: readonly Json[], step: string): Json | undefined {
  return /^(?:0|[1-9]\d{0,6})$/.test(step) ? list[Number(step)] : undefined;
}
