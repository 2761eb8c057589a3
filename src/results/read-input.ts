/** The arguments of `read_result`, checked strictly: every mistake at once, each with what to write instead. */
import { findMember, type JsonObject } from '../base/json/json.ts';
import { quote, quoteList, truncate } from '../base/text/error-text.ts';
import { type PathSegment, parsePath, pathForms } from './json-path.ts';
import { parseRange, type Range, rangeForms } from './read-range.ts';

export interface ReadInput {
  readonly handle: string;
  readonly range?: Range | undefined;
  readonly grep?: string | undefined;
  readonly path?: readonly PathSegment[] | undefined;
  /** The path as it was written. */
  readonly pathText?: string | undefined;
}

const keys = ['handle', 'range', 'grep', 'path'];
const maxPattern = 1_000;

export function parseReadInput(input: JsonObject): { readonly value: ReadInput } | { readonly problem: string } {
  const problems: string[] = [];
  const read = (key: string): string | undefined => {
    const value = findMember(input, key);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') problems.push(`${key}: Expected string`);
    else if (value === '') problems.push(`${key}: Cannot be empty`);
    else if (value.length > maxPattern) problems.push(`${key}: Longer than ${maxPattern} characters`);
    else return value;
    return undefined;
  };
  const handle = read('handle') ?? '';
  if ((findMember(input, 'handle') ?? null) === null) problems.push('handle: Required');
  const rangeText = read('range');
  const range = rangeText === undefined ? undefined : parseRange(rangeText);
  if (rangeText !== undefined && range === undefined)
    problems.push(`range: ${quote(rangeText)} is not a range. Write ${rangeForms}`);
  const pathText = read('path');
  const path = pathText === undefined ? undefined : parsePath(pathText);
  if (pathText !== undefined && path === undefined)
    problems.push(`path: ${quote(pathText)} is not a JSON path. Write one such as ${pathForms}`);
  const grep = read('grep');
  if (grep !== undefined && range?.unit === 'chars')
    problems.push('range: With grep, give a range of lines, such as "1-200"');
  const unknown = Object.keys(input).filter((key) => !keys.includes(key));
  if (unknown.length > 0) problems.push(`Unrecognized key(s) in object: ${quoteList(unknown, quote)}`);
  if (problems.length > 0) return { problem: truncate(`Invalid parameters: ${problems.join('; ')}`) };
  return { value: { handle, range, grep, path, pathText } };
}
