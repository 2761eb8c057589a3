/** One tool in full: its description, every parameter with its members, its output, and its annotations. */

import { findList, findMember, findString, isObject } from '../../base/json/json.ts';
import { type Entry, type Json, type JsonObject, toPrintable } from '../../index.ts';
import type { Paint } from './colour.ts';
import { toPrintableLines } from './output.ts';
import { followReference, toTypeText } from './schema-view.ts';
import { wrapIndented } from './wrap-text.ts';

export interface ToolReportOptions {
  readonly paint: Paint;
  readonly width: number;
}

/** Deeper than a person reads, and an end for schemas that contain themselves. */
const deepest = 5;
const maxChoices = 40;

export function toToolLines({ address, publicName, tool }: Entry, options: ToolReportOptions): string[] {
  const { paint, width } = options;
  const { toolbox, server, name } = address;
  const annotations = findMember(tool, 'annotations');
  const hints = isObject(annotations) ? annotations : {};
  const title = findString(tool, 'title') ?? findString(hints, 'title');
  const shown = publicName ?? 'nothing, because another tool has the same public name; see mcp-workbench check';
  const rows = Object.entries(hints).filter(([key]) => key !== 'title');
  return [
    `${paint.bold(toPrintable(`${server}.${name}`, 400))}${title === undefined ? '' : `  ${toPrintable(title)}`}`,
    `  ${paint.dim(toPrintable(`toolbox ${toolbox}, server ${server}; clients see it as ${shown}`, 1_000))}`,
    ...toDescription(findString(tool, 'description'), '  ', width),
    '',
    ...toSection('Parameters', findMember(tool, 'inputSchema'), options, 'none'),
    ...toSection('Answer', findMember(tool, 'outputSchema'), options),
    ...(rows.length === 0 ? [] : ['', paint.bold('Annotations')]),
    ...rows.map(([key, value]) => `  ${toPrintable(`${key}: ${JSON.stringify(value)}`, 400)}`),
  ];
}

function toDescription(text: string | undefined, indent: string, width: number): string[] {
  return text === undefined || text.trim() === ''
    ? []
    : ['', ...wrapIndented(toPrintableLines(text.trim()), indent, width)];
}

function toSection(title: string, schema: Json | undefined, options: ToolReportOptions, nothing?: string): string[] {
  const lines = isObject(schema) ? toMembers(schema, { ...options, root: schema, depth: 1 }) : [];
  if (lines.length === 0 && (nothing === undefined || schema === undefined))
    return nothing === undefined ? [] : [options.paint.bold(title), `  ${nothing}`];
  const start = nothing === undefined ? ['', options.paint.bold(title)] : [options.paint.bold(title)];
  return [...start, ...(lines.length === 0 ? [`  ${nothing}`] : lines)];
}

interface Inside extends ToolReportOptions {
  readonly root: JsonObject;
  readonly depth: number;
}

function toMembers(schema: JsonObject, inside: Inside): string[] {
  const properties = findMember(schema, 'properties');
  if (!isObject(properties)) return [];
  const required = new Set(findList(schema, 'required'));
  const lines = Object.keys(properties).flatMap((key) =>
    toMember(key, findMember(properties, key), required.has(key), inside),
  );
  const closed = findMember(schema, 'additionalProperties') === false && inside.depth === 1;
  return closed ? [...lines, `  ${inside.paint.dim('no other keys are accepted')}`] : lines;
}

function toMember(key: string, given: Json | undefined, required: boolean, inside: Inside): string[] {
  const { paint, width, root, depth } = inside;
  const indent = '  '.repeat(depth);
  const schema = followReference(given, root);
  if (!isObject(schema)) return [`${indent}${toPrintable(key)}: unknown`];
  const head = `${toPrintable(key)}${required ? '' : '?'}: ${toPrintable(toTypeText(schema, root), 1_000)}`;
  const about = [findString(schema, 'description') ?? '', ...toRules(schema)].filter((part) => part !== '').join('\n');
  const holder = findHolder(schema, root);
  const deeper = { ...inside, depth: depth + 1 };
  return [
    indent + paint.bold(head),
    ...(about === '' ? [] : wrapIndented(toPrintableLines(about.trim()), `${indent}    `, width)),
    ...(holder === undefined || depth >= deepest ? [] : toMembers(holder, deeper)),
  ];
}

/**
 * The object whose members are worth showing: the value itself, the elements of a list, or the first alternative that is an
 * object.
 */
function findHolder(schema: JsonObject, root: JsonObject, steps = 0): JsonObject | undefined {
  if (steps > deepest) return undefined;
  if (isObject(findMember(schema, 'properties'))) return schema;
  const inner = [findMember(schema, 'items'), ...findList(schema, 'anyOf'), ...findList(schema, 'oneOf')];
  for (const each of [...inner, ...findList(schema, 'allOf')]) {
    const next = followReference(each, root);
    const found = isObject(next) ? findHolder(next, root, steps + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems'];

function toRules(schema: JsonObject): string[] {
  const fallback = findMember(schema, 'default');
  const choices = findList(schema, 'enum');
  const limits = bounds.flatMap((key) => {
    const value = findMember(schema, key);
    return value === undefined ? [] : [`${key} ${JSON.stringify(value)}`];
  });
  const more = choices.length > maxChoices ? ', …' : '';
  const shown = choices.slice(0, maxChoices).map((choice) => JSON.stringify(choice));
  return [
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(choices.length === 0 ? [] : [`one of ${shown.join(', ')}${more}`]),
    ...(limits.length === 0 ? [] : [limits.join(', ')]),
  ];
}
