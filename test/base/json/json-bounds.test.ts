import { describe, expect, it } from 'vitest';
import { findExcess } from '../../../src/base/json/json-bounds.ts';

const space = ' '.repeat(64 * 1024);

describe('looking over a text before it is parsed', () => {
  it.each([
    ['elements', `[${'1,'.repeat(99)}1]`, undefined],
    ['one element too many', `[${'1,'.repeat(100)}1]`, 'values'],
    ['members, which count twice', `{${'"a":1,'.repeat(49)}"a":1}`, undefined],
    ['one member too many', `{${'"a":1,'.repeat(50)}"a":1}`, 'values'],
    ['signs inside strings, which are none', `["${'[{,:'.repeat(1_000)}\\"${',[{'.repeat(1_000)}"]`, undefined],
    ['a string that never ends', `["${',[{'.repeat(1_000)}`, undefined],
    ['a string that ends behind escaped backslashes', `["\\\\\\\\",${'1,'.repeat(200)}1]`, 'values'],
    ['nothing', '', undefined],
  ])('finds too many values among %s', (_, text, excess) => {
    expect(findExcess(space + text, { values: 100 })).toBe(excess);
  });

  it('finds what is nested too deep, in arrays and in objects, and nothing in what is as deep as may be', () => {
    const nested = (depth: number) => `${space}${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(
      [nested(1_000), nested(1_002), space + '['.repeat(1e6)].map((text) =>
        findExcess(text, { values: 1e9, depth: 1_000 }),
      ),
    ).toEqual([undefined, 'depth', 'depth']);
  });

  it('does not look at what is too short to hold much', () => {
    expect(findExcess('['.repeat(10_000), { values: 1 })).toBeUndefined();
  });
});
