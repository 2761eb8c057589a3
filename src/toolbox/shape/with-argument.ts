/** The input schema of a tool with another description, or a default, for one of its arguments. */
import { findMember, findObject, isObject, type Json, type JsonObject, withMembers } from '../../base/json/json.ts';
import { checkValue } from './check-value.ts';

export interface ArgumentEdit {
  readonly name: string;
  readonly description?: string | undefined;
  readonly default?: {
    readonly value: Json;
    /** Whether a client may see the value. */
    readonly secret: boolean;
  };
}

/** Undefined when no schema at the top names the argument. */
export function withArgument(schema: JsonObject, edit: ArgumentEdit): JsonObject | 'misfit' | undefined {
  const seen = { named: false, misfit: false };
  const edited = editSchema(schema, { edit, root: schema, seen, always: true });
  if (seen.misfit) return 'misfit';
  return seen.named ? edited : undefined;
}

interface Editing {
  readonly edit: ArgumentEdit;
  readonly root: JsonObject;
  readonly seen: { named: boolean; misfit: boolean };
  /** This part of the schema always holds. */
  readonly always: boolean;
}

const alternatives = ['anyOf', 'oneOf'] as const;

function editSchema(schema: JsonObject, editing: Editing): JsonObject {
  const { edit, seen, always } = editing;
  const changes: Record<string, Json | undefined> = {};
  const properties = findObject(schema, 'properties');
  const own = properties && findMember(properties, edit.name);
  if (properties !== undefined && own !== undefined) {
    seen.named = true;
    changes.properties = withMembers(properties, { [edit.name]: editProperty(own, editing) });
  }
  const required = findMember(schema, 'required');
  if (edit.default !== undefined && always && Array.isArray(required) && required.includes(edit.name)) {
    const rest = required.filter((key) => key !== edit.name);
    changes.required = rest.length === 0 ? undefined : rest;
  }
  const each = (options: Json, holds: boolean) =>
    Array.isArray(options)
      ? options.map((option) => (isObject(option) ? editSchema(option, { ...editing, always: holds }) : option))
      : options;
  if (Object.hasOwn(schema, 'allOf')) changes.allOf = each(schema.allOf as Json, always);
  for (const key of alternatives) if (Object.hasOwn(schema, key)) changes[key] = each(schema[key] as Json, false);
  return Object.keys(changes).length === 0 ? schema : withMembers(schema, changes);
}

function editProperty(property: Json, { edit, root, seen, always }: Editing): Json {
  const { description, default: given } = edit;
  if (given !== undefined && always && checkValue(given.value, property, root) === false) seen.misfit = true;
  const known = isObject(property) ? property : property === true ? {} : undefined;
  if (known === undefined) return property;
  return withMembers(known, {
    ...(description === undefined ? {} : { description }),
    // A default of the server does not hold any more, and a secret is not shown in its place.
    ...(given === undefined ? {} : { default: given.secret ? undefined : given.value }),
  });
}
