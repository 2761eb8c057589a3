/** A tool as one line: its signature and its purpose. */

import { findList, findMember, findString, isObject } from '../../base/json/json.ts';
import type { Entry } from '../../index.ts';
import { findArgumentSchema, toTypeText } from './schema-view.ts';

/** `server.tool(a: string, b?: number)`. */
export function toSignature({ address, tool }: Entry): string {
  const schema = findMember(tool, 'inputSchema');
  return `${address.server}.${findString(tool, 'name') ?? address.name}(${isObject(schema) ? toParameters(schema) : ''})`;
}

function toParameters(schema: Parameters<typeof findMember>[0]): string {
  const properties = findMember(schema, 'properties');
  if (!isObject(properties)) return '';
  const required = new Set(findList(schema, 'required'));
  return Object.keys(properties)
    .map((key) => `${key}${required.has(key) ? '' : '?'}: ${toTypeText(findArgumentSchema(schema, key), schema)}`)
    .join(', ');
}

/** The description of the tool, up to the end of the first sentence or line. */
export function toFirstSentence({ tool }: Entry): string {
  return toPlainSentence(findString(tool, 'description') ?? findString(tool, 'title') ?? '');
}

/** A text up to the end of its first sentence or line. */
export function toPlainSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?](?=\s)/);
  return (end < 0 ? line : line.slice(0, end + 1)).trim();
}
