/** Forms put together: values that both accept, values that one of them accepts, objects of all cases as one object. */
import { describeForm } from './describe-form.ts';
import {
  anyForm,
  type Case,
  type Form,
  type FormText,
  isAny,
  joinTexts,
  type ListCase,
  type NumberCase,
  noText,
  type ObjectCase,
  type StringCase,
  settleText,
} from './form.ts';
import type { Meter } from './meter.ts';

type With<C> = C & { readonly text: FormText };

/** With more cases than this, those of one type become one. */
const maxCases = 12;

/** The values that both forms accept; more, where the exact answer would have too many cases. */
export function intersect(left: Form, right: Form, meter: Meter): Form {
  meter.step();
  const text = joinTexts(left.text, right.text);
  if (left.cases.length * right.cases.length > maxCases * maxCases) return { ...left, text };
  const cases = left.cases.flatMap((mine) => right.cases.flatMap((other) => intersectCases(mine, other, meter) ?? []));
  return limitCases({ text, cases }, meter);
}

function intersectCases(left: Case, right: Case, meter: Meter): Case | undefined {
  const text = joinTexts(left.text, right.text);
  if (left.type === 'any') return { ...right, text };
  if (right.type === 'any') return { ...left, text };
  if (left.type === 'string' && right.type === 'string') return intersectStrings(left, right, text);
  if (isNumber(left) && isNumber(right)) return intersectNumbers(left, right, text);
  if (left.type === 'array' && right.type === 'array')
    return { type: 'array', items: intersect(left.items, right.items, meter), text };
  if (left.type === 'object' && right.type === 'object') return intersectObjects(left, right, text, meter);
  return left.type === right.type ? { ...left, text } : undefined;
}

function intersectStrings(left: StringCase, right: StringCase, text: FormText): Case | undefined {
  const { choices: mine } = left;
  const { choices: others } = right;
  const choices =
    mine === undefined ? others : others === undefined ? mine : mine.filter((one) => others.includes(one));
  return choices?.length === 0 ? undefined : { type: 'string', choices, header: left.header ?? right.header, text };
}

function isNumber(given: Case): given is With<NumberCase> {
  return given.type === 'number' || given.type === 'integer';
}

function intersectNumbers(left: NumberCase, right: NumberCase, text: FormText): Case {
  return {
    type: left.type === 'integer' || right.type === 'integer' ? 'integer' : 'number',
    minimum: stricter(Math.max, left.minimum, right.minimum),
    maximum: stricter(Math.min, left.maximum, right.maximum),
    header: left.header ?? right.header,
    text,
  };
}

function stricter(pick: (a: number, b: number) => number, left?: number, right?: number): number | undefined {
  return left === undefined ? right : right === undefined ? left : pick(left, right);
}

function intersectObjects(left: ObjectCase, right: ObjectCase, text: FormText, meter: Meter): Case {
  const properties = new Map(left.properties);
  for (const [key, form] of right.properties) {
    const mine = properties.get(key);
    properties.set(key, mine === undefined ? form : intersect(mine, form, meter));
  }
  const required = new Set([...left.required, ...right.required]);
  return { type: 'object', properties, required, closed: left.closed || right.closed, text };
}

/** The values that one of the forms accepts. */
export function unite(forms: readonly Form[], meter: Meter): Form {
  meter.step();
  if (forms.some(isAny)) return { ...anyForm, text: forms.map((form) => toOffer(form).text).reduce(joinTexts) };
  return limitCases({ text: noText, cases: joinChoices(forms.flatMap(settleText)) }, meter);
}

/** Lists of allowed strings become one list; equal cases stand once. */
function joinChoices(cases: readonly Case[]): Case[] {
  const found: Case[] = [];
  for (const each of cases) {
    const at = found.findIndex((other) => isSameCase(other, each) || (hasChoices(other) && hasChoices(each)));
    const before = found[at];
    if (before === undefined) found.push(each);
    else if (hasChoices(before) && hasChoices(each))
      found[at] = {
        type: 'string',
        choices: [...new Set([...before.choices, ...each.choices])],
        text: joinTexts(sayChoice(before), sayChoice(each)),
      };
  }
  return found;
}

function hasChoices(given: Case): given is With<StringCase> & { readonly choices: readonly string[] } {
  return given.type === 'string' && given.choices !== undefined;
}

