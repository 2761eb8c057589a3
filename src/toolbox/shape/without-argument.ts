/**
 * The input schema of a tool without one of its arguments: it accepts what the whole schema accepts once the argument is there with
 * its fixed value, or stays away. The argument is taken out wherever the schema speaks of the same object: at its top, in its
 * combinations (`allOf`, `anyOf`, `oneOf`, `not`, `if`) and behind its references. Where the outcome depends on a rule that is not
 * evaluated here, the argument is not taken out, and the reason is returned.
 */
import {
  findMember,
  findObject,
  isObject,
  type Json,
  type JsonObject,
  withMembers,
  withoutMembers,
} from '../../base/json/json.ts';
import { resolveRef } from '../../base/json/resolve-ref.ts';
import { checkValue, type Verdict } from './check-value.ts';
import { isTrue, withAlso, withChanges } from './schema-parts.ts';

/** Without a value the argument is never sent. */
export interface GivenArgument {
  readonly name: string;
  readonly value?: Json;
}

export type Reduced =
  | {
      readonly schema: JsonObject;
      /** Whether a schema names the argument, or names none at all. */
      readonly named: boolean;
    }
  | { readonly problem: string };

/** References can multiply a schema. */
const maxSteps = 5_000;

export function withoutArgument(schema: JsonObject, argument: GivenArgument): Reduced {
  const reduction = new Reduction(schema, argument);
  try {
    const reduced = reduction.reduce(schema, false);
    if (reduced === false) return { problem: reduction.describeMisfit() };
    const object = isObject(reduced) ? reduced : { type: 'object' };
    return { schema: reduction.withoutUnused(object), named: reduction.named || !reduction.namesOthers };
  } catch (error) {
    if (error instanceof Unsure) return { problem: error.message };
    throw error;
  }
}

class Unsure extends Error {}

class Reduction {
  named = false;
  namesOthers = false;
  readonly #root: JsonObject;
  readonly #argument: GivenArgument;
  readonly #open = new Set<Json>();
  readonly #inlined = new Set<string>();
  #steps = 0;

  constructor(root: JsonObject, argument: GivenArgument) {
    this.#root = root;
    this.#argument = argument;
  }

