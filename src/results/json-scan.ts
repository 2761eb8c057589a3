/** Places of values in a valid JSON text. Values are found, not read, so that their text stays exactly as it is. */
import { stringEnd } from '../base/json/json-edit.ts';

export interface ValuePlace {
  readonly start: number;
  readonly end: number;
}

export interface Child extends ValuePlace {
  /** Undefined for an entry of an array. */
  readonly key: string | undefined;
}

/** More characters were scanned than one request may cost. */
export class ScanLimit extends Error {}

export class JsonScan {
  readonly text: string;
  #left: number;

  constructor(text: string, maxScanned: number) {
    this.text = text;
    this.#left = maxScanned;
  }

  root(): ValuePlace {
    const start = this.#skipSpace(0);
    return { start, end: this.#endOf(start) };
  }

  kindOf({ start }: ValuePlace): 'object' | 'array' | 'other' {
    const first = this.text[start];
    return first === '{' ? 'object' : first === '[' ? 'array' : 'other';
  }

  /** Members of an object or entries of an array, in order; nothing for any other value. */
  *children(parent: ValuePlace): Generator<Child> {
    const { text } = this;
    const kind = this.kindOf(parent);
    if (kind === 'other') return;
    let at = this.#skipSpace(parent.start + 1);
    while (at < parent.end - 1) {
      let key: string | undefined;
      if (kind === 'object') {
        const end = stringEnd(text, at) + 1;
        key = JSON.parse(text.slice(at, end)) as string;
        at = this.#skipSpace(text.indexOf(':', end) + 1);
      }
      const end = this.#endOf(at);
      yield { key, start: at, end };
      at = this.#skipSpace(end);
      if (text[at] === ',') at = this.#skipSpace(at + 1);
    }
  }

  #skipSpace(from: number): number {
    let at = from;
    for (let code = this.text.charCodeAt(at); code <= 0x20; code = this.text.charCodeAt(at)) at++;
    return at;
  }

  #endOf(start: number): number {
    const { text } = this;
    const first = text.charCodeAt(start);
    let at = start;
    if (first === quote) at = stringEnd(text, start) + 1;
    else if (first === openObject || first === openArray) at = this.#endOfGroup(start);
    else while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
    this.#left -= at - start;
    if (this.#left < 0) throw new ScanLimit();
    return at;
  }

  #endOfGroup(start: number): number {
    const { text } = this;
    let depth = 0;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) at = stringEnd(text, at);
      else if (code === openObject || code === openArray) depth++;
      else if ((code === closeObject || code === closeArray) && --depth === 0) return at + 1;
    }
    return text.length;
  }
}

const quote = 0x22;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

function endsScalar(code: number): boolean {
  return code === 0x2c || code === closeArray || code === closeObject || code <= 0x20;
}

/** The text of a JSON value without the white space between its parts: on one line, with every number and string as it was. */
export function compactJson(text: string): string {
  let compact = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code <= 0x20) {
      compact += text.slice(from, at);
      from = at + 1;
    }
  }
  return from === 0 ? text : compact + text.slice(from);
}
