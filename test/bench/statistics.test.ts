import { describe, expect, it } from 'vitest';
import { compareRounds, median, quantile } from '../../bench/statistics.mjs';

describe('statistics of the bench', () => {
  it.each([
    { values: [5], part: 0.99, is: 5 },
    { values: [3, 1, 2], part: 0.5, is: 2 },
    { values: [4, 1, 3, 2], part: 0.5, is: 2.5 },
    { values: [10, 30, 20], part: 1, is: 30 },
    { values: [0, 100], part: 0.99, is: 99 },
  ])('the $part of $values is $is', ({ values, part, is }) => {
    expect(quantile(values, part)).toBeCloseTo(is);
  });

  it('leaves the values as they were', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('compares within each round, so that a machine that slows down for both changes nothing', () => {
    const found = compareRounds([2, 20, 200], [1, 10, 100]);
    expect(found).toEqual({ own: 20, base: 10, ratio: 2, low: 2, high: 2 });
  });

  it('lets one bad round widen nothing but the spread', () => {
    const { ratio, low, high } = compareRounds([1, 1, 1, 9], [1, 1, 1, 1]);
    expect(ratio).toBe(1);
    expect(low).toBe(1);
    expect(high).toBeGreaterThan(1);
  });
});
