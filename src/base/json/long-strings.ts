/**
 * Long strings among the arguments of a call, such as the content of a file. Requests are written anew from their value, but the
 * text of a long string is passed on as it came, which costs nothing.
 */

import { ChunkedText, chunkedFrom, type Text } from './chunked-text.ts';
import { findMember, isObject, type Json, type JsonObject } from './json.ts';
import { type MemberText, memberTexts } from './member-texts.ts';

/** A client that sends a long string sends few other members. Searching through more costs more than it saves. */
const maxMembers = 256;

/** Keyed by the object that holds the strings. */
const known = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** `text` is the message that `value` was parsed from. Also covers arguments that are nested as an argument of a tool. */
export function noteLongStrings(text: string, value: Json): void {
  let found = findOwn({ key: '', value: text }, value, 'params');
  for (let level = 0; level < 2 && found !== undefined; level++) {
    found = findOwn(found.member, found.value, 'arguments');
    if (found !== undefined) note(memberTexts(found.member.value, maxMembers), found.value);
  }
}

/** The JSON text of an object, between two other texts. */
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
  return new ChunkedText(parts);
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

/** A member that is an object and whose name occurs once: with two of one name, the text could belong to the other. */
function findOwn(
  { value: text }: MemberText,
  value: Json | undefined,
  key: string,
): { readonly member: MemberText; readonly value: JsonObject } | undefined {
  const own = isObject(value) ? findMember(value, key) : undefined;
  if (!isObject(own)) return undefined;
  const all = memberTexts(text, maxMembers);
  const [member, ...others] = all.filter((each) => each.key === key);
  const isOne = all.length <= maxMembers && others.length === 0;
  return isOne && member !== undefined ? { member, value: own } : undefined;
}

function note(members: readonly MemberText[], object: JsonObject): void {
  if (members.length > maxMembers) return;
  const texts = new Map<string, string>();
  for (const { key, value } of members) if (value.length > chunkedFrom && value.startsWith('"')) texts.set(key, value);
  const isPlain = new Set(members.map(({ key }) => key)).size === members.length;
  if (texts.size > 0 && isPlain) known.set(object, texts);
}
