/** The arguments of a call as written on a command line: `key=value`, `key:=json`, `key=@file`, or one JSON object. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../../base/errors/code-of.ts';
import { isObject } from '../../base/json/json.ts';
import { type Json, type JsonObject, toPrintable, WorkbenchError } from '../../index.ts';
import { findArgumentSchema, findTypes } from '../output/schema-view.ts';

export interface Pair {
  readonly key: string;
  readonly text: string;
  /** Written with `:=`, which does not depend on the type that the tool wants. */
  readonly isJson: boolean;
}

/** Parses the words; files are read here, so that a wrong name is reported before anything is started. */
export function parsePairs(words: readonly string[], cwd: string): Pair[] {
  const seen = new Set<string>();
  return words.map((word) => {
    const equals = word.indexOf('=');
    const isJson = equals > 0 && word[equals - 1] === ':';
    const key = word.slice(0, isJson ? equals - 1 : Math.max(0, equals));
    if (key === '') {
      throw new WorkbenchError('WB1901', `"${toPrintable(word, 80)}" is not a valid argument.`, {
        fix: 'Write key=value, key:=JSON or key=@file.',
      });
    }
    if (seen.has(key)) {
      throw new WorkbenchError('WB1901', `The argument "${key}" is given twice.`, {
        fix: `For a list write ${key}:='["a","b"]'.`,
      });
    }
    seen.add(key);
    const value = word.slice(equals + 1);
    const text = !isJson && value.startsWith('@') ? readArgumentFile(key, resolve(cwd, value.slice(1))) : value;
    return { key, text, isJson };
  });
}

function readArgumentFile(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new WorkbenchError('WB1901', `The file ${path} for "${key}" cannot be read (${codeOf(error)}).`, {
      fix: `Correct the path; for a text that begins with @ write ${key}:='"@…"'.`,
    });
  }
}

/** Converts values to the types that the tool's schema asks for; where it names no type, or accepts a string, they stay text. */
export function toArguments(pairs: readonly Pair[], inputSchema: JsonObject): JsonObject {
  return Object.fromEntries(
    pairs.map(({ key, text, isJson }) => {
      const types = findTypes(findArgumentSchema(inputSchema, key), inputSchema);
      const wanted = types === undefined || types.has('string') ? undefined : [...types].join(' or ');
      return [key, isJson || wanted !== undefined ? parseValue(key, text, wanted) : text];
    }),
  );
}

function parseValue(key: string, text: string, wanted = 'JSON'): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new WorkbenchError(
      'WB1901',
      `"${key}" should be ${wanted}, but ${toPrintable(text, 80) || 'nothing'} is not.`,
      {
        fix: `Write ${key}=… as JSON, for example 3, true, '["a"]' or '{"a":1}'.`,
      },
    );
  }
}

/** The value of `--args`. */
export function parseArgumentObject(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    value = null;
  }
  if (isObject(value)) return value;
  throw new WorkbenchError('WB1901', 'The value of --args is not a JSON object.', {
    fix: `Write --args '{"key":"value"}', or --args - to read it from stdin.`,
  });
}
