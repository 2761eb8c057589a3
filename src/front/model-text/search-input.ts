/** The arguments of the tools of mode `search`, checked strictly: every mistake at once, each with the field it is about. */

import { findMember, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import type { Address } from '../../toolbox/toolbox.ts';
import { type Checked, checked, kindOf, parseAddress, readName, rejectOthers } from './meta-input.ts';

export interface SearchInput {
  readonly queries: readonly string[];
  readonly toolbox: string | undefined;
  readonly limit: number;
}

export interface DescribeInput {
  readonly tools: readonly Address[];
  readonly format: 'ts' | 'json';
}

export interface BrowseInput {
  readonly toolbox: string;
  readonly filter: string | undefined;
  readonly cursor: string | undefined;
}

const maxQueries = 4;
const defaultLimit = 5;
const maxLimit = 20;
const maxTools = 20;
/** A query, a filter: longer ones are not words any more. */
const maxLength = 1_000;
const none: ReadonlyMap<string, string> = new Map();

export function parseSearch(input: JsonObject): Checked<SearchInput> {
  const problems: string[] = [];
  const queries = readList(input, 'queries', maxQueries, problems).map((query, at) =>
    readText(query, `queries[${at}]`, problems),
  );
  const limit = findMember(input, 'limit') ?? defaultLimit;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    problems.push(`limit: Expected an integer from 1 to ${maxLimit}, received ${toShown(limit)}`);
  const toolbox = readOptional(input, 'toolbox', problems);
  rejectOthers(input, '', ['queries', 'toolbox', 'limit'], new Map([['query', 'queries']]), problems);
  return checked({ queries, toolbox, limit: Number(limit) }, problems);
}

export function parseDescribe(
  input: JsonObject,
  readTool: (value: Json) => Address | undefined,
): Checked<DescribeInput> {
  const problems: string[] = [];
  const tools = readList(input, 'tools', maxTools, problems).map(
    (tool, at) => readTool(tool) ?? parseAddress(tool, `tools[${at}]`, problems),
  );
  const format = findMember(input, 'format') ?? 'ts';
  if (format !== 'ts' && format !== 'json')
    problems.push(`format: Expected 'ts' or 'json', received ${toShown(format)}`);
  rejectOthers(input, '', ['tools', 'format'], new Map([['tool', 'tools']]), problems);
  return checked({ tools, format: format === 'json' ? 'json' : 'ts' }, problems);
}

export function parseBrowse(input: JsonObject): Checked<BrowseInput> {
  const problems: string[] = [];
  const toolbox = readName(input, '', 'toolbox', 'Toolbox', problems);
  const filter = readOptional(input, 'filter', problems);
  const cursor = readOptional(input, 'cursor', problems);
  rejectOthers(input, '', ['toolbox', 'filter', 'cursor'], none, problems);
  return checked({ toolbox, filter, cursor }, problems);
}

function readList(input: JsonObject, key: string, most: number, problems: string[]): Json[] {
  const value = findMember(input, key);
  if (value === undefined) problems.push(`${key}: Required`);
  else if (!Array.isArray(value)) problems.push(`${key}: Expected array, received ${kindOf(value)}`);
  else if (value.length < 1 || value.length > most)
    problems.push(`${key}: Expected 1 to ${most} entries, received ${value.length}`);
  else return value;
  return [];
}

function readText(value: Json, path: string, problems: string[]): string {
  if (typeof value !== 'string') problems.push(`${path}: Expected string, received ${kindOf(value)}`);
  else if (value.trim() === '') problems.push(`${path}: cannot be empty`);
  else if (value.length > maxLength) problems.push(`${path}: ${value.length} characters; the limit is ${maxLength}`);
  else return value;
  return '';
}

function readOptional(input: JsonObject, key: string, problems: string[]): string | undefined {
  const value = findMember(input, key);
  return value === undefined ? undefined : readText(value, key, problems);
}

function toShown(value: Json): string {
  return typeof value === 'number' ? String(value) : isObject(value) ? 'object' : kindOf(value);
}
