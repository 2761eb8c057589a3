/** A real validator, by the draft that a schema names. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';

export type Accepts = (value: Json) => boolean;

/** Formats are not checked: what passes without them is more, so that the comparison is stricter. */
const options = {
  strict: false,
  ownProperties: true,
  validateFormats: false,
  logger: false,
  validateSchema: false,
} as const;

/** Making a validator takes longer than most schemas. */
const validators = { 'draft-07': new Ajv(options), '2020-12': new Ajv2020(options) };

/** Undefined when the validator cannot use the schema. */
export function compile(schema: JsonObject, draft: 'draft-07' | '2020-12' = draftOf(schema)): Accepts | undefined {
  try {
    const check = validators[draft].compile(schema);
    validators[draft].removeSchema(schema);
    return (value) => {
      try {
        return check(value) === true;
      } catch {
        // A reference that leads to itself.
        return false;
      }
    };
  } catch {
    return undefined;
  }
}

function draftOf({ $schema }: JsonObject): 'draft-07' | '2020-12' {
  return typeof $schema === 'string' && /draft-0/.test($schema) ? 'draft-07' : '2020-12';
}
