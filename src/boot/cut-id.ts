/** A request without its id: two that differ in nothing else are the same question. */
import { findMember, parseObject } from '../base/json.ts';
import { leadingId } from '../base/leading-id.ts';

export interface CutRequest {
  /** As it stands in the text. */
  readonly id: string;
  readonly method: string;
  /** The text around the id. */
  readonly rest: string;
}

/** As the very last member it cannot be one inside of others. */
const lastId = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*\}\s*$/d;
/** First requests are short. */
const longest = 16 * 1_024;

/** Undefined for whatever is no request, or none with its id in a usual place. */
export function cutId(line: string): CutRequest | undefined {
  const request = line.length > longest ? undefined : parseObject(line);
  const method = request && findMember(request, 'method');
  const [start, end] = (leadingId.exec(line) ?? lastId.exec(line))?.indices?.[1] ?? [];
  if (request === undefined || typeof method !== 'string' || start === undefined || end === undefined) return undefined;
  const id = line.slice(start, end);
  // What stands there twice means what it says last.
  if (findMember(request, 'id') !== JSON.parse(id)) return undefined;
  return { id, method, rest: `${line.slice(0, start)}${line.slice(end)}` };
}
