/**
 * Adds the opinion of an embedding to the scores. Models differ in how near all texts are to each other, so cosines are scaled by
 * those of the other tools. The more of the query the words explain, the less the opinion counts: a query in the words of a tool
 * needs none.
 */
import { fuse } from './fuse.ts';
import { rankRules } from './rules.ts';

export function addMeaning(
  scores: Float64Array,
  cosineOf: (tool: number) => number | undefined,
  isIn: (tool: number) => boolean,
  explained: number,
): void {
  const cosines = new Map<number, number | undefined>();
  let sum = 0;
  let known = 0;
  let best = Number.NEGATIVE_INFINITY;
  for (let tool = 0; tool < scores.length; tool++) {
    if (!isIn(tool)) continue;
    const cosine = cosineOf(tool);
    cosines.set(tool, cosine);
    if (cosine === undefined) continue;
    sum += cosine;
    known++;
    best = Math.max(best, cosine);
  }
  if (known === 0) return;
  const mean = sum / known;
  const base = mean / 2;
  if (best <= base) return;
  const scaled = (tool: number) => {
    if (!cosines.has(tool)) return undefined;
    // A tool without a vector is neither preferred nor put back.
    return ((cosines.get(tool) ?? mean) - base) / (best - base);
  };
  fuse(scores, scaled, rankRules.embedding * (1 - explained));
}
