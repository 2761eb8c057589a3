/** The measures of a ranking. docs/discovery.md defines them. */
import type { ToolHit } from '../../src/search/tool-search.ts';
import type { LabelledQuery } from './read-data.ts';

export type Found = readonly Pick<ToolHit, 'key' | 'name'>[];

/** The position of the first right tool of each need; infinite when it was not found. */
export function positionsOf({ gold }: LabelledQuery, found: Found): number[] {
  return gold.map((need) => {
    const right = 'anyOf' in need ? need.anyOf : [need];
    const at = found.findIndex(({ key, name }) => right.some((tool) => tool.server === key && tool.name === name));
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  });
}

export const recallAt = (k: number) => (positions: readonly number[]) =>
  positions.filter((position) => position <= k).length / positions.length;

export const hitAt = (k: number) => (positions: readonly number[]) =>
  positions.some((position) => position <= k) ? 1 : 0;

export const gainAt = (k: number) => (positions: readonly number[]) => {
  const gain = (position: number) => 1 / Math.log2(position + 1);
  const got = positions.filter((position) => position <= k).reduce((sum, position) => sum + gain(position), 0);
  const best = Array.from({ length: Math.min(k, positions.length) }, (_, at) => gain(at + 1));
  return got / best.reduce((sum, value) => sum + value, 0);
};

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
