/** Reads a JSON Schema of any draft into a form. A keyword that cannot be kept widens the form, and is said in words where it is short. */
import {
  findList,
  findMember,
  findObject,
  findString,
  isObject,
  type Json,
  type JsonObject,
} from '../../base/json/json.ts';
import { intersect, unite, withOffers } from './combine.ts';
import {
  anyForm,
  type Case,
  type Form,
  isTypeName,
  joinTexts,
  neverForm,
  noText,
  type TypeName,
  toEveryCase,
  toOpenCase,
} from './form.ts';
import { readChoices } from './read-choices.ts';
import { type ReadInside, readCase } from './read-types.ts';
import { readWords } from './read-words.ts';
import { besideSpot, type SchemaReading, type SchemaSpot } from './reading.ts';
import { findTarget, toDocument } from './references.ts';

/** Schemas that only delegate can nest without a level of values. */
const maxDepth = 100;

export function readSchema(schema: Json, spot: SchemaSpot, reading: SchemaReading): Form {
  reading.meter.step();
  if (typeof schema === 'boolean') {
    reading.note(spot, spot.path, '', 'boolean-schema');
    return schema ? anyForm : neverForm;
  }
  if (!isObject(schema)) {
    reading.note(spot, spot.path, '', 'unusable');
    return anyForm;
  }
  if (spot.depth > maxDepth) {
    reading.note(schema, spot.path, '', 'size');
    return anyForm;
  }
  const here = { ...spot, document: toDocument(schema, spot.path, spot.document) };
  const target = readReference(schema, here, reading);
  if (target !== undefined && reading.referencesStandAlone)
    return { ...target, text: joinTexts(readWords(schema, here, reading), target.text) };
  let form = readOwn(schema, here, reading);
  if (target !== undefined) form = intersect(form, target, reading.meter);
  form = readCombinators(schema, form, here, reading);
  return readConditions(schema, form, here, reading);
}

/** What the reference of a schema leads to; undefined without one. */
function readReference(schema: JsonObject, spot: SchemaSpot, reading: SchemaReading): Form | undefined {
  const reference = findMember(schema, '$ref');
  if (reference === undefined) return undefined;
  reading.note(schema, spot.path, '$ref', 'reference');
  const target = typeof reference === 'string' ? findTarget(reference, spot.document) : undefined;
  if (target === undefined) return anyForm;
  const { schema: found, path, document } = target;
  if (typeof found === 'boolean') return found ? anyForm : neverForm;
  if (spot.followed.filter((one) => one === found).length > reading.maxRecursion) {
    reading.note(schema, spot.path, '$ref', 'recursion');
    return readTypesOnly(found, spot, reading);
  }
  const followed = [...spot.followed, found];
  return readSchema(found, { ...spot, path, document, followed, depth: spot.depth + 1 }, reading);
}

/** The end of a recursion. */
function readTypesOnly(schema: JsonObject, spot: SchemaSpot, reading: SchemaReading): Form {
  if (Object.hasOwn(schema, '$ref')) return anyForm;
  const types = findTypes(schema);
  const cases = types === undefined ? anyForm.cases : types.map(toOpenCase);
  return { text: readWords(schema, spot, reading), cases: withNull(cases, schema) };
}

/** What the keywords of the schema itself say: type, allowed values, members. */
function readOwn(schema: JsonObject, spot: SchemaSpot, reading: SchemaReading): Form {
  const text = readWords(schema, spot, reading);
  const types = findTypes(schema);
  const inside: ReadInside = (child, at) => readSchema(child, at, reading);
  const choices = readChoices(schema, types, spot, reading);
  if (choices !== undefined) return { text: joinTexts(text, choices.text), cases: withNull(choices.cases, schema) };
  noteTypes(schema, types, spot, reading);
  const names = types ?? (hasMembers(schema) ? toEveryCase().map(({ type }) => type as TypeName) : undefined);
  const cases = names?.map((type) => readCase(schema, type, spot, reading, inside)) ?? anyForm.cases;
  return { text, cases: withNull(cases, schema) };
}

/** Whether a schema without a type says something about the members of objects or lists. */
function hasMembers(schema: JsonObject): boolean {
  return ['properties', 'required', 'items', 'prefixItems'].some((key) => Object.hasOwn(schema, key));
}

