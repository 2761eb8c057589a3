import { describe, expect, it } from 'vitest';
import { addMeaning } from '../../src/search/rank/meaning.ts';

const everywhere = () => true;
const add = (
  scores: number[],
  cosines: (number | undefined)[],
  explained: number,
  isIn: (tool: number) => boolean = everywhere,
) => {
  const changed = Float64Array.from(scores);
  addMeaning(changed, (tool) => cosines[tool], isIn, explained);
  return [...changed];
};
const bestOf = (scores: number[]) => scores.indexOf(Math.max(...scores));

describe('the opinion of an embedding', () => {
  it('decides where the words explain nothing', () => {
    expect(bestOf(add([1, 0.6, 0], [0.1, 0.2, 0.7], 0))).toBe(2);
  });

  it('changes nothing where the words explain everything', () => {
    expect(add([1, 0.6, 0], [0.1, 0.2, 0.7], 1)).toEqual([1, 0.6, 0]);
  });

  it('decides the same for a model whose cosines are all near each other', () => {
    const wide = add([1, 0.9, 0.2], [0.1, 0.5, 0.3], 0.2);
    const narrow = add([1, 0.9, 0.2], [0.8, 0.9, 0.85], 0.2);
    expect(bestOf(wide)).toBe(1);
    expect(bestOf(narrow)).toBe(1);
  });

  it('neither prefers nor puts back a tool without a vector', () => {
    const [first = 0, second = 0, third = 0] = add([1, 1, 1], [0.2, undefined, 0.6], 0.2);
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThan(third);
  });

  it('is silent about tools that may not be found, and does not measure others by them', () => {
    const scores = add([1, 0.5, 0], [0.3, 0.4, 0.99], 0, (tool) => tool !== 2);
    expect(scores[2]).toBe(0);
    expect(scores.slice(0, 2)).toEqual(add([1, 0.5], [0.3, 0.4], 0));
  });

  it('is silent when there is nothing to compare', () => {
    expect(add([1, 0.5], [undefined, undefined], 0)).toEqual([1, 0.5]);
    expect(add([], [], 0)).toEqual([]);
  });
});
