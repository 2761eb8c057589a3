/**
 * A tool in full, as TypeScript with comments: what a model needs to call it, in a third of the tokens of its JSON. The larger the
 * tool, the shorter its comments and the fewer of its levels; the end says so, because the JSON has them all.
 */
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { estimateTokens } from '../../base/text/token-estimate.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import { toTextLine } from './plain-text.ts';
import { addressTextOf } from './tool-line.ts';
import { type Argument, listArguments, resolveReference, toArgumentName, typeTextOf } from './type-text.ts';

export interface DocsOptions {
  /** Above this, a tool is shown in less detail. */
  readonly maxTokens: number;
  /** Whether the description of the tool is shown too. */
  readonly about: boolean;
}

const wholeDocs: DocsOptions = { maxTokens: 350, about: true };
/** For a tool that was called wrongly. */
export const repairDocs: DocsOptions = { maxTokens: 400, about: false };

interface Detail {
  /** Longest comments, in characters: on the tool, its required and its optional arguments, and members inside of them. */
  readonly about: number;
  readonly required: number;
  readonly optional: number;
  readonly inner: number;
  /** Levels whose members stand on lines of their own. */
  readonly levels: number;
}

const details: readonly Detail[] = [
  { about: 300, required: 110, optional: 110, inner: 110, levels: 3 },
  { about: 240, required: 80, optional: 80, inner: 50, levels: 3 },
  { about: 200, required: 60, optional: 60, inner: 30, levels: 3 },
  { about: 160, required: 60, optional: 48, inner: 0, levels: 2 },
  { about: 120, required: 60, optional: 30, inner: 0, levels: 1 },
  { about: 100, required: 60, optional: 0, inner: 0, levels: 1 },
];

/** However large the schema is, in lines. */
const maxLines = 120;
const maxInline = 8;

export function toToolDocs(entry: Entry, { maxTokens, about }: DocsOptions = wholeDocs): string {
  let text = '';
  for (let at = 0; at < details.length; at++) {
    const detail = details[at] as Detail;
    text = write(entry, about ? detail : { ...detail, about: 0 });
    const tokens = estimateTokens(text);
    if (tokens <= maxTokens) return text;
    // The next step does not halve it.
    if (tokens > 2 * maxTokens && at + 2 < details.length) at++;
  }
  return text;
}

interface Page extends Detail {
  readonly lines: string[];
  readonly root: JsonObject;
  cut: boolean;
}

function write(entry: Entry, detail: Detail): string {
  const { definition } = entry.item;
  const root = findObject(definition, 'inputSchema') ?? {};
  const page: Page = { ...detail, lines: [], root, cut: false };
  const description = findString(definition, 'description') ?? '';
  const about = detail.about === 0 ? '' : cutComment(page, description, detail.about);
  if (about !== '') page.lines.push(`/** ${about} */`);
  page.lines.push(`${addressTextOf(entry)}({`);
  writeMembers(page, root, 1);
  const output = findObject(definition, 'outputSchema');
  page.lines.push(output === undefined ? '})' : `}): ${toInline(output)}`);
  if (page.cut) page.lines.push('// shortened; format json has all');
  return page.lines.join('\n');
}

function writeMembers(page: Page, schema: JsonObject, level: number): void {
  for (const argument of listArguments(schema)) {
    if (page.lines.length >= maxLines) {
      page.cut = true;
      return;
    }
    writeMember(page, argument, level);
  }
}

function writeMember(page: Page, { key, required, schema }: Argument, level: number): void {
  const indent = '  '.repeat(level);
  const name = `${toArgumentName(key)}${required ? '' : '?'}`;
  const comment = toMemberComment(page, schema, level > 1 ? page.inner : required ? page.required : page.optional);
  const behind = comment === '' ? '' : ` // ${comment}`;
  const { inner, isList } = findInner(schema, page.root);
  if (inner === undefined || level >= page.levels) {
    if (inner !== undefined) page.cut = true;
    const type = typeTextOf(schema, { root: page.root, toObject: toInline });
    page.lines.push(`${indent}${name}: ${type}${behind}`);
    return;
  }
  page.lines.push(`${indent}${name}: {${behind}`);
  writeMembers(page, inner, level + 1);
  page.lines.push(`${indent}}${isList ? '[]' : ''}`);
}

/** The object whose members are shown on lines of their own: the value itself, or the items of a list. */
function findInner(schema: Json, root: JsonObject): { inner: JsonObject | undefined; isList: boolean } {
  const own = resolveReference(schema, root);
  const isList = isObject(own) && findMember(own, 'type') === 'array';
  const value = isList ? resolveReference(findMember(own, 'items'), root) : own;
  const hasMembers = isObject(value) && Object.keys(findObject(value, 'properties') ?? {}).length > 0;
  return { inner: hasMembers ? value : undefined, isList };
}

/** `{id, url?, …}`: the names only. */
function toInline(schema: JsonObject): string {
  const all = listArguments(schema);
  if (all.length === 0) return 'object';
  const names = all.slice(0, maxInline).map(({ key, required }) => `${toArgumentName(key)}${required ? '' : '?'}`);
  return `{${[...names, ...(all.length > names.length ? ['…'] : [])].join(', ')}}`;
}

function toMemberComment(page: Page, schema: Json, most: number): string {
  const resolved = resolveReference(schema, page.root);
  if (!isObject(resolved)) return '';
  const whole = isObject(schema) ? { ...resolved, ...schema } : resolved;
  const text = cutComment(page, findString(whole, 'description') ?? '', most);
  const facts = toFacts(whole, text);
  return [text, facts].filter((each) => each !== '').join(' ');
}

/** What must be known beside the type and is not said yet: default, bounds, format. */
function toFacts(schema: JsonObject, said: string): string {
  const value = findMember(schema, 'default');
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const [low, high] = ['minimum', 'maximum'].map((key) => findMember(schema, key));
  const format = findString(schema, 'format');
  const facts = [
    isScalar && value !== '' && !/default/i.test(said) ? `default ${toPrintable(JSON.stringify(value), 40)}` : '',
    isBound(low) || isBound(high) ? `${isBound(low) ? low : ''}..${isBound(high) ? high : ''}` : '',
    format === undefined ? '' : toPrintable(format, 40),
  ];
  const shown = facts.filter((fact) => fact !== '');
  return shown.length === 0 ? '' : `(${shown.join('; ')})`;
}

/** Bounds that only say which numbers a computer can hold are left out. */
function isBound(value: Json | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) < 1e9;
}

function cutComment(page: Page, text: string, most: number): string {
  if (most === 0) {
    page.cut ||= text !== '';
    return '';
  }
  const line = toTextLine(text, most);
  page.cut ||= line.endsWith('…');
  return line.replaceAll('*/', '* /');
}
