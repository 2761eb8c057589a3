import { describe, expect, it } from 'vitest';
import { didYouMean, quote, quoteList, truncate } from '../../../src/base/text/error-text.ts';

describe('a text that somebody has to read', () => {
  it.each([
    [499, 499],
    [500, 500],
    [501, 500],
    [100_000, 500],
  ])('of %i characters has %i', (length, most) => {
    expect(truncate('x'.repeat(length))).toHaveLength(most);
  });

  it('repeats a name on one line, cut where it is too long', () => {
    expect(quote('files:read')).toBe("'files:read'");
    expect(quote('a\nb\u001b[2J')).toBe("'a b\\u{1b}[2J'");
    expect(quote('x'.repeat(100_000))).toBe(`'${'x'.repeat(149)}…'`);
  });

  it.each([
    [['a', 'b'], "'a', 'b'"],
    [[], ''],
    [['x'.repeat(300)], '1 more'],
    [['a', 'x'.repeat(300), 'b', 'y'.repeat(300)], "'a', 'b' and 2 more"],
  ])('names as many as there is room for, each whole: %#', (names, text) => {
    expect(quoteList(names)).toBe(text);
  });

  it('gives advice only where there is some', () => {
    expect(['a', 'b', 'x'.repeat(151)].map((name) => didYouMean([name]))).toEqual([
      ' Did you mean: a?',
      ' Did you mean: b?',
      '',
    ]);
    expect([didYouMean([]), didYouMean(['a', 'b'])]).toEqual(['', ' Did you mean: a, b?']);
  });
});