  /** `exact`: an answer that is only likely would turn the meaning of the schema around. */
  reduce(schema: Json, exact: boolean): Json {
    if (!isObject(schema)) return schema;
    if (++this.#steps > maxSteps || this.#open.has(schema))
      throw new Unsure('its schema refers to itself or is too large');
    for (const key of ['$dynamicRef', '$recursiveRef', 'enum', 'const'])
      if (Object.hasOwn(schema, key)) throw new Unsure(`its schema has "${key}" for all arguments together`);
    this.#open.add(schema);
    try {
      return this.#reduceObject(schema, exact);
    } finally {
      this.#open.delete(schema);
    }
  }

  describeMisfit(): string {
    const { name, value } = this.#argument;
    return value === undefined
      ? `the argument "${name}" is required, so that it cannot be hidden without a "value"`
      : `the value for the argument "${name}" does not fit the schema of the tool`;
  }

  /** Definitions that were only used where they have been taken over are dropped: they still show the argument. */
  withoutUnused(schema: JsonObject): JsonObject {
    let kept = schema;
    for (const ref of this.#inlined) {
      const [, keyword = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
      const definitions = findObject(kept, keyword);
      if (definitions === undefined || !Object.hasOwn(definitions, name)) continue;
      const rest = withoutMembers(definitions, [name]);
      const others = withMembers(kept, { [keyword]: Object.keys(rest).length === 0 ? undefined : rest });
      if (!JSON.stringify(others).includes(JSON.stringify(ref))) kept = others;
    }
    return kept;
  }

  #reduceObject(schema: JsonObject, exact: boolean): Json {
    const { name } = this.#argument;
    const changes: Record<string, Json | undefined> = {};
    const also: Json[] = [];
    if (!this.#sure(this.#judgeArgument(schema), exact)) return false;
    const properties = findObject(schema, 'properties');
    if (properties !== undefined && Object.hasOwn(properties, name))
      changes.properties = withoutMembers(properties, [name]);

    const required = this.#reduceRequired(schema);
    if (required === false) return false;
    this.#reduceCounts(schema, changes);
    if (typeof changes.maxProperties === 'number' && changes.maxProperties < 0) return false;
    for (const key of ['default', 'examples']) {
      const shown = findMember(schema, key);
      const without = (each: Json) =>
        isObject(each) && Object.hasOwn(each, name) ? withoutMembers(each, [name]) : each;
      if (shown !== undefined) changes[key] = Array.isArray(shown) ? shown.map(without) : without(shown);
    }
    const needed = new Set(required);
    this.#reduceDependent(schema, { changes, needed, also, exact });
    if (Object.hasOwn(schema, 'required') || needed.size > 0)
      changes.required = needed.size === 0 ? undefined : [...needed];

    for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
      const reduced = this.#reduceEach(schema, key, exact || key === 'oneOf');
      if (reduced === false) return false;
      changes[key] = reduced;
    }
    if (!this.#reduceConditions(schema, { changes, also, exact })) return false;
    if (!this.#reduceRef(schema, { changes, also, exact })) return false;
    if (also.includes(false)) return false;
    return withAlso(
      withChanges(schema, changes),
      also.filter((each) => !isTrue(each)),
    );
  }

  /** Whether what this schema says of the argument itself holds. */
  #judgeArgument(schema: JsonObject): Verdict {
    const { name, value } = this.#argument;
    const properties = findObject(schema, 'properties') ?? {};
    if (Object.keys(properties).some((key) => key !== name)) this.namesOthers = true;
    const own = findMember(properties, name);
    if (own !== undefined) this.named = true;
    if (value === undefined) return true;
    const names = findMember(schema, 'propertyNames');
    const fits = names === undefined ? true : checkValue(name, names, this.#root);
    if (fits === false) return false;
    if (Object.hasOwn(schema, 'patternProperties'))
      return own === undefined ? undefined : and(checkValue(value, own, this.#root), undefined);
    const rule = own ?? findMember(schema, 'additionalProperties');
    const verdict = rule === undefined ? true : checkValue(value, rule, this.#root);
    const isLoose = own === undefined && rule === undefined && Object.hasOwn(schema, 'unevaluatedProperties');
    return and(fits, isLoose ? undefined : verdict);
  }

  /** What cannot be told is taken to hold, because the server checks it too. */
  #sure(verdict: Verdict, exact: boolean): boolean {
    if (verdict === undefined && exact)
      throw new Unsure(`a rule for "${this.#argument.name}" in its schema cannot be evaluated here`);
    return verdict !== false;
  }

  #reduceRequired(schema: JsonObject): Json[] | false {
    const { name, value } = this.#argument;
    const required = findMember(schema, 'required');
    const list = Array.isArray(required) ? required : [];
    return value === undefined && list.includes(name) ? false : list.filter((key) => key !== name);
  }

  #reduceCounts(schema: JsonObject, changes: Record<string, Json | undefined>): void {
    if (this.#argument.value === undefined) return;
    for (const key of ['minProperties', 'maxProperties']) {
      const count = findMember(schema, key);
      if (typeof count === 'number') changes[key] = key === 'minProperties' && count <= 1 ? undefined : count - 1;
    }
  }

  #reduceDependent(schema: JsonObject, { changes, needed, also, exact }: Parts & { needed: Set<Json> }): void {
    const { name, value } = this.#argument;
    for (const key of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      const map = findObject(schema, key);
      if (map === undefined) continue;
      const kept: [string, Json][] = [];
      for (const [on, rule] of Object.entries(map)) {
        if (on === name) {
          if (value === undefined) continue;
          if (Array.isArray(rule)) for (const each of rule.filter((other) => other !== name)) needed.add(each);
          else also.push(this.reduce(rule, exact));
        } else if (!Array.isArray(rule)) kept.push([on, this.reduce(rule, exact)]);
        else if (value !== undefined) kept.push([on, rule.filter((each) => each !== name)]);
        // The argument stays away, so the one that needs it must stay away too.
        else if (rule.includes(name)) also.push({ properties: { [on]: false } });
        else kept.push([on, rule]);
      }
      changes[key] = kept.length === 0 ? undefined : Object.fromEntries(kept);
    }
  }

  #reduceEach(schema: JsonObject, key: 'allOf' | 'anyOf' | 'oneOf', exact: boolean): Json | undefined | false {
    const options = findMember(schema, key);
    if (!Array.isArray(options) || options.length === 0) return options;
    const reduced = options.map((option) => this.reduce(option, exact));
    if (key === 'allOf') return reduced.includes(false) ? false : reduced;
    const left = reduced.filter((option) => option !== false);
    if (left.length === 0) return false;
    return key === 'anyOf' && left.some(isTrue) ? undefined : left;
  }

  #reduceConditions(schema: JsonObject, { changes, also, exact }: Parts): boolean {
    const forbidden = findMember(schema, 'not');
    if (forbidden !== undefined) {
      const reduced = this.reduce(forbidden, true);
      if (isTrue(reduced)) return false;
      changes.not = reduced === false ? undefined : reduced;
    }
    const condition = findMember(schema, 'if');
    if (condition === undefined) return true;
    const reduced = this.reduce(condition, true);
    const branch = (key: 'then' | 'else') => this.reduce(findMember(schema, key) ?? true, exact);
    if (reduced === false || isTrue(reduced)) {
      also.push(branch(reduced === false ? 'else' : 'then'));
      for (const key of ['if', 'then', 'else']) changes[key] = undefined;
      return true;
    }
    changes.if = reduced;
    for (const key of ['then', 'else'] as const) if (Object.hasOwn(schema, key)) changes[key] = branch(key);
    return true;
  }

  #reduceRef(schema: JsonObject, { changes, also, exact }: Parts): boolean {
    const ref = findMember(schema, '$ref');
    if (ref === undefined) return true;
    const target = resolveRef(this.#root, ref);
    if (target === undefined) throw new Unsure('its schema has a reference that leads out of it');
    const reduced = this.reduce(target, exact);
    if (reduced === target) return true;
    if (reduced === false) return false;
    this.#inlined.add(String(ref));
    changes.$ref = undefined;
    also.push(reduced);
    return true;
  }
}

interface Parts {
  readonly changes: Record<string, Json | undefined>;
  /** Schemas that hold besides. */
  readonly also: Json[];
  readonly exact: boolean;
}

function and(one: Verdict, other: Verdict): Verdict {
  if (one === false || other === false) return false;
  return one === undefined || other === undefined ? undefined : true;
}