/** What was said about one value alone, said about that value. */
function sayChoice({ choices, text }: With<StringCase> & { readonly choices: readonly string[] }): FormText {
  const { description } = text;
  if (choices.length !== 1 || description === undefined) return text;
  return { description: undefined, facts: [...text.facts, `${choices[0]}: ${description.replace(/\.\s*$/, '')}.`] };
}

function isSameCase(left: Case, right: Case): boolean {
  const isPlain = left.type !== 'array' && left.type !== 'object' && left.type !== 'any';
  return isPlain && JSON.stringify(left) === JSON.stringify(right);
}

function limitCases(form: Form, meter: Meter): Form {
  if (form.cases.length <= maxCases) return form;
  const found = new Map<string, Case>();
  for (const each of form.cases) {
    const type = each.type === 'integer' ? 'number' : each.type;
    const before = found.get(type);
    found.set(type, before === undefined ? each : mergeCases(before, each, meter));
  }
  return { text: form.text, cases: [...found.values()] };
}

/** One case for two of the same type. */
function mergeCases(left: Case, right: Case, meter: Meter): Case {
  if (left.type === 'object' && right.type === 'object') return mergeObjects(left, right, meter);
  const text = mergeTexts(left.text, right.text);
  if (left.type === 'array' && right.type === 'array') return mergeLists(left, right, text, meter);
  if (left.type === 'string' && right.type === 'string') {
    const isOpen = left.choices === undefined || right.choices === undefined;
    return { type: 'string', choices: isOpen ? undefined : [...new Set([...left.choices, ...right.choices])], text };
  }
  if (isNumber(left) && isNumber(right))
    return {
      type: left.type === right.type ? left.type : 'number',
      minimum: looser(Math.min, left.minimum, right.minimum),
      maximum: looser(Math.max, left.maximum, right.maximum),
      text,
    };
  return { ...left, text };
}

/** Facts of one case would be wrong about the other. */
function mergeTexts(left: FormText, right: FormText): FormText {
  return joinTexts({ ...left, facts: [] }, { ...right, facts: [] });
}

function mergeLists(left: ListCase, right: ListCase, text: FormText, meter: Meter): Case {
  return { type: 'array', items: unite([left.items, right.items], meter), text };
}

function looser(pick: (a: number, b: number) => number, left?: number, right?: number): number | undefined {
  return left === undefined || right === undefined ? undefined : pick(left, right);
}

/** One object case that accepts what either accepts. A property that one of them does not name can have any value there. */
export function mergeObjects(left: With<ObjectCase>, right: With<ObjectCase>, meter: Meter): With<ObjectCase> {
  meter.step();
  const keys = new Set([...left.properties.keys(), ...right.properties.keys()]);
  const properties = new Map<string, Form>();
  for (const key of keys) {
    const mine = left.properties.get(key);
    const other = right.properties.get(key);
    if (mine !== undefined && other !== undefined) properties.set(key, unite([mine, other], meter));
    else if (mine !== undefined) properties.set(key, right.closed ? mine : toOffer(mine));
    else if (other !== undefined) properties.set(key, left.closed ? other : toOffer(other));
  }
  const required = new Set([...left.required].filter((key) => right.required.has(key)));
  const closed = left.closed && right.closed;
  return { type: 'object', properties, required, closed, text: mergeTexts(left.text, right.text) };
}

/** A property that some callers use: its value is not checked, its type is said. */
export function toOffer(form: Form): Form {
  if (isAny(form)) return form;
  const [lead] = settleText(form);
  const { description, facts } = lead?.text ?? noText;
  const type = `Type: ${describeForm(form)}.`;
  return { ...anyForm, text: { description, facts: [...new Set([...facts, type])] } };
}

/** The form with properties of a condition that does not always hold: they are named, and their values are not checked. */
export function withOffers(form: Form, condition: Form): Form {
  const offered = condition.cases.flatMap((each) => (each.type === 'object' ? [...each.properties] : []));
  const cases = form.cases.map((each) => {
    if (each.type !== 'object') return each;
    const missing = offered
      .filter(([key]) => !each.properties.has(key))
      .map(([key, one]) => [key, toOffer(one)] as const);
    return { ...each, properties: new Map([...each.properties, ...missing]) };
  });
  return { ...form, cases };
}
