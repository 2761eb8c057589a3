import { describe, expect, it } from 'vitest';
import { cutText } from '../../src/catalog/cut.ts';
import { buildItemList } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';

describe('a text that is too long', () => {
  it.each([
    ['', 10, ''],
    ['abcdefghij', 10, 'abcdefghij'],
    ['abcdefghijk', 10, 'abcdefg…'],
    ['äääää', 10, 'äääää'],
    ['ääääää', 10, 'äää…'],
    ['€€€€', 12, '€€€€'],
    ['€€€€€', 12, '€€€…'],
    ['😀😀😀', 12, '😀😀😀'],
    ['😀😀😀😀', 12, '😀😀…'],
    ['a😀😀😀', 12, 'a😀😀…'],
  ])('is cut between two characters: %s at %i', (text, maxBytes, cut) => {
    expect(cutText(text, maxBytes)).toBe(cut);
    expect(Buffer.byteLength(cutText(text, maxBytes))).toBeLessThanOrEqual(maxBytes);
  });
});

describe('the description of a tool', () => {
  const read = (entry: object, kind: 'tools' | 'prompts' = 'tools') =>
    buildItemList(kind, [{ name: 'a', inputSchema: { type: 'object' }, ...entry }], { limits: defaultLimits });

  it('of 16 KiB stays as it is', () => {
    const description = 'x'.repeat(16_384);
    expect(read({ description })).toMatchObject({ items: [{ definition: { description } }], problems: [] });
  });

  it('is cut when it is longer, and the tool stays', () => {
    const { items, problems } = read({ description: 'x'.repeat(16_385), vendor: 1 });
    expect(items[0]?.definition).toMatchObject({ description: `${'x'.repeat(16_381)}…`, vendor: 1 });
    const message = "the description of tool 'a' has 16385 bytes; it is cut at 16384";
    expect(problems).toEqual([{ code: 'WB1021', message }]);
  });

  it('that is too long hides no other fault of the tool', () => {
    const { problems } = read({ description: `\u200b${'x'.repeat(20_000)}`, title: 7 });
    expect(problems.map(({ code }) => code)).toEqual(['WB1015', 'WB1021', 'WB1020']);
  });
});
