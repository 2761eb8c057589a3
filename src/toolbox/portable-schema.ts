/**
 * Schemas that every model family takes. Model families and clients refuse different keywords, and most refuse the whole list of
 * tools for one of them. A portable schema has only keywords that all of them take. It accepts every value that the original
 * accepts, and may accept more: the server checks arguments against its own schema.
 */
import type { JsonObject } from '../base/json/json.ts';
import { Meter, WorkExceeded } from './portable/meter.ts';
import { topPath } from './portable/path.ts';
import { findDraft, readSchema } from './portable/read-schema.ts';
import { type ReadingDepth, type SchemaChange, SchemaReading } from './portable/reading.ts';
import { writeArguments } from './portable/write-schema.ts';

export interface PortableSchema {
  /** The original itself when nothing had to be changed. */
  readonly schema: JsonObject;
  readonly changes: readonly SchemaChange[];
}

/** How deep objects and lists are nested, and how often a reference is followed inside itself: the first that is small enough is taken. */
const depths: readonly ReadingDepth[] = [
  { maxLevel: 10, maxRecursion: 1 },
  ...[10, 6, 4, 3, 2].map((maxLevel) => ({ maxLevel, maxRecursion: 0 })),
];
/** A step takes a few microseconds. A large schema has a subschema in every few dozen characters. */
const minSteps = 2_000;
const stepLength = 12;
/** References may be written out up to twice the size of the original, within these bounds. */
const minSize = 16 * 1_024;
const maxSize = 256 * 1_024;

/** The input schema of a tool, made portable. */
export function toPortableSchema(original: JsonObject): PortableSchema {
  const size = measure(original);
  const mostSize = Math.max(size, Math.min(maxSize, Math.max(minSize, 2 * size)));
  for (const depth of depths) {
    const found = tryDepth(original, depth, { mostSize, steps: Math.max(minSteps, size / stepLength) });
    if (found !== undefined) return found;
  }
  const reading = new SchemaReading({ meter: new Meter(0), maxLevel: 0, maxRecursion: 0, draft: '' });
  reading.note(original, topPath, '', 'size');
  return { schema: { type: 'object', properties: {} }, changes: reading.changes };
}

/** A schema that is nested too deep cannot be written as text; the smallest size is right for it. */
function measure(schema: JsonObject): number {
  try {
    return JSON.stringify(schema).length;
  } catch {
    return 0;
  }
}

/** Undefined when the schema becomes too large, or takes too much work. */
function tryDepth(
  original: JsonObject,
  depth: ReadingDepth,
  { mostSize, steps }: { readonly mostSize: number; readonly steps: number },
): PortableSchema | undefined {
  const reading = new SchemaReading({ meter: new Meter(steps), ...depth, draft: findDraft(original) });
  const document = { schema: original, path: topPath };
  try {
    const form = readSchema(original, { path: topPath, document, level: 0, depth: 0, followed: [original] }, reading);
    const schema = writeArguments(form, reading);
    if (original.type !== 'object') reading.note(original, topPath, 'type', 'needs-type');
    if (JSON.stringify(schema).length > mostSize) return undefined;
    const { changes } = reading;
    return { schema: changes.length === 0 ? original : schema, changes };
  } catch (error) {
    if (error instanceof WorkExceeded) return undefined;
    throw error;
  }
}
