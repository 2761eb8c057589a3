/**
 * The keywords that at least one model family or client refuses, most of them with the whole list of tools: one such keyword in one
 * tool, and no tool can be used. What stays: `type` (one), `description`, `enum` (strings), `properties`, `required`, `items`,
 * `anyOf` (below the top, alone), `minimum`, `maximum`.
 */
import type { Json } from '../../base/json/json.ts';

/** Why a keyword is removed, or changed. */
export type Reason = keyof typeof reasons;

const reasons = {
  'not-known': 'The function declarations of Gemini do not know it and refuse the request.',
  reference: 'Gemini, Amazon Nova and managed agents of Anthropic refuse references; some clients skip the tool.',
  'schema-version':
    'Older versions of VS Code leave out tools that name a version they do not know; Gemini refuses it.',
  combinator: 'Gemini does not know it, and OpenAI does not allow it in strict schemas.',
  'top-combinator': 'Anthropic, OpenAI and Moonshot refuse combinators at the top of a schema.',
  'any-of-alone': 'Vertex AI and Moonshot refuse other keywords beside anyOf.',
  'type-list': 'Gemini takes one type for a value, not a list.',
  'boolean-schema': 'Gemini and OpenAI take only objects as schemas.',
  'string-enum': 'Gemini takes only strings in an enum, none of them empty, and needs the type beside it.',
  pattern: 'OpenAI refuses lookaround, llama.cpp what it cannot turn into a grammar, DeepSeek what it cannot compile.',
  format: 'Gemini refuses most formats of strings.',
  length: 'Some endpoints of Gemini and grammars of llama.cpp refuse it.',
  'needs-items': 'OpenAI, Gemini and VS Code refuse lists without items.',
  'needs-properties': 'OpenAI and LM Studio refuse objects without properties.',
  tuple: 'OpenAI, Gemini and VS Code need one schema for all items.',
  'unknown-required': 'Gemini refuses a required property that is not defined.',
  'property-name': 'Anthropic takes only letters, digits, "_", "." and "-" in names of properties, at most 64.',
  'needs-type': 'Gemini, Moonshot and Bedrock need the type of a value.',
  'wrong-place': 'Gemini refuses keywords that belong to another type.',
  'no-value': 'It accepts no value.',
  annotation: 'It says nothing that a model needs, and Gemini refuses it.',
  recursion: 'A schema that contains itself cannot be written without references.',
  size: 'The schema would become too large or too deep for models and clients.',
  unusable: 'It is not a schema that can be read.',
} as const;

export function explainReason(reason: Reason): string {
  return reasons[reason];
}

interface Removed {
  readonly reason: Reason;
  /** What is lost, in a few words. */
  say?(value: Json): string | undefined;
}

const maxValueLength = 80;

/** A value in words, when it is short. */
export function quoteValue(value: Json): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length > maxValueLength ? undefined : text;
}

const count = (before: string, after: string) => (value: Json) =>
  typeof value === 'number' ? `${before} ${value} ${after}.` : undefined;
const quoted = (before: string) => (value: Json) => {
  const text = quoteValue(value);
  return text === undefined ? undefined : `${before} ${text}.`;
};
const plain = (before: string) => (value: Json) =>
  typeof value === 'string' && value.length <= maxValueLength ? `${before} ${value}.` : undefined;
const flag = (sentence: string) => (value: Json) => (value === true ? sentence : undefined);

/** Keywords that are removed wherever they stand, and what is said instead. */
export const removedKeywords: ReadonlyMap<string, Removed> = new Map<string, Removed>([
  ['$schema', { reason: 'schema-version' }],
  ['$id', { reason: 'annotation' }],
  ['id', { reason: 'annotation' }],
  ['$comment', { reason: 'annotation' }],
  ['$anchor', { reason: 'reference' }],
  ['$dynamicAnchor', { reason: 'reference' }],
  ['$dynamicRef', { reason: 'reference' }],
  ['$recursiveRef', { reason: 'reference' }],
  ['$recursiveAnchor', { reason: 'reference' }],
  ['$vocabulary', { reason: 'annotation' }],
  ['$defs', { reason: 'reference' }],
  ['definitions', { reason: 'reference' }],
  ['title', { reason: 'annotation' }],
  ['default', { reason: 'not-known', say: (value) => (value === null ? undefined : quoted('Default:')(value)) }],
  ['examples', { reason: 'not-known', say: (value) => (Array.isArray(value) ? sayExample(value[0]) : undefined) }],
  ['example', { reason: 'not-known', say: sayExample }],
  ['deprecated', { reason: 'not-known', say: flag('Deprecated.') }],
  ['readOnly', { reason: 'not-known', say: flag('Read-only.') }],
  ['writeOnly', { reason: 'not-known' }],
  ['pattern', { reason: 'pattern', say: plain('Matches') }],
  ['format', { reason: 'format', say: plain('Format:') }],
  ['contentEncoding', { reason: 'not-known', say: plain('Encoding:') }],
  ['contentMediaType', { reason: 'not-known', say: plain('Media type:') }],
  ['contentSchema', { reason: 'not-known' }],
  [
    'minLength',
    { reason: 'length', say: (value) => (value === 1 ? 'Not empty.' : count('At least', 'characters')(value)) },
  ],
  ['maxLength', { reason: 'length', say: count('At most', 'characters') }],
  ['minItems', { reason: 'length', say: (value) => (value === 1 ? 'Not empty.' : count('At least', 'items')(value)) }],
  ['maxItems', { reason: 'length', say: count('At most', 'items') }],
  ['minProperties', { reason: 'length', say: count('At least', 'properties') }],
  ['maxProperties', { reason: 'length', say: count('At most', 'properties') }],
  ['uniqueItems', { reason: 'not-known', say: flag('No item twice.') }],
  ['contains', { reason: 'not-known' }],
  ['minContains', { reason: 'not-known' }],
  ['maxContains', { reason: 'not-known' }],
  [
    'multipleOf',
    { reason: 'not-known', say: (value) => (value === 1 ? 'A whole number.' : quoted('A multiple of')(value)) },
  ],
  ['not', { reason: 'combinator' }],
  ['if', { reason: 'combinator' }],
  ['then', { reason: 'combinator' }],
  ['else', { reason: 'combinator' }],
  ['dependencies', { reason: 'not-known' }],
  ['dependentRequired', { reason: 'not-known' }],
  ['dependentSchemas', { reason: 'not-known' }],
  ['unevaluatedProperties', { reason: 'not-known' }],
  ['unevaluatedItems', { reason: 'not-known' }],
  ['nullable', { reason: 'not-known' }],
]);

function sayExample(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : quoted('Example:')(value);
}
