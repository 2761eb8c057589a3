import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorse } from './main.ts';
import type { Figures } from './measure.ts';
import { gainAt, hitAt, positionsOf, recallAt } from './metrics.ts';
import { toPage } from './page.ts';

const root = join(import.meta.dirname, '../..');
const stored = JSON.parse(readFileSync(join(root, 'test/recall/figures.json'), 'utf8')) as Figures;

describe('the page docs/discovery.md', () => {
  it('is what `npm run recall -- --write` makes of the stored figures', () => {
    expect(readFileSync(join(root, 'docs/discovery.md'), 'utf8')).toBe(toPage(stored));
  });

  it('has figures that fail a run when they fall, and only then', () => {
    const shipped = stored.rankings.shipped.map((value, at) => (at === 1 ? value - 0.001 : value + 0.001));
    const worse = { ...stored, rankings: { ...stored.rankings, shipped } };
    expect(findWorse(stored, stored)).toEqual([]);
    expect(findWorse(worse, stored)).toHaveLength(1);
    expect(findWorse({ ...stored, weak: { ...stored.weak, agent: 0.1 } }, stored)).toHaveLength(1);
  });
});

describe('the measures', () => {
  const tool = (name: string) => ({ server: 's', name });
  const query = { id: '1', query: '', gold: [tool('a'), { anyOf: [tool('b'), tool('c')] }] };
  const found = ['x', 'c', 'b', 'a'].map((name) => ({ key: 's', name }));

  it('are as the page defines them', () => {
    expect(positionsOf(query, found)).toEqual([4, 2]);
    expect(positionsOf(query, found.slice(0, 2))).toEqual([Number.POSITIVE_INFINITY, 2]);
    expect([recallAt(1)([4, 2]), recallAt(3)([4, 2]), hitAt(1)([4, 2]), hitAt(3)([4, 2])]).toEqual([0, 0.5, 0, 1]);
    expect(gainAt(5)([1, 2])).toBe(1);
    expect(gainAt(3)([4, 2])).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
  });
});
