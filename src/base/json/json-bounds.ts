/**
 * Whether a text may be parsed: counts its values and their depth in one pass over its characters. A parser makes an object of
 * each value, and a few megabytes of them block the process for seconds; the pass takes milliseconds.
 */

import { chunkedFrom } from './chunked-text.ts';
import { stringEnd } from './json-edit.ts';

/** The name of a member counts as much as its value: names take a parser longest. */
export type Excess = 'values' | 'depth';

export interface Bounds {
  readonly values: number;
  /** By default as deep as the number of values. */
  readonly depth?: number;
}

/** A short text is not counted: it cannot hold enough values to matter. The text need not be JSON. */
export function findExcess(
  text: string,
  { values: mostValues, depth: mostDepth = mostValues }: Bounds,
): Excess | undefined {
  if (text.length < chunkedFrom) return undefined;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = stringEnd(text, at);
        break;
      case 0x2c: // ,
      case 0x3a: // :
        if (++values > mostValues) return 'values';
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++values > mostValues) return 'values';
        if (++depth > mostDepth) return 'depth';
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return undefined;
}
