/**
 * One item as a server defines it: a tool, a prompt, a resource or a resource template. The definition is kept as it came,
 * unknown members included. Only what would make a client reject the whole list is repaired, hidden characters are removed, or
 * the item is left out. Each of these is reported.
 */
import type { ErrorCode } from '../base/errors/errors.ts';
import { findMember, findString, isObject, type Json, type JsonObject, withMembers } from '../base/json/json.ts';
import { changedMembers, cleanDefinition } from './clean.ts';
import { cutText } from './cut.ts';
import { type Kind, kindRules } from './kind.ts';

export interface Item {
  /** The server's own identifier: a name, a URI or a URI template. */
  readonly name: string;
  /** The same without hidden characters: the name that clients see. */
  readonly shown: string;
  readonly definition: JsonObject;
}

/** A problem in a list of a server, for the person who runs the Workbench. */
export interface ListProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** How large the schemas of one tool may be. */
export interface ItemLimits {
  readonly schemaBytes: number;
  readonly schemaDepth: number;
  /** The checks that an item can fail; all of them unless `findChecks` has looked at the whole text. */
  readonly checks?: ItemChecks;
}

export interface ItemChecks {
  /** Members other than names may hold hidden characters. */
  readonly hidden: boolean;
  /** A schema may be too large. */
  readonly size: boolean;
}

const allChecks: ItemChecks = { hidden: true, size: true };

export interface ParsedItem {
  readonly item?: Item;
  readonly problems: readonly ListProblem[];
  /** The members from which hidden characters were removed. */
  readonly cleaned: readonly string[];
}

/** For a tool, in bytes: everything that a model reads about it takes space in its context. */
const maxDescriptionLength = 16 * 1_024;
const maxNameLength = { name: 512, uri: 4_096, uriTemplate: 4_096 } as const;
/** Real schemas stay far below. Deeper ones cannot be written as text any more, and one such item would break the list. */
const deepest = 128;

type Check = readonly [string, (value: Json) => boolean];
const isString = (value: Json) => typeof value === 'string';
const everywhere: readonly Check[] = [
  ['title', isString],
  ['description', isString],
  ['_meta', isObject],
  ['icons', Array.isArray],
];
const ofResources: readonly Check[] = [...everywhere, ['annotations', isObject], ['mimeType', isString]];

/** Members whose type clients check: one wrong type, and the client refuses the whole list. */
const checked: Readonly<Record<Kind, ReadonlyMap<string, Check[1]>>> = {
  tools: new Map([...everywhere, ['annotations', isObject], ['outputSchema', isObject]]),
  prompts: new Map([...everywhere, ['arguments', isArgumentList]]),
  resources: new Map([...ofResources, ['size', (value) => typeof value === 'number']]),
  resourceTemplates: new Map(ofResources),
};

export function parseItem(kind: Kind, entry: Json, limits: ItemLimits): ParsedItem {
  const { noun, identity } = kindRules[kind];
  const { checks = allChecks } = limits;
  if (!isObject(entry)) return malformed('an entry of the list is not an object');
  const name = findString(entry, identity);
  if (name === undefined || name === '') return malformed(`a ${noun} has no ${identity}`);
  if (name.length > maxNameLength[identity])
    return malformed(`a ${noun} has a ${identity} of ${name.length} characters`);
  // A definition that is flat enough as a whole need not be checked part by part.
  const deep = isDeeper(entry, Math.min(deepest, limits.schemaDepth));
  if (deep && isDeeper(entry, deepest))
    return malformed(`${noun} '${name}' is nested more than ${deepest} levels deep`);
  const over = kind === 'tools' && (deep || checks.size) ? findOverLimit(entry, limits, deep) : undefined;
  if (over !== undefined)
    return { problems: [{ code: 'WB1021', message: `tool '${name}' is left out: ${over}` }], cleaned: [] };

  const needed = kind === 'tools' ? repairSchema(name, entry) : repairName(kind, name, entry);
  if (typeof needed === 'string') return malformed(needed);
  let repairs: Record<string, Json | undefined> | undefined = needed;
  for (const key of Object.keys(entry))
    if (checked[kind].get(key)?.(entry[key] as Json) === false) repairs = { ...repairs, [key]: undefined };
  const whole = repairs === undefined ? entry : withMembers(entry, repairs);
  const seen = cleanDefinition(whole, { plain: !checks.hidden });
  // Nearly every item is as it should be, and all of them are looked at before a client has its first list.
  if (seen === entry && !isLong(entry)) return { item: { name, shown: name, definition: entry }, ...noProblems };
  const shown = findString(seen, identity) ?? '';
  if (shown === '') return malformed(`a ${noun} has a ${identity} without a visible character`);
  const { definition, problems } = kind === 'tools' ? cutDescription(name, seen) : { definition: seen, problems: [] };
  const { problems: malformations } =
    repairs === undefined
      ? { problems: [] }
      : malformed(`${noun} '${name}' was repaired (${Object.keys(repairs).join(', ')})`);
  return {
    item: { name, shown, definition },
    problems: [...malformations, ...problems],
    cleaned: seen === whole ? [] : changedMembers(whole, seen),
  };
}

