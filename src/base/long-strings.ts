/**
 * Long strings among the arguments of a call, such as the content of a file. Requests are written anew from their value, but a
 * string can be read in one way only: where it is long, the text it came in is passed on, which costs nothing.
 */
import { findMember, isObject, type Json, type JsonObject } from './json.ts';
import { LongText, longText, type Text } from './long-text.ts';
import { type MemberText, memberTexts } from './member-texts.ts';

/** Who sends a long string sends few other things. To look through more costs more than it saves. */
const mostMembers = 256;

/** By the object that they are members of. */
const known = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** `text` is the message that `value` was parsed from. Also looks at the arguments that are given to a tool as an argument. */
export function noteLongStrings(text: string, value: Json): void {
  let found = findOwn({ key: '', value: text }, value, 'params');
  for (let level = 0; level < 2 && found !== undefined; level++) {
    found = findOwn(found.member, found.value, 'arguments');
    if (found !== undefined) note(memberTexts(found.member.value, mostMembers), found.value);
  }
}

/** The text of an object that JSON can hold, between two others. */
export function objectText(object: JsonObject, before = '', behind = ''): Text {
  const given = findMember(object, 'arguments');
  const texts = isObject(given) ? known.get(given) : undefined;
  if (texts === undefined) return `${before}${JSON.stringify(object)}${behind}`;
  const parts: string[] = [before];
  addMembers(
    parts,
    object,
    new Map([['arguments', () => addMembers(parts, given as JsonObject, toAdders(parts, texts))]]),
  );
  parts.push(behind);
  return new LongText(parts);
}

type Adders = ReadonlyMap<string, () => void>;

function toAdders(parts: string[], texts: ReadonlyMap<string, string>): Adders {
  return new Map([...texts].map(([key, text]) => [key, () => void parts.push(text)]));
}

/** `adders` add the values of their members themselves. */
function addMembers(parts: string[], object: JsonObject, adders: Adders): void {
  let sign = '{';
  for (const [key, value] of Object.entries(object)) {
    parts.push(`${sign}${JSON.stringify(key)}:`);
    sign = ',';
    const add = adders.get(key);
    if (add === undefined) parts.push(JSON.stringify(value));
    else add();
  }
  parts.push('}');
}

/** A member that is an object and named once: of two, the text could be that of the other. */
function findOwn(
  { value: text }: MemberText,
  value: Json | undefined,
  key: string,
): { readonly member: MemberText; readonly value: JsonObject } | undefined {
  const own = isObject(value) ? findMember(value, key) : undefined;
  if (!isObject(own)) return undefined;
  const all = memberTexts(text, mostMembers);
  const [member, ...others] = all.filter((each) => each.key === key);
  const isOne = all.length <= mostMembers && others.length === 0;
  return isOne && member !== undefined ? { member, value: own } : undefined;
}

function note(members: readonly MemberText[], object: JsonObject): void {
  if (members.length > mostMembers) return;
  const texts = new Map<string, string>();
  for (const { key, value } of members) if (value.length > longText && value.startsWith('"')) texts.set(key, value);
  const isPlain = new Set(members.map(({ key }) => key)).size === members.length;
  if (texts.size > 0 && isPlain) known.set(object, texts);
}
