/** The tools that an answer can show, best first; ties in the order of the index. */
import type { ToolIndex } from '../index/tool-index.ts';

/** Tools behind this place are not shown, unless they are among the best of their server. */
const maxSorted = 256;
const bestOfServer = 5;

export function sortTools({ toolServers }: ToolIndex, scores: Float64Array): number[] {
  const least = findPlace(scores, maxSorted);
  const found: number[] = [];
  // The tools of a server stand together.
  for (let start = 0, end = 0; start < scores.length; start = end) {
    while (end < scores.length && toolServers[end] === toolServers[start]) end++;
    const enough = Math.min(least, findPlace(scores.subarray(start, end), bestOfServer));
    for (let tool = start; tool < end; tool++) {
      const score = scores[tool] as number;
      if (score > 0 && score >= enough) found.push(tool);
    }
  }
  return found.sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other);
}

/** The score at a place from the top. */
function findPlace(scores: Float64Array, place: number): number {
  return scores.length <= place ? 0 : (scores.slice().sort()[scores.length - place] as number);
}
