/** Adds an opinion on all tools to their scores. */

/**
 * `score / best + share · cosine`, on the scale of the scores. Unlike a fusion of ranks it keeps a clear winner of the words clear.
 * A tool below zero does not match.
 */
export function fuse(scores: Float64Array, cosines: (tool: number) => number | undefined, share: number): void {
  let best = 0;
  for (const score of scores) best = Math.max(best, score);
  const scale = (best === 0 ? 1 : best) * share;
  for (let tool = 0; tool < scores.length; tool++) {
    const cosine = cosines(tool);
    if (cosine !== undefined) scores[tool] = Math.max(0, (scores[tool] as number) + scale * cosine);
  }
}
