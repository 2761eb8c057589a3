/**
 * The fast way to read an answer: when the envelope has one of the two shapes that servers really write, only the result
 * is parsed, and its text is kept to be passed on unchanged. Anything else is left to the full parser.
 */
import { isObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';

const head = '{"jsonrpc":"2.0","id":';
const result = ',"result":';
const tail = /,"jsonrpc":"2\.0","id":("?)([1-9]\d{0,14})\1\}$/;
const resultFirst = '{"result":';
/** More than the longest envelope that can match. */
const envelope = 64;
const maxDigits = 15;
const quote = 0x22;
const zero = 0x30;

export interface SplitAnswer {
  /** As a number, also where it was written as a string. */
  readonly id: number;
  readonly result: RawJson;
}

export function splitAnswer(line: string): SplitAnswer | undefined {
  if (line.startsWith(head)) return splitBehindHead(line);
  if (!line.startsWith(resultFirst)) return undefined;
  const atTail = tail.exec(line.slice(-envelope));
  return atTail === null
    ? undefined
    : toAnswer(Number(atTail[2]), line.slice(resultFirst.length, line.length - atTail[0].length));
}

/** By hand, because nearly every line comes here and what a pattern finds is an array of strings. */
function splitBehindHead(line: string): SplitAnswer | undefined {
  const isQuoted = line.charCodeAt(head.length) === quote;
  const start = isQuoted ? head.length + 1 : head.length;
  let at = start;
  let id = 0;
  for (let digit = digitAt(line, at); digit >= 0 && at - start < maxDigits; digit = digitAt(line, at)) {
    id = id * 10 + digit;
    at++;
  }
  // None begins with a zero.
  if (at === start || line.charCodeAt(start) === zero) return undefined;
  if (isQuoted && line.charCodeAt(at++) !== quote) return undefined;
  if (!line.startsWith(result, at) || !line.endsWith('}')) return undefined;
  return toAnswer(id, line.slice(at + result.length, -1));
}

/** Negative, or not a number, when there is none. */
function digitAt(line: string, at: number): number {
  const digit = line.charCodeAt(at) - zero;
  return digit <= 9 ? digit : -1;
}

/** Parsing the slice alone proves that it is one JSON value and nothing of the envelope hides in it. */
function toAnswer(id: number, text: string): SplitAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { id, result: RawJson.ofText(text, value) } : undefined;
  } catch {
    return undefined;
  }
}
