/** Sets strings deep inside a JSON text and leaves every other byte unchanged. */
import { isObject, type Json, withMembers } from './json.ts';

/** The path, by member or index, to the strings to set. A missing member, or one that is not a string, stays as it is. */
export type Edits = ReadonlyMap<string | number, string | Edits>;

/** The text must be valid JSON. One pass, for any number of edits. */
export function editText(text: string, edits: Edits): string {
  const pieces: string[] = [];
  let done = 0;
  walk(text, 0, edits, (start, end, value) => {
    pieces.push(text.slice(done, start), JSON.stringify(value));
    done = end;
  });
  return pieces.join('') + text.slice(done);
}

export function editValue(value: Json, edits: string | Edits | undefined): Json {
  if (edits === undefined) return value;
  if (typeof edits === 'string') return typeof value === 'string' ? edits : value;
  if (Array.isArray(value)) return value.map((item, index) => editValue(item, edits.get(index)));
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([key, member]) => [key, editValue(member, edits.get(key))]);
  return withMembers(value, Object.fromEntries(changed) as Record<string, Json>);
}

type Replace = (start: number, end: number, value: string) => void;

/** Skips the value that begins at or after `from` and returns the index behind it. */
function walk(text: string, from: number, edits: string | Edits | undefined, replace: Replace): number {
  let at = skipSpace(text, from);
  const code = text.charCodeAt(at);
  if (code === quote) {
    const end = stringEnd(text, at) + 1;
    if (typeof edits === 'string') replace(at, end, edits);
    return end;
  }
  if (code !== openBrace && code !== openBracket) return plainEnd(text, at);
  if (edits === undefined || typeof edits === 'string') return skipNested(text, at);
  for (let index = 0; ; index++) {
    at = skipSpace(text, at + 1);
    if (isClose(text.charCodeAt(at))) return at + 1;
    let key: string | number = index;
    if (code === openBrace) {
      const keyEnd = stringEnd(text, at) + 1;
      key = JSON.parse(text.slice(at, keyEnd)) as string;
      at = text.indexOf(':', keyEnd) + 1;
    }
    // Now at the comma or at the end of the object or array.
    at = skipSpace(text, walk(text, at, edits.get(key), replace));
    if (at >= text.length || isClose(text.charCodeAt(at))) return at + 1;
  }
}

const [quote, openBrace, openBracket, closeBrace, closeBracket, comma] = [0x22, 0x7b, 0x5b, 0x7d, 0x5d, 0x2c];
const isClose = (code: number) => code === closeBrace || code === closeBracket;
const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The index behind a number, true, false or null. */
function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === comma || isClose(code) || isSpace(code)) break;
    at++;
  }
  return at;
}

function skipNested(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code === openBrace || code === openBracket) depth++;
    else if (isClose(code) && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Index of the quote that closes the string opened at `open`. */
export function stringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
