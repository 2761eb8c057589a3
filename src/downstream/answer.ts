/**
 * The fast way to read an answer: when the envelope has one of the two shapes that servers really write, only the result
 * is parsed, and its text is kept to be passed on unchanged. Anything else is left to the full parser.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { Payload } from '../base/payload.ts';

const head = /^\{"jsonrpc":"2\.0","id":("?)(\d{1,15})\1,"result":/;
const tail = /,"jsonrpc":"2\.0","id":("?)(\d{1,15})\1\}$/;
const resultFirst = '{"result":';
/** More than the longest envelope that can match. */
const envelope = 64;

export function splitAnswer(line: string): { id: string; result: Payload } | undefined {
  const atHead = head.exec(line.slice(0, envelope));
  if (atHead !== null) return line.endsWith('}') ? toAnswer(atHead[2], line.slice(atHead[0].length, -1)) : undefined;
  if (!line.startsWith(resultFirst)) return undefined;
  const atTail = tail.exec(line.slice(-envelope));
  return atTail === null
    ? undefined
    : toAnswer(atTail[2], line.slice(resultFirst.length, line.length - atTail[0].length));
}

/** Parsing the slice alone proves that it is one JSON value and nothing of the envelope hides in it. */
function toAnswer(id: string | undefined, text: string): { id: string; result: Payload } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (id === undefined || !isObject(value)) return undefined;
    return { id, result: Payload.ofText(text, value as JsonObject) };
  } catch {
    return undefined;
  }
}
