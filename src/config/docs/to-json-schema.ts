/** The JSON Schema (draft 2020-12) of the configuration file, for editors. */
import { defined } from '../../base/json/defined.ts';
import type { Json, JsonObject } from '../../base/json/json.ts';
import { configShape } from '../model/schema.ts';
import type { ObjectShape, Shape } from '../model/schema-dsl.ts';
import { ignoredKeys, ignoredOauthKeys, oauthKeys, toReading, understoodKeys, unheldKeys } from '../read/foreign.ts';

export function toJsonSchema(): JsonObject {
  const definitions: JsonObject = {};
  const root = objectSchema(configShape, definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'MCP Workbench configuration',
    ...root,
    $defs: definitions,
  };
}

function toSchema(shape: Shape, definitions: JsonObject): JsonObject {
  const described = { description: shape.doc, ...defined({ default: shape.default }) };
  switch (shape.kind) {
    case 'string':
    case 'boolean':
      return { type: shape.kind, ...described };
    case 'integer':
      return { type: 'integer', minimum: shape.min, maximum: shape.max, ...described };
    case 'choice':
      return { type: 'string', enum: [...shape.values], ...described };
    case 'list':
      return { type: 'array', items: toSchema(shape.of, definitions), ...described };
    case 'record':
      return { type: 'object', additionalProperties: toSchema(shape.of, definitions), ...described };
    case 'either':
      return { anyOf: shape.of.map((option) => toSchema(option, definitions)), ...described };
    case 'anything':
      return { ...described, deprecated: true };
    case 'json':
      return described;
    case 'object':
      // Registered before it is filled, so that a shape that contains itself would end.
      if (!Object.hasOwn(definitions, shape.name)) {
        definitions[shape.name] = {};
        definitions[shape.name] = objectSchema(shape, definitions);
      }
      return { $ref: `#/$defs/${shape.name}` };
  }
}

function objectSchema(shape: ObjectShape, definitions: JsonObject): JsonObject {
  const properties: JsonObject = {};
  for (const [key, member] of Object.entries(shape.members)) properties[key] = toSchema(member, definitions);
  const server = shape.name === 'server';
  const oauth = shape.name === 'oauth';
  return {
    type: 'object',
    description: shape.doc,
    // A key that means one thing in another client and one here is ours.
    properties: { ...(server ? foreignProperties() : {}), ...properties, ...(oauth ? foreignOAuthProperties() : {}) },
    patternProperties: { '^(x-|_|//|\\$)': true },
    additionalProperties: false,
    ...(server ? { not: { required: ['command', 'url'] } } : {}),
  };
}

/**
 * The reader accepts these keys, so an editor must not mark them as wrong. They are shown as deprecated, because ours are
 * clearer.
 */
function foreignProperties(): JsonObject {
  const understood = [...understoodKeys].map(([key, foreign]) => [key, `Another client's key, ${toReading(foreign)}.`]);
  const ignored = [...ignoredKeys].map(([key, reason]) => [key, `Another client's key, ignored. ${reason}`]);
  const unheld = [...unheldKeys].map(([key, reason]) => [
    key,
    `Another client's key, which is not enforced here. ${reason}`,
  ]);
  return Object.fromEntries(
    [...understood, ...ignored, ...unheld].map(([key, description]): [string, Json] => [
      key ?? '',
      { description: description ?? '', deprecated: true },
    ]),
  );
}

function foreignOAuthProperties(): JsonObject {
  const understood = [...oauthKeys].map(([key, ours]) => [key, `Another client's key, read as "${ours}".`] as const);
  const ignored = [...ignoredOauthKeys].map(
    ([key, reason]) => [key, `Another client's key, ignored. ${reason}`] as const,
  );
  return Object.fromEntries(
    [...understood, ...ignored].map(([key, description]) => [key, { description, deprecated: true }]),
  );
}
