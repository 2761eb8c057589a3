/**
 * A JSON object that is passed on. It keeps the text it came in, so that unchanged members reach the other side byte for byte
 * (numbers beyond 2^53 included), with the parsed value beside it for code that must look inside.
 */
import { findMember, isObject, type Json, type JsonObject, withMembers } from './json.ts';
import { type Edits, editText, editValue } from './json-edit.ts';
import { memberTexts } from './member-texts.ts';

export class RawJson {
  readonly value: JsonObject;
  #text: string | undefined;

  private constructor(value: JsonObject, text: string | undefined) {
    this.value = value;
    this.#text = text;
  }

  static of(value: JsonObject): RawJson {
    return new RawJson(value, undefined);
  }

  /** `text` must be exactly the JSON that `value` was parsed from. */
  static ofText(text: string, value: JsonObject): RawJson {
    return new RawJson(value, text);
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }

  /** A member that is an object, with its own text. */
  find(key: string): RawJson | undefined {
    const value = findMember(this.value, key);
    if (!isObject(value)) return undefined;
    // When a name occurs several times the last member counts, here as in the value.
    const text =
      this.#text === undefined ? undefined : memberTexts(this.#text).findLast((member) => member.key === key)?.value;
    return text === undefined ? RawJson.of(value) : RawJson.ofText(text, value);
  }

  /** The same object with some members set (or, with undefined, removed); all other members keep their text. */
  with(members: Record<string, Json | RawJson | undefined>): RawJson {
    const plain = Object.entries(members).map(([key, member]) => [
      key,
      member instanceof RawJson ? member.value : member,
    ]);
    const value = withMembers(this.value, Object.fromEntries(plain) as Record<string, Json | undefined>);
    if (this.#text === undefined) return RawJson.of(value);
    const texts: string[] = [];
    const placed = new Set<string>();
    for (const { key, value: text } of memberTexts(this.#text)) {
      if (placed.has(key)) continue;
      const changed = Object.hasOwn(members, key);
      if (changed) placed.add(key);
      const next = changed ? toText(members[key]) : text;
      if (next !== undefined) texts.push(`${JSON.stringify(key)}:${next}`);
    }
    for (const [key, member] of Object.entries(members)) {
      const next = toText(member);
      if (next !== undefined && !placed.has(key)) texts.push(`${JSON.stringify(key)}:${next}`);
    }
    return RawJson.ofText(`{${texts.join(',')}}`, value);
  }

  /** The same object with some strings inside set; everything else keeps its text. */
  edit(edits: Edits): RawJson {
    if (edits.size === 0) return this;
    const value = editValue(this.value, edits) as JsonObject;
    return this.#text === undefined ? RawJson.of(value) : RawJson.ofText(editText(this.#text, edits), value);
  }
}

function toText(member: Json | RawJson | undefined): string | undefined {
  if (member instanceof RawJson) return member.text;
  return member === undefined ? undefined : JSON.stringify(member);
}
