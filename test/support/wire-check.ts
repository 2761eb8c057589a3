/** Whether what a program wrote on stdout is the protocol and nothing else. */
import { isObject, type Json, type JsonObject } from '../../src/base/json/json.ts';

/** Fails with the first line that is not exactly one JSON-RPC 2.0 message. */
export function assertOnlyMessages(lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    const fault = findFault(line);
    if (fault !== undefined) throw new Error(`line ${index + 1} on stdout ${fault}: ${line.slice(0, 300)}`);
  }
}

/** What keeps a line from being one message; undefined when nothing does. */
export function findFault(line: string): string | undefined {
  const message = parseLine(line);
  if (message === undefined) return 'is not a JSON object';
  if (message.jsonrpc !== '2.0') return 'does not say jsonrpc 2.0';
  const kinds = ['method', 'result', 'error'].filter((kind) => Object.hasOwn(message, kind));
  if (kinds.length !== 1)
    return `has ${kinds.length === 0 ? 'no' : kinds.join(' and ')} instead of one of method, result, error`;
  if (kinds[0] === 'method') return findRequestFault(message);
  if (kinds[0] === 'result') {
    if (!isObject(message.result)) return 'has a result that is no object';
    return isId(message.id) ? undefined : 'answers without an id';
  }
  return findErrorFault(message);
}

/** The object a line holds, or undefined. */
export function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function findRequestFault({ method, id, params }: JsonObject): string | undefined {
  if (typeof method !== 'string') return 'has a method that is no string';
  if (id !== undefined && !isId(id)) return 'has an id that is neither string nor integer';
  return params === undefined || isObject(params) ? undefined : 'has params that are no object';
}

/** An error about something that could not be read has no id to answer under. */
function findErrorFault({ error, id }: JsonObject): string | undefined {
  if (!isObject(error)) return 'has an error that is no object';
  if (!Number.isInteger(error.code)) return 'has an error without an integer code';
  if (typeof error.message !== 'string') return 'has an error without a message';
  return id === undefined || id === null || isId(id) ? undefined : 'has an id that is neither string nor integer';
}

function isId(value: Json | undefined): boolean {
  return typeof value === 'string' || Number.isInteger(value);
}