/** Undefined when the schema takes every type, or names one that does not exist: servers that check such schemas are lenient. */
function findTypes(schema: JsonObject): TypeName[] | undefined {
  const given = findMember(schema, 'type');
  const names = Array.isArray(given) ? given : [given];
  if (names.length === 0 || !names.every(isTypeName)) return undefined;
  return [...new Set(names)].filter((name) => name !== 'integer' || !names.includes('number'));
}

function noteTypes(
  schema: JsonObject,
  types: readonly TypeName[] | undefined,
  spot: SchemaSpot,
  reading: SchemaReading,
): void {
  if (types !== undefined) {
    if (Array.isArray(schema.type)) reading.note(schema, spot.path, 'type', 'type-list');
  } else if (Object.hasOwn(schema, 'type')) reading.note(schema, spot.path, 'type', 'unusable');
  else if (hasMembers(schema)) reading.note(schema, spot.path, 'type', 'needs-type');
}

/** OpenAPI writes a value that may be null as `nullable`. */
function withNull(cases: readonly Case[], schema: JsonObject): readonly Case[] {
  const isMissing =
    findMember(schema, 'nullable') === true && !cases.some(({ type }) => type === 'null' || type === 'any');
  return isMissing ? [...cases, toOpenCase('null')] : cases;
}

function readCombinators(schema: JsonObject, own: Form, spot: SchemaSpot, reading: SchemaReading): Form {
  let form = own;
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    if (Object.hasOwn(schema, keyword) && findList(schema, keyword).length === 0)
      reading.note(schema, spot.path, keyword, 'unusable');
  for (const [at, part] of findList(schema, 'allOf').entries()) {
    reading.note(schema, spot.path, 'allOf', spot.level === 0 ? 'top-combinator' : 'combinator');
    form = intersect(form, readSchema(part, besideSpot(spot, 'allOf', at), reading), reading.meter);
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const parts = findList(schema, keyword);
    if (parts.length === 0) continue;
    noteAlternatives(schema, keyword, spot, reading);
    const forms = parts.map((part, at) => readSchema(part, besideSpot(spot, keyword, at), reading));
    const united = unite(forms, reading.meter);
    const facts = sayAlternatives(parts, form);
    form = intersect(form, { ...united, text: joinTexts(united.text, { ...noText, facts }) }, reading.meter);
  }
  return form;
}

function noteAlternatives(schema: JsonObject, keyword: string, spot: SchemaSpot, reading: SchemaReading): void {
  if (spot.level === 0) reading.note(schema, spot.path, keyword, 'top-combinator');
  else if (keyword === 'oneOf') reading.note(schema, spot.path, keyword, 'combinator');
  else if (Object.keys(schema).length > 1) reading.note(schema, spot.path, keyword, 'any-of-alone');
  const parts = findList(schema, keyword);
  if (
    parts.length === 1 ||
    parts.some((part) => isObject(part) && (!Object.hasOwn(part, 'type') || Object.hasOwn(part, 'anyOf')))
  )
    reading.note(schema, spot.path, keyword, 'any-of-alone');
}

/** Alternatives that differ in what they require: `Give path, or url and token.` */
function sayAlternatives(parts: readonly Json[], base: Form): string[] {
  if (!base.cases.some(({ type }) => type === 'object' || type === 'any')) return [];
  const sets = parts.map((part) =>
    isObject(part) ? findList(part, 'required').filter((key) => typeof key === 'string') : [],
  );
  const common = new Set((sets[0] ?? []).filter((key) => sets.every((set) => set.includes(key))));
  const own = sets.map((set) => set.filter((key) => !common.has(key)).join(' and '));
  const text = `Give ${[...new Set(own)].join(', or ')}.`;
  return own.length < 2 || own.some((set) => set === '') || text.length > 200 ? [] : [text];
}

/** Conditions are not kept; the properties that they speak of are named. */
function readConditions(schema: JsonObject, own: Form, spot: SchemaSpot, reading: SchemaReading): Form {
  const conditions: [Json, SchemaSpot][] = ['then', 'else']
    .filter((key) => Object.hasOwn(schema, key))
    .map((key) => [schema[key] as Json, besideSpot(spot, key)]);
  for (const key of ['dependentSchemas', 'dependencies'])
    for (const [name, part] of Object.entries(findObject(schema, key) ?? {}))
      if (isObject(part)) conditions.push([part, besideSpot(spot, key, name)]);
  return conditions.reduce((form, [part, at]) => withOffers(form, readSchema(part, at, reading)), own);
}

/** The draft that a schema names. */
export function findDraft(schema: JsonObject): string {
  return findString(schema, '$schema') ?? '';
}