function malformed(message: string): ParsedItem {
  return { problems: [{ code: 'WB1015', message }], cleaned: [] };
}

const noProblems = { problems: [], cleaned: [] };

/** Whether a description might have to be cut. */
function isLong({ description }: JsonObject): boolean {
  // A UTF-16 code unit takes at most three bytes.
  return typeof description === 'string' && description.length * 3 > maxDescriptionLength;
}

function cutDescription(name: string, definition: JsonObject): { definition: JsonObject; problems: ListProblem[] } {
  const description = findString(definition, 'description') ?? '';
  const cut = cutText(description, maxDescriptionLength);
  if (cut === description) return { definition, problems: [] };
  const bytes = Buffer.byteLength(description);
  const message = `the description of tool '${name}' has ${bytes} bytes; it is cut at ${maxDescriptionLength}`;
  return { definition: withMembers(definition, { description: cut }), problems: [{ code: 'WB1021', message }] };
}

/** The limit that the schemas of a tool exceed. */
function findOverLimit(entry: JsonObject, limits: ItemLimits, deep: boolean): string | undefined {
  const { schemaBytes, schemaDepth, checks = allChecks } = limits;
  for (const key of ['inputSchema', 'outputSchema']) {
    const schema = findMember(entry, key);
    if (!isObject(schema)) continue;
    if (deep && isDeeper(schema, schemaDepth)) return `its ${key} is nested more than ${schemaDepth} levels deep`;
    if (!checks.size) continue;
    const bytes = Buffer.byteLength(JSON.stringify(schema));
    if (bytes > schemaBytes) return `its ${key} has ${bytes} bytes; the limit is ${schemaBytes}`;
  }
  return undefined;
}

/** What to change in the input schema of a tool, if anything, or why the tool cannot be used. */
function repairSchema(name: string, entry: JsonObject): JsonObject | string | undefined {
  const schema = findMember(entry, 'inputSchema');
  if (!isObject(schema)) return `tool '${name}' has no input schema`;
  const type = findMember(schema, 'type');
  if (type !== undefined && type !== 'object') return `the input schema of tool '${name}' is not of type object`;
  return type === undefined ? { inputSchema: { type: 'object', ...schema } } : undefined;
}

/** Resources need a name besides their URI; without one, the URI is used. */
function repairName(kind: Kind, name: string, entry: JsonObject): JsonObject | undefined {
  return kind !== 'prompts' && findString(entry, 'name') === undefined ? { name } : undefined;
}

function isArgumentList(value: Json): boolean {
  return Array.isArray(value) && value.every((argument) => isObject(argument) && isString(argument.name ?? null));
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeper(member, levels - 1));
  // The cheapest way through an object, because every object of every list is checked at every start.
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' && member !== null && isDeeper(member, levels - 1)) return true;
  }
  return false;
}
