/**
 * A text that is held for a client. Characters are UTF-16 code units. A line ends with a line feed, which belongs to it, so that
 * pages put together are the text again.
 */
import { findJson } from './find-json.ts';

/** The start of every so many lines is remembered, so that an index of a long text stays small. */
const step = 256;

export class HeldText {
  readonly text: string;
  readonly lines: number;
  readonly #marks: readonly number[];
  #isJson: boolean | undefined;

  constructor(text: string) {
    this.text = text;
    const marks = [0];
    let breaks = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      breaks++;
      if (breaks % step === 0) marks.push(at + 1);
    }
    this.lines = breaks + (text.length > 0 && !text.endsWith('\n') ? 1 : 0);
    this.#marks = marks;
  }

  get isJson(): boolean {
    this.#isJson ??= findJson(this.text) !== undefined;
    return this.#isJson;
  }

  /** Where a line begins; the end of the text for a line after the last. Lines count from 0. */
  startOf(line: number): number {
    if (line >= this.lines) return this.text.length;
    let at = this.#marks[Math.floor(line / step)] ?? 0;
    for (let left = line % step; left > 0; left--) at = this.text.indexOf('\n', at) + 1;
    return at;
  }

  /** The line of a character. */
  lineAt(offset: number): number {
    const marks = this.#marks;
    let low = 0;
    let high = marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((marks[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    let line = low * step;
    for (let at = this.text.indexOf('\n', marks[low]); at !== -1 && at < offset; at = this.text.indexOf('\n', at + 1))
      line++;
    return Math.min(line, Math.max(0, this.lines - 1));
  }
}

/** The nearest place at or before `offset` that does not split a character of two code units. */
export function alignBack(text: string, offset: number): number {
  return isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
