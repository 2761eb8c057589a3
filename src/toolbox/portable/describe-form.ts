/** The types of a form, in few words: `string or null`, `list of integer`, `"a" or "b"`. */
import type { Case, Form } from './form.ts';

const maxChoices = 6;
const maxChoiceLength = 40;
const deepest = 3;

export function describeForm({ cases }: Form, level = 0): string {
  if (cases.length === 0) return 'nothing';
  return [...new Set(cases.map((each) => describeCase(each, level)))].join(' or ');
}

function describeCase(given: Case, level: number): string {
  switch (given.type) {
    case 'any':
      return 'any value';
    case 'array':
      return level >= deepest ? 'list' : `list of ${describeForm(given.items, level + 1)}`;
    case 'string':
      return describeChoices(given.choices) ?? 'string';
    case 'object':
      return describeMembers([...given.properties.keys()]);
    default:
      return given.type;
  }
}

function describeChoices(choices: readonly string[] | undefined): string | undefined {
  if (choices === undefined || choices.length > maxChoices) return undefined;
  return choices.every(({ length }) => length <= maxChoiceLength)
    ? choices.map((choice) => JSON.stringify(choice)).join(' or ')
    : undefined;
}

function describeMembers(keys: readonly string[]): string {
  const isShort = keys.length > 0 && keys.length <= maxChoices && keys.every((key) => /^[\w.-]{1,40}$/.test(key));
  return isShort ? `object with ${keys.join(', ')}` : 'object';
}
