/** The arguments of the two meta-tools, checked strictly: every mistake at once, each with the field it is about. */

import { findMember, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { quote, quoteList, truncate } from '../../base/text/error-text.ts';
import type { Address } from '../../toolbox/toolbox.ts';

export type Checked<T> = { readonly value: T } | { readonly problem: string };

export function parseOpenToolbox(input: JsonObject): Checked<{ toolbox: string }> {
  const problems: string[] = [];
  const toolbox = readName(input, '', 'toolbox', 'Toolbox', problems);
  rejectOthers(input, '', ['toolbox'], new Map([['toolbox_name', 'toolbox']]), problems);
  return checked({ toolbox }, problems);
}

const useToolKeys = ['tool', 'arguments'];
const renamedInUseTool: ReadonlyMap<string, string> = new Map([
  ['toolbox_name', 'tool.toolbox'],
  ['tool_name', 'tool.name'],
]);
const addressKeys = ['toolbox', 'server', 'name'];
const renamedInAddress: ReadonlyMap<string, string> = new Map([['tool', 'name']]);

/** `readTool` may know the tool of a value that is not an address in three parts. */
export function parseUseTool(
  input: JsonObject,
  readTool?: (value: Json | undefined) => Address | undefined,
): Checked<{ tool: Address; arguments: JsonObject }> {
  const problems: string[] = [];
  const value = findMember(input, 'tool');
  const tool = readTool?.(value) ?? parseAddress(value, 'tool', problems);
  const given = findMember(input, 'arguments');
  if (given !== undefined && !isObject(given)) problems.push(`arguments: Expected object, received ${kindOf(given)}`);
  rejectOthers(input, '', useToolKeys, renamedInUseTool, problems);
  return checked({ tool, arguments: isObject(given) ? given : {} }, problems);
}

const nowhere: Address = { toolbox: '', server: '', name: '' };

/** `path` is the place of the address in the input. */
export function parseAddress(value: Json | undefined, path: string, problems: string[]): Address {
  if (value === undefined) {
    problems.push(`${path}: Required`);
    return nowhere;
  }
  if (!isObject(value)) {
    problems.push(`${path}: Expected object, received ${kindOf(value)}`);
    return nowhere;
  }
  const address = {
    toolbox: readName(value, `${path}.`, 'toolbox', 'Toolbox', problems),
    server: readName(value, `${path}.`, 'server', 'Server', problems),
    name: readName(value, `${path}.`, 'name', 'Tool', problems),
  };
  rejectOthers(value, path, addressKeys, renamedInAddress, problems);
  return address;
}

export function readName(object: JsonObject, path: string, key: string, what: string, problems: string[]): string {
  const value = findMember(object, key);
  if (typeof value === 'string' && value !== '') return value;
  if (value === undefined) problems.push(`${path}${key}: Required`);
  else if (value === '') problems.push(`${path}${key}: ${what} name cannot be empty`);
  else problems.push(`${path}${key}: Expected string, received ${kindOf(value)}`);
  return '';
}

/** `renamed` holds keys of earlier versions of these tools, with what to use now. */
export function rejectOthers(
  object: JsonObject,
  path: string,
  known: readonly string[],
  renamed: ReadonlyMap<string, string>,
  problems: string[],
): void {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const advice = unknown.flatMap((key) =>
    renamed.has(key) ? [` (use '${renamed.get(key)}' instead of '${key}')`] : [],
  );
  const place = path === '' ? '' : `${path}: `;
  problems.push(`${place}Unrecognized key(s) in object: ${quoteList(unknown, quote)}${advice.join('')}`);
}

export function checked<T>(value: T, problems: readonly string[]): Checked<T> {
  return problems.length === 0 ? { value } : { problem: truncate(`Invalid parameters: ${problems.join('; ')}`) };
}

export function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
