/** `enum` and `const`: the values that are allowed, by their type. */
import { findMember, type Json, type JsonObject } from '../../base/json/json.ts';
import { type Case, type Form, noText, type TypeName, toOpenCase } from './form.ts';
import type { SchemaReading, SchemaSpot } from './reading.ts';

const maxSaidLength = 200;

/** Undefined when every value of the type is allowed, or the list cannot be used. */
export function readChoices(
  schema: JsonObject,
  types: readonly TypeName[] | undefined,
  { path }: SchemaSpot,
  reading: SchemaReading,
): Form | undefined {
  const keyword = ['enum', 'const'].find((key) => Object.hasOwn(schema, key));
  if (keyword === undefined) return undefined;
  const listed = keyword === 'enum' ? findMember(schema, 'enum') : [schema.const as Json];
  const only = findMember(schema, 'const');
  const values = Array.isArray(listed) ? listed : [];
  if (keyword === 'enum' && only !== undefined) reading.note(schema, path, 'const', 'string-enum');
  const allowed = values.filter((value) => isOneOf(value, types));
  const cases = toCases(allowed);
  const isKept = keyword === 'enum' && schema.type === 'string' && cases.length === 1 && holdsAll(cases, values);
  if (!isKept) reading.note(schema, path, keyword, 'string-enum');
  if (allowed.length > 0) return { text: sayChoices(allowed, cases), cases };
  // A list without any value of the type is a mistake of the server; its own check decides.
  return types === undefined ? undefined : { text: sayChoices(values, []), cases: types.map(toOpenCase) };
}

function holdsAll([only]: readonly Case[], values: readonly Json[]): boolean {
  return only?.type === 'string' && only.choices?.length === values.length;
}

function toCases(values: readonly Json[]): Case[] {
  const types = [...new Set(values.map(typeOf))];
  return types
    .filter((type) => type !== 'integer' || !types.includes('number'))
    .map((type) => {
      if (type !== 'string') return toOpenCase(type);
      const choices = [...new Set(values.filter((value) => typeof value === 'string'))];
      return { type, choices: choices.includes('') ? undefined : choices, text: noText };
    });
}

/** What the cases do not hold: numbers, booleans, objects, and strings where one is empty. */
function sayChoices(values: readonly Json[], cases: readonly Case[]): Form['text'] {
  const held = new Set(cases.flatMap((each) => (each.type === 'string' ? (each.choices ?? []) : [])));
  const isHeld = (value: Json) => value === null || (typeof value === 'string' && held.has(value));
  const isEveryBoolean = values.includes(true) && values.includes(false);
  if (values.every((value) => isHeld(value) || (typeof value === 'boolean' && isEveryBoolean))) return noText;
  const said = values.map((value) => JSON.stringify(value)).join(', ');
  if (said.length > maxSaidLength) return noText;
  return { ...noText, facts: [values.length === 1 ? `Always ${said}.` : `One of ${said}.`] };
}

function isOneOf(value: Json, types: readonly TypeName[] | undefined): boolean {
  if (types === undefined) return true;
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object';
}
