/** Writes a form as a JSON Schema of the few keywords that every model family takes. */
import type { Json, JsonObject } from '../../base/json/json.ts';
import { mergeObjects } from './combine.ts';
import { describeForm } from './describe-form.ts';
import {
  type Case,
  type Form,
  type FormText,
  joinTexts,
  noText,
  type ObjectCase,
  settleText,
  toOpenCase,
  toSentences,
} from './form.ts';
import { type Path, toPath, topPath } from './path.ts';
import type { SchemaReading } from './reading.ts';

/** The names that Anthropic takes for arguments. */
const argumentName = /^[a-zA-Z0-9_.-]{1,64}$/;
const maxFactsLength = 400;

type TopCase = ObjectCase & { readonly text: FormText };

/** The schema of all arguments: always one object. */
export function writeArguments(form: Form, reading: SchemaReading): JsonObject {
  const objects = settleText(form).filter((each) => each.type === 'object');
  const isOpen = objects.length === 0 || form.cases.some(({ type }) => type === 'any');
  const open = toOpenCase('object') as TopCase;
  const merged = isOpen
    ? { ...open, text: form.text }
    : objects.reduce((left, right) => mergeObjects(left, right, reading.meter));
  const facts = objects.length === 1 ? [] : form.text.facts;
  const kept = { ...merged, text: joinTexts(merged.text, { ...noText, facts }) };
  return writeObject(withPlainNames(kept, reading), topPath, reading);
}

/** Arguments that some models refuse by name are said in words: the server takes them under no other name. */
function withPlainNames(top: TopCase, reading: SchemaReading): TopCase {
  const isPlain = (key: string) => argumentName.test(key);
  const strange = [...top.properties].filter(([key]) => !isPlain(key));
  if (strange.length === 0) return top;
  for (const [key] of strange) reading.note({}, toPath(topPath, 'properties', key), '', 'property-name');
  const facts = strange.map(([key, form]) => `Also takes ${JSON.stringify(key)}: ${sayArgument(form)}.`);
  const properties = new Map([...top.properties].filter(([key]) => isPlain(key)));
  const required = new Set([...top.required].filter(isPlain));
  return { ...top, properties, required, text: joinTexts(top.text, { ...noText, facts }) };
}

function sayArgument(form: Form): string {
  const [lead] = settleText(form);
  const about = lead?.text.description?.replace(/\.\s*$/, '');
  return about === undefined || about.length > 120 ? describeForm(form) : `${describeForm(form)}, ${about}`;
}

/** Undefined when no value is accepted. */
export function writeForm(form: Form, path: Path, reading: SchemaReading): JsonObject | undefined {
  reading.meter.step();
  const cases = settleText(form);
  const any = cases.find(({ type }) => type === 'any');
  if (any !== undefined) return withDescription({}, any.text);
  const [only] = cases;
  if (only === undefined) return undefined;
  if (cases.length === 1) return writeCase(only, path, reading);
  return { anyOf: cases.map((each) => writeCase(each, path, reading)) };
}

function writeCase(given: Case, path: Path, reading: SchemaReading): JsonObject {
  switch (given.type) {
    case 'any':
      return withDescription({}, given.text);
    case 'object':
      return writeObject(given, path, reading);
    case 'array': {
      const items = writeForm(given.items, toPath(path, 'items'), reading) ?? {};
      return { ...withDescription({ type: 'array' }, given.text), items };
    }
    case 'string': {
      const choices = given.choices === undefined ? {} : { enum: [...given.choices] };
      return { ...withDescription({ type: 'string' }, given.text), ...choices, ...writeHeader(given.header) };
    }
    case 'number':
    case 'integer': {
      const minimum = given.minimum === undefined ? {} : { minimum: given.minimum };
      const maximum = given.maximum === undefined ? {} : { maximum: given.maximum };
      return {
        ...withDescription({ type: given.type }, given.text),
        ...minimum,
        ...maximum,
        ...writeHeader(given.header),
      };
    }
    default:
      return withDescription({ type: given.type }, given.text);
  }
}

function writeHeader(header: string | undefined): JsonObject {
  return header === undefined ? {} : { 'x-mcp-header': header };
}

function writeObject(given: TopCase, path: Path, reading: SchemaReading): JsonObject {
  const written: [string, JsonObject][] = [];
  for (const [key, form] of given.properties) {
    const at = toPath(path, 'properties', key);
    const schema = writeForm(form, at, reading);
    if (schema === undefined) reading.note({}, at, '', 'no-value');
    else written.push([key, schema]);
  }
  const names = new Set(written.map(([key]) => key));
  const required = [...given.required].filter((key) => names.has(key));
  const unknown = [...given.required].filter((key) => !names.has(key));
  if (unknown.length > 0) reading.note(given, path, 'required', 'unknown-required');
  const facts = unknown.length === 0 ? [] : [`Needs ${unknown.join(', ')}.`];
  return {
    ...withDescription({ type: 'object' }, joinTexts(given.text, { ...noText, facts })),
    // A property may be called __proto__, which an assignment would lose.
    properties: Object.fromEntries<Json>(written),
    ...(required.length === 0 ? {} : { required }),
  };
}

function withDescription(schema: JsonObject, { description, facts }: FormText): JsonObject {
  const said = facts.filter((fact) => description?.includes(fact.replace(/\.$/, '')) !== true);
  const text = toSentences([description, ...takeShort(said)]);
  return text === undefined ? schema : { ...schema, description: text };
}

/** The first facts that are short enough together. */
function takeShort(facts: readonly string[]): string[] {
  const taken: string[] = [];
  let length = 0;
  for (const fact of facts) {
    length += fact.length + 1;
    if (length > maxFactsLength) break;
    taken.push(fact);
  }
  return taken;
}
