/**
 * Checks that a tool knows the arguments it is given. Arguments that it would ignore are noted; arguments that it would refuse
 * are refused here.
 */

import { findMember, isObject } from '../../base/json/json.ts';
import { type JsonObject, nearestNames, toPrintable, WorkbenchError } from '../../index.ts';

interface Checked {
  /** The tool as a person writes it. */
  readonly tool: string;
  readonly inputSchema: JsonObject;
  readonly given: JsonObject;
}

/** Notes on arguments that the tool does not name; they are sent anyway. Throws when the tool accepts no others. */
export function findUnknownArguments({ tool, inputSchema, given }: Checked): string[] {
  const properties = findMember(inputSchema, 'properties');
  const others = findMember(inputSchema, 'additionalProperties');
  const names = isObject(properties) ? Object.keys(properties) : [];
  // A schema that is composed of others, or has rules for other names, allows more than is checked here.
  const open = [others === true || isObject(others), ...elsewhere.map((key) => Object.hasOwn(inputSchema, key))];
  if (open.includes(true) || (names.length === 0 && others !== false)) return [];
  const unknown = Object.keys(given).filter((key) => !names.includes(key));
  const [first] = unknown;
  if (others === false && first !== undefined)
    throw new WorkbenchError('WB1914', `${tool} does not accept an argument "${toPrintable(first, 80)}".`, {
      fix: toFix(first, names),
    });
  return unknown.map(
    (key) =>
      `note ${tool} does not name an argument "${toPrintable(key, 80)}"; it is sent anyway. ${toFix(key, names)}`,
  );
}

const elsewhere = ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'];

function toFix(key: string, names: readonly string[]): string {
  if (names.length === 0) return 'The tool has no arguments.';
  const near = nearestNames(key, names, 1);
  return toPrintable(near.length > 0 ? `Did you mean: ${near[0]}` : `It accepts: ${names.join(', ')}.`, 1_000);
}
