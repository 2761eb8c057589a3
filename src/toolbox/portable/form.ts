/**
 * What a schema accepts, simplified to what every model family takes. A form accepts at least the values that the schema accepts it
 * was read from: each step on the way may widen it, none may narrow it.
 */
export interface Form {
  readonly text: FormText;
  /** Each case has one type; a value is accepted when it fits one case. Without a case, no value is accepted. */
  readonly cases: readonly Case[];
}

/** What is said about values in words. */
export interface FormText {
  readonly description: string | undefined;
  /** Constraints whose keyword is removed, as short sentences. */
  readonly facts: readonly string[];
}

export type Case = (AnyCase | PlainCase | StringCase | NumberCase | ListCase | ObjectCase) & {
  readonly text: FormText;
};

export interface AnyCase {
  readonly type: 'any';
}

export interface PlainCase {
  readonly type: 'boolean' | 'null';
}

export interface StringCase {
  readonly type: 'string';
  readonly choices?: readonly string[] | undefined;
  /** The annotation that names an HTTP header for the value: clients of the stateless era need it. */
  readonly header?: string | undefined;
}

export interface NumberCase {
  readonly type: 'number' | 'integer';
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly header?: string | undefined;
}

export interface ListCase {
  readonly type: 'array';
  readonly items: Form;
}

export interface ObjectCase {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, Form>;
  readonly required: ReadonlySet<string>;
  /** No other property is accepted. This is never written: it says what a property means that another case does not have. */
  readonly closed: boolean;
}

export type TypeName = Exclude<Case['type'], 'any'>;

const typeNames: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

export const noText: FormText = { description: undefined, facts: [] };
export const anyForm: Form = { text: noText, cases: [{ type: 'any', text: noText }] };
export const neverForm: Form = { text: noText, cases: [] };

export function isTypeName(value: unknown): value is TypeName {
  return typeof value === 'string' && typeNames.includes(value);
}

export function isAny({ cases }: Form): boolean {
  return cases.some(({ type }) => type === 'any');
}

/** The case of a type without any constraint. */
export function toOpenCase(type: TypeName): Case {
  switch (type) {
    case 'array':
      return { type, items: anyForm, text: noText };
    case 'object':
      return { type, properties: new Map(), required: new Set(), closed: false, text: noText };
    default:
      return { type, text: noText };
  }
}

/** Cases for every value there is, so that those of one type can be told from the others. */
export function toEveryCase(): Case[] {
  return (['object', 'array', 'string', 'number', 'boolean', 'null'] as const).map(toOpenCase);
}

export function joinTexts(left: FormText, right: FormText): FormText {
  if (left === noText) return right;
  if (right === noText) return left;
  const facts = [...new Set([...left.facts, ...right.facts])];
  const { description = right.description } = left;
  const second = right.description;
  const isNew = second !== undefined && second !== description && !description?.includes(second);
  return { description: isNew ? toSentences([description, second]) : description, facts };
}

/** Sentences in one line; undefined when there are none. */
export function toSentences(parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined && part.trim() !== '') as string[];
  if (given.length === 0) return undefined;
  const last = given.length - 1;
  return given.map((part, at) => (at === last || /[.!?:;]\s*$/.test(part) ? part : `${part}.`)).join(' ');
}

/** The cases of a form, the first that is not null carrying the text of the form: beside `anyOf` there is no place for it. */
export function settleText({ text, cases }: Form): readonly Case[] {
  if (text === noText || cases.length === 0) return cases;
  const first = cases.findIndex(({ type }) => type !== 'null');
  const lead = Math.max(first, 0);
  return cases.map((each, at) => (at === lead ? { ...each, text: joinTexts(text, each.text) } : each));
}
