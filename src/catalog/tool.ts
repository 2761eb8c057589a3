/**
 * One tool as a server defines it. The definition is kept as it came, unknown members included; only what would make a
 * client reject the whole list is repaired, or the tool is left out, and either is reported.
 */
import { findMember, findString, isObject, type Json, type JsonObject, withMembers } from '../base/json.ts';

export interface Tool {
  readonly name: string;
  readonly definition: JsonObject;
}

const longestName = 512;
/** Real schemas stay far below; from some depth on nothing can be made text of any more, and one tool would cost all. */
const deepest = 128;

/** Members that clients check the type of: one wrong type there and the client refuses every tool. */
const checked: readonly [string, (value: Json) => boolean][] = [
  ['title', (value) => typeof value === 'string'],
  ['description', (value) => typeof value === 'string'],
  ['annotations', isObject],
  ['outputSchema', isObject],
  ['_meta', isObject],
  ['icons', Array.isArray],
];

export function parseTool(entry: Json): { tool?: Tool; problem?: string } {
  if (!isObject(entry)) return { problem: 'an entry of the list is not an object' };
  const name = findString(entry, 'name');
  if (name === undefined || name === '') return { problem: 'a tool has no name' };
  if (name.length > longestName) return { problem: `a tool has a name of ${name.length} characters` };

  if (isDeeper(entry, deepest)) return { problem: `tool '${name}' is nested more than ${deepest} levels deep` };

  const schema = findMember(entry, 'inputSchema');
  if (!isObject(schema)) return { problem: `tool '${name}' has no input schema` };
  const type = findMember(schema, 'type');
  if (type !== undefined && type !== 'object')
    return { problem: `the input schema of tool '${name}' is not of type object` };

  const repairs: Record<string, Json | undefined> = {};
  if (type === undefined) repairs.inputSchema = { type: 'object', ...schema };
  for (const [key, valid] of checked) {
    const value = findMember(entry, key);
    if (value !== undefined && !valid(value)) repairs[key] = undefined;
  }
  const repaired = Object.keys(repairs);
  if (repaired.length === 0) return { tool: { name, definition: entry } };
  return {
    tool: { name, definition: withMembers(entry, repairs) },
    problem: `tool '${name}' was repaired (${repaired.join(', ')})`,
  };
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
