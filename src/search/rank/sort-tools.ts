/** The tools that an answer can show, best first; ties in the order of the index. */
import type { ToolIndex } from '../index/tool-index.ts';

/** About as many tools are sorted; others are shown only if they are among the best of their server. */
const maxSorted = 256;
const bestOfServer = 5;
/** Scores are counted in so many steps: sorting all of them took longer than finding them. */
const steps = 1_024;

export function sortTools({ toolServers }: ToolIndex, scores: Float64Array): number[] {
  const least = findLeast(scores);
  const found: number[] = [];
  const best = new Float64Array(bestOfServer);
  // The tools of a server stand together.
  for (let start = 0, end = 0; start < scores.length; start = end) {
    best.fill(0);
    while (end < scores.length && toolServers[end] === toolServers[start]) insert(best, scores[end++] as number);
    const enough = Math.min(least, best[bestOfServer - 1] as number);
    for (let tool = start; tool < end; tool++) {
      const score = scores[tool] as number;
      if (score > 0 && score >= enough) found.push(tool);
    }
  }
  return found.sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other);
}

/** A score that at least as many tools reach as are sorted, and hardly more. */
function findLeast(scores: Float64Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  if (most === 0) return 0;
  const counts = new Uint32Array(steps + 1);
  for (const score of scores)
    if (score > 0) {
      const step = Math.floor((score / most) * steps);
      counts[step] = (counts[step] as number) + 1;
    }
  let step = steps;
  for (let found = counts[step] as number; step > 0 && found < maxSorted; found += counts[step] as number) step--;
  return (step / steps) * most;
}

/** Keeps the highest scores, the highest first. */
function insert(best: Float64Array, score: number): void {
  if (score <= (best[best.length - 1] as number)) return;
  let at = best.length - 1;
  for (; at > 0 && (best[at - 1] as number) < score; at--) best[at] = best[at - 1] as number;
  best[at] = score;
}
