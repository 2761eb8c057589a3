/**
 * Long strings among the arguments of a call, such as the content of a file. Requests are written anew from their value, but a
 * string can be read in one way only: where it is long, the text it came in is passed on, which costs nothing.
 */
import { findMember, isObject, type Json, type JsonObject } from './json.ts';
import { longText } from './long-text.ts';
import { type MemberText, memberTexts } from './member-texts.ts';

/** By the object that they are members of. */
const known = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** `text` is the message that `value` was parsed from. Also looks at the arguments that are given to a tool as an argument. */
export function noteLongStrings(text: string, value: Json): void {
  let found = findOwn({ key: '', value: text }, value, 'params');
  for (let level = 0; level < 2 && found !== undefined; level++) {
    found = findOwn(found.member, found.value, 'arguments');
    if (found !== undefined) note(memberTexts(found.member.value), found.value);
  }
}

/** The text of an object that JSON can hold. */
export function objectText(object: JsonObject): string {
  const own = findLong(findMember(object, 'arguments'));
  return own === undefined ? JSON.stringify(object) : membersText(object, new Map([['arguments', own]]));
}

function findLong(value: Json | undefined): string | undefined {
  const texts = isObject(value) ? known.get(value) : undefined;
  return texts === undefined ? undefined : membersText(value as JsonObject, texts);
}

function membersText(object: JsonObject, texts: ReadonlyMap<string, string>): string {
  let text = '';
  for (const [key, value] of Object.entries(object))
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${texts.get(key) ?? JSON.stringify(value)}`;
  return `${text === '' ? '{' : text}}`;
}

/** A member that is an object and named once: of two, the text could be that of the other. */
function findOwn(
  { value: text }: MemberText,
  value: Json | undefined,
  key: string,
): { readonly member: MemberText; readonly value: JsonObject } | undefined {
  const own = isObject(value) ? findMember(value, key) : undefined;
  if (!isObject(own)) return undefined;
  const members = memberTexts(text).filter((member) => member.key === key);
  const [member] = members;
  return members.length === 1 && member !== undefined ? { member, value: own } : undefined;
}

function note(members: readonly MemberText[], object: JsonObject): void {
  const texts = new Map<string, string>();
  for (const { key, value } of members) if (value.length > longText && value.startsWith('"')) texts.set(key, value);
  const isPlain = new Set(members.map(({ key }) => key)).size === members.length;
  if (texts.size > 0 && isPlain) known.set(object, texts);
}
