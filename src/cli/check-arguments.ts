/** Whether a tool knows the arguments it is given. What it would ignore is mentioned; what it would refuse is refused here. */
import { type JsonObject, nearestNames, toPrintable, WorkbenchError } from '../index.ts';
import { findMember, isObject } from './json-view.ts';

export interface Checked {
  /** As a person writes it. */
  readonly tool: string;
  readonly inputSchema: JsonObject;
  readonly given: JsonObject;
}

/** What to say about arguments that the tool does not name; they are sent all the same. Throws when it takes no others. */
export function findUnknownArguments({ tool, inputSchema, given }: Checked): string[] {
  const properties = findMember(inputSchema, 'properties');
  const others = findMember(inputSchema, 'additionalProperties');
  const names = isObject(properties) ? Object.keys(properties) : [];
  // A schema that is put together of others, or has rules for other names, says more than is looked at here.
  const open = [others === true || isObject(others), ...elsewhere.map((key) => Object.hasOwn(inputSchema, key))];
  if (open.includes(true) || (names.length === 0 && others !== false)) return [];
  const unknown = Object.keys(given).filter((key) => !names.includes(key));
  const [first] = unknown;
  if (others === false && first !== undefined)
    throw new WorkbenchError('WB1914', `${tool} takes no argument "${toPrintable(first, 80)}".`, {
      fix: toFix(first, names),
    });
  return unknown.map(
    (key) => `note ${tool} names no argument "${toPrintable(key, 80)}"; it is sent all the same. ${toFix(key, names)}`,
  );
}

const elsewhere = ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'];

function toFix(key: string, names: readonly string[]): string {
  if (names.length === 0) return 'It takes none.';
  const near = nearestNames(key, names, 1);
  return toPrintable(near.length > 0 ? `Did you mean: ${near[0]}` : `There are: ${names.join(', ')}.`, 1_000);
}
