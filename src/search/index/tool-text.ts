/**
 * The texts of one tool that are searched, by field. Everything is bounded: a server pays for a long text with shorter weights, and
 * what is over the bound is not searched at all.
 */
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import type { Item } from '../../catalog/item.ts';

/** Fields of a document, in the order of the numbers in an index. */
export const fields = ['name', 'server', 'head', 'rest', 'parameters', 'parameterDocs', 'about'] as const;
export type Field = (typeof fields)[number];

export interface ToolText {
  readonly name: string;
  readonly head: string;
  readonly rest: string;
  readonly parameters: readonly string[];
  readonly parameterDocs: readonly string[];
}

/** Where the first part of a description ends: long descriptions bury their point, and stuffing it with words must not pay. */
const headLength = 300;
const maxRestLength = 4_000;
const maxParameters = 200;
const maxDocsLength = 12_000;
const maxDocLength = 1_000;
const maxDepth = 3;
/** Schemas may be wide and refer to themselves. */
const maxNodes = 1_000;

export function toToolText({ shown, definition }: Item): ToolText {
  const title =
    findString(definition, 'title') ?? findString(findObject(definition, 'annotations') ?? {}, 'title') ?? '';
  const description = findString(definition, 'description') ?? '';
  const { parameters, docs } = readParameters(findObject(definition, 'inputSchema') ?? {});
  const cut = toWordEnd(description, headLength);
  return {
    name: shown,
    head: `${title.slice(0, headLength)} . ${description.slice(0, cut)}`,
    rest: description.slice(cut, cut + maxRestLength),
    parameters,
    parameterDocs: docs,
  };
}

/** The end of the word that stands at this place. */
function toWordEnd(text: string, at: number): number {
  if (text.length <= at) return text.length;
  const space = text.indexOf(' ', at);
  return space < 0 || space > at + 40 ? at : space;
}

interface Parameters {
  readonly parameters: readonly string[];
  readonly docs: readonly string[];
}

/** Names, descriptions and enumerated values of the parameters, to three levels of nesting. */
function readParameters(root: JsonObject): Parameters {
  const parameters: string[] = [];
  const docs: string[] = [];
  let nodes = 0;
  let length = 0;
  const takeDoc = (value: Json | undefined) => {
    if (typeof value !== 'string' || length >= maxDocsLength) return;
    const doc = value.slice(0, maxDocLength);
    length += doc.length;
    docs.push(doc);
  };
  const visit = (given: Json | undefined, depth: number): void => {
    if (depth > maxDepth || ++nodes > maxNodes) return;
    const schema = follow(root, given);
    if (schema === undefined) return;
    if (depth > 0) takeDoc(findMember(schema, 'description'));
    const values = findMember(schema, 'enum');
    if (Array.isArray(values)) for (const value of values.slice(0, 50)) takeDoc(value);
    const properties = findObject(schema, 'properties');
    if (properties !== undefined)
      for (const key of Object.keys(properties)) {
        if (parameters.length >= maxParameters) break;
        parameters.push(key);
        visit(properties[key], depth + 1);
      }
    const items = findMember(schema, 'items');
    if (items !== undefined) visit(items, Math.max(depth, 1));
    for (const combined of ['anyOf', 'oneOf', 'allOf']) {
      const branches = findMember(schema, combined);
      if (Array.isArray(branches)) for (const branch of branches.slice(0, 20)) visit(branch, Math.max(depth, 1));
    }
  };
  visit(root, 0);
  return { parameters, docs };
}

const localReference = /^#\/(\$defs|definitions)\/([^/]+)$/;

/** The schema that a reference within the same schema stands for. */
function follow(root: JsonObject, schema: Json | undefined): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const reference = findString(schema, '$ref');
  if (reference === undefined) return schema;
  const [, group, key] = localReference.exec(reference) ?? [];
  const target = group === undefined || key === undefined ? undefined : findObject(findObject(root, group) ?? {}, key);
  return target ?? schema;
}
