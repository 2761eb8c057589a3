/**
 * A tool in full, as TypeScript with comments: what a model needs to call it, in a third of the tokens of its JSON. Long texts and
 * members below the third level are cut, and the end says so: the JSON has them all.
 */
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import { toTextLine } from './plain-text.ts';
import { addressTextOf } from './tool-line.ts';
import { type Argument, listArguments, resolveReference, toArgumentName, typeTextOf } from './type-text.ts';

export interface DocsOptions {
  /** Longest text of a tool, in characters. */
  readonly maxLength: number;
  /** Longest comment on the tool itself; 0 leaves it out. */
  readonly maxAbout: number;
}

export const wholeDocs: DocsOptions = { maxLength: 6_000, maxAbout: 300 };
/** For a tool that was called wrongly. */
export const repairDocs: DocsOptions = { maxLength: 2_000, maxAbout: 0 };

const maxComment = 110;
const maxDepth = 3;
const maxMembers = 60;

export function toToolDocs({ item, ...entry }: Entry, { maxLength, maxAbout }: DocsOptions = wholeDocs): string {
  const { definition } = item;
  const writer = createWriter(maxLength);
  const description = findString(definition, 'description') ?? '';
  const about = maxAbout === 0 ? '' : toComment(description, maxAbout);
  if (about !== '') writer.line(`/** ${about} */`);
  const root = findObject(definition, 'inputSchema') ?? {};
  const output = findObject(definition, 'outputSchema');
  writer.line(`${addressTextOf({ item, ...entry })}({`);
  writeMembers(writer, root, { root, depth: 1 });
  writer.line(output === undefined ? '})' : `}): ${toInline(output, { root: output, depth: 2 })}`);
  if (writer.isCut() || description.length > maxAbout) writer.note();
  return writer.text();
}

interface Place {
  readonly root: JsonObject;
  readonly depth: number;
}

interface Writer {
  line(text: string): void;
  isCut(): boolean;
  cut(): void;
  /** Says that something is missing. */
  note(): void;
  text(): string;
}

function createWriter(maxLength: number): Writer {
  const lines: string[] = [];
  let room = maxLength;
  let isCut = false;
  return {
    line(text) {
      room -= text.length + 1;
      if (room >= 0) lines.push(text);
      else isCut = true;
    },
    isCut: () => isCut,
    cut() {
      isCut = true;
    },
    note: () => lines.push('// shortened; format "json" has all of it'),
    text: () => lines.join('\n'),
  };
}

function writeMembers(writer: Writer, schema: JsonObject, { root, depth }: Place): void {
  const all = listArguments(schema);
  const indent = '  '.repeat(depth);
  for (const argument of all.slice(0, maxMembers)) writeMember(writer, argument, { root, depth });
  if (all.length <= maxMembers) return;
  writer.line(`${indent}// …+${all.length - maxMembers}`);
  writer.cut();
}

function writeMember(writer: Writer, { key, required, schema }: Argument, { root, depth }: Place): void {
  const indent = '  '.repeat(depth);
  const name = `${toArgumentName(key)}${required ? '' : '?'}`;
  const { inner, isList } = findInner(schema, root);
  const comment = toMemberComment(schema, root);
  const behind = comment === '' ? '' : ` // ${comment}`;
  if (inner === undefined || depth >= maxDepth) {
    if (inner !== undefined) writer.cut();
    const type = typeTextOf(schema, { root, toObject: (each) => toInline(each, { root, depth: depth + 1 }) });
    writer.line(`${indent}${name}: ${type}${behind}`);
    return;
  }
  writer.line(`${indent}${name}: {${behind}`);
  writeMembers(writer, inner, { root, depth: depth + 1 });
  writer.line(`${indent}}${isList ? '[]' : ''}`);
}

/** The object whose members are shown on lines of their own: the value itself, or the items of a list. */
function findInner(schema: Json, root: JsonObject): { inner: JsonObject | undefined; isList: boolean } {
  const own = resolveReference(schema, root);
  const isList = isObject(own) && findMember(own, 'type') === 'array';
  const value = isList ? resolveReference(findMember(own, 'items'), root) : own;
  const hasMembers = isObject(value) && Object.keys(findObject(value, 'properties') ?? {}).length > 0;
  return { inner: hasMembers ? value : undefined, isList };
}

/** `{id: string, url?: string}`, and `object` where that would go too deep. */
function toInline(schema: JsonObject, { root, depth }: Place): string {
  const all = listArguments(schema);
  if (all.length === 0 || depth > maxDepth) return 'object';
  const shown = all.slice(0, 8).map(({ key, required, schema: each }) => {
    const type = typeTextOf(each, { root, toObject: (inner) => toInline(inner, { root, depth: depth + 1 }) });
    return `${toArgumentName(key)}${required ? '' : '?'}: ${type}`;
  });
  return `{${[...shown, ...(all.length > shown.length ? ['…'] : [])].join(', ')}}`;
}

function toMemberComment(schema: Json, root: JsonObject): string {
  const resolved = resolveReference(schema, root);
  if (!isObject(resolved)) return '';
  const own = isObject(schema) ? schema : {};
  const text = toComment(findString(own, 'description') ?? findString(resolved, 'description') ?? '', maxComment);
  const facts = toFacts({ ...resolved, ...own });
  return [text, facts].filter((each) => each !== '').join(' ');
}

/** What must be known beside the type: default, bounds, format. */
function toFacts(schema: JsonObject): string {
  const value = findMember(schema, 'default');
  const isShown = value !== undefined && value !== null && value !== '';
  const [low, high] = ['minimum', 'maximum'].map((key) => findMember(schema, key));
  const format = findString(schema, 'format') ?? findString(schema, 'pattern');
  const facts = [
    isShown ? `default ${toPrintable(JSON.stringify(value), 40)}` : '',
    typeof low === 'number' || typeof high === 'number' ? `${toNumber(low)}..${toNumber(high)}` : '',
    format === undefined ? '' : toPrintable(format, 40),
  ];
  const shown = facts.filter((fact) => fact !== '');
  return shown.length === 0 ? '' : `(${shown.join('; ')})`;
}

function toNumber(value: Json | undefined): string {
  return typeof value === 'number' && Math.abs(value) < 1e12 ? String(value) : '';
}

function toComment(text: string, most: number): string {
  return toTextLine(text, most).replaceAll('*/', '* /');
}
