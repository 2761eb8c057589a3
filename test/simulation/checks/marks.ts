/** How what is said in a schedule is marked, so that it can be told at the other end whose it is. */
import { findMember, findObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';

const keys = { nonce: 'sim/nonce', tag: 'sim/tag', attempt: 'sim/attempt' } as const;

export interface Marks {
  /** The call it belongs to. */
  readonly nonce?: string | undefined;
  /** The question it belongs to. */
  readonly tag?: string | undefined;
  /** The request of a client that brought it. */
  readonly attempt?: number | undefined;
}

/** As members of `_meta`. */
export function toMeta(marks: Marks): JsonObject {
  const meta: JsonObject = {};
  for (const name of ['nonce', 'tag', 'attempt'] as const) {
    const mark = marks[name];
    if (mark !== undefined) meta[keys[name]] = mark;
  }
  return meta;
}

export function readMarks(marked: JsonObject): Marks {
  const meta = findObject(marked, '_meta') ?? {};
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  const attempt = findMember(meta, keys.attempt);
  return {
    nonce: text(findMember(meta, keys.nonce)),
    tag: text(findMember(meta, keys.tag)),
    attempt: typeof attempt === 'number' ? attempt : undefined,
  };
}
