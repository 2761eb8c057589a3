/**
 * What a client must get for what it sent, told from the bytes alone by the rules of JSON-RPC: an opinion of its own, that shares
 * nothing with the code under test.
 */
import { isObject, type Json, type JsonObject } from '../../src/base/json/json.ts';

export interface Expected {
  /** How many answers come under each id, by the JSON of the id. */
  readonly answers: ReadonlyMap<string, number>;
  /** Ids of which less may come: cancelled, in a batch that may be refused, or open for good. */
  readonly free: ReadonlySet<string>;
  /** How many errors come that can name no request. */
  readonly nameless: { readonly least: number; readonly most: number };
}

export function expect(lines: readonly string[], maxBytes: number): Expected {
  const answers = new Map<string, number>();
  const free = new Set<string>();
  let least = 0;
  let most = 0;
  const nameless = (certain: boolean) => {
    most++;
    if (certain) least++;
  };
  const optional = (key: string) => {
    answers.set(key, (answers.get(key) ?? 0) + 1);
    free.add(key);
  };
  const take = (message: Json, certain: boolean): void => {
    if (!isObject(message)) {
      nameless(certain);
      return;
    }
    const { id, method } = own(message);
    const isAnswer = method === undefined && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
    if (isAnswer) return;
    if (typeof method === 'string' && id === undefined) {
      const cancelled = method === 'notifications/cancelled' ? requestOf(message) : undefined;
      if (cancelled !== undefined) free.add(JSON.stringify(cancelled));
      return;
    }
    if (!isId(id)) {
      nameless(certain);
      return;
    }
    const key = JSON.stringify(id);
    answers.set(key, (answers.get(key) ?? 0) + 1);
    if (!certain || method === 'subscriptions/listen') free.add(key);
  };

  for (const line of lines) {
    const message = parse(line);
    if (Buffer.byteLength(line) > maxBytes) {
      // Only its beginning and its end may have been looked at.
      for (const part of [line.slice(0, 300), line.slice(-300)]) {
        const [, id] = /"id"\s*:\s*("[^"\\]*"|\d+)/.exec(part) ?? [];
        if (id !== undefined) optional(JSON.stringify(JSON.parse(id)));
      }
      nameless(false);
    } else if (message === undefined) nameless(true);
    else if (!Array.isArray(message)) take(message, true);
    else if (message.length === 0) nameless(true);
    else {
      nameless(false);
      for (const part of message) take(part, false);
    }
  }
  return { answers, free, nameless: { least, most } };
}

/** The lines that bytes make: empty ones are none. */
export function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end).toString('utf8').replace(/\r$/, '');
    if (line !== '') lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** What is wrong with the answers, if anything. */
export function findProblems(expected: Expected, got: readonly JsonObject[]): string[] {
  const counts = new Map<string, number>();
  let nameless = 0;
  for (const message of got) {
    if (Object.hasOwn(message, 'method')) continue;
    const key = JSON.stringify(message.id ?? null);
    if (key === 'null') nameless++;
    else counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const problems: string[] = [];
  for (const [key, count] of expected.answers) {
    const came = counts.get(key) ?? 0;
    if (came > count || (came < count && !expected.free.has(key)))
      problems.push(`${came} answers instead of ${count} under the id ${key.slice(0, 100)}`);
  }
  for (const key of counts.keys())
    if (!expected.answers.has(key)) problems.push(`an answer under the id ${key.slice(0, 100)}, which nobody used`);
  const { least, most } = expected.nameless;
  if (nameless < least || nameless > most)
    problems.push(`${nameless} errors without an id instead of ${least} to ${most}`);
  return problems;
}

function own(message: JsonObject): { id: Json | undefined; method: Json | undefined } {
  const member = (key: string) => (Object.hasOwn(message, key) ? message[key] : undefined);
  return { id: member('id'), method: member('method') };
}

function requestOf({ params }: JsonObject): Json | undefined {
  return isObject(params) && Object.hasOwn(params, 'requestId') ? params.requestId : undefined;
}

function isId(value: Json | undefined): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}
