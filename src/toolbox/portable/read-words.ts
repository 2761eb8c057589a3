/** What a schema says in words, and what its removed keywords said. */
import { findString, type Json, type JsonObject } from '../../base/json/json.ts';
import { type FormText, noText } from './form.ts';
import type { SchemaReading, SchemaSpot } from './reading.ts';
import { removedKeywords } from './refused.ts';

const maxFacts = 8;

/** Keywords that are read elsewhere, or stay. */
const readElsewhere = new Set([
  ...['type', 'description', 'enum', 'const', 'properties', 'required', 'items', 'prefixItems', 'additionalItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'additionalProperties', 'patternProperties'],
  ...['propertyNames', '$ref', 'anyOf', 'oneOf', 'allOf', 'x-mcp-header'],
]);

export function readWords(schema: JsonObject, { path }: SchemaSpot, reading: SchemaReading): FormText {
  const facts: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (readElsewhere.has(keyword)) continue;
    const { reason, say } = removedKeywords.get(keyword) ?? { reason: 'annotation' as const };
    reading.note(schema, path, keyword, reason);
    const fact = say?.(value as Json);
    if (fact !== undefined && facts.length < maxFacts) facts.push(fact);
  }
  if (Object.hasOwn(schema, 'description') && typeof schema.description !== 'string')
    reading.note(schema, path, 'description', 'unusable');
  const description = findWords(schema, 'description') ?? findWords(schema, 'title');
  return description === undefined && facts.length === 0 ? noText : { description, facts };
}

function findWords(schema: JsonObject, key: string): string | undefined {
  const text = findString(schema, key)?.trim();
  return text === '' ? undefined : text;
}
