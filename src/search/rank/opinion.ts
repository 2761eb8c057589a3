/** What word vectors say: which words of the tools are near an unknown word, and which tools are near the whole query. */
import { addRow, centre, type IndexVectors, toUnit } from '../index/index-vectors.ts';
import type { ToolIndex } from '../index/tool-index.ts';
import type { WordVectors } from '../words/vectors.ts';
import { rankRules } from './rules.ts';

export interface NearTerm {
  readonly term: number;
  readonly cosine: number;
}

/** The terms of the index nearest to a word, best first. */
export function findNearTerms(word: string, index: ToolIndex, vectors: WordVectors): NearTerm[] {
  const { count, cosine: least } = rankRules.nearest;
  const row = vectors.findRow(word);
  if (row < 0 || index.vectors === undefined) return [];
  const { values, dimensions } = vectors;
  const own = Float32Array.from(values.subarray(row * dimensions, (row + 1) * dimensions));
  const { termRows } = index.vectors;
  const found: NearTerm[] = [];
  for (let term = 0; term < termRows.length; term++) {
    const other = termRows[term] as number;
    if (other < 0 || index.starts[term] === index.starts[term + 1]) continue;
    const cosine = dot(own, values, other * dimensions) / (127 * 127);
    if (cosine < least) continue;
    found.push({ term, cosine });
  }
  return found.sort((a, b) => b.cosine - a.cosine || a.term - b.term).slice(0, count);
}

/** How near each tool that matches is to all words of a query together, −1 to 1; undefined when no word is known. */
export function findNearTools(
  words: readonly string[],
  near: IndexVectors,
  vectors: WordVectors,
  scores: Float64Array,
): Float32Array | undefined {
  const sum = new Float32Array(near.dimensions);
  for (const word of words) addRow(sum, vectors, vectors.findRow(word));
  if (!toUnit(sum)) return undefined;
  centre(sum, near.mean);
  const cosines = new Float32Array(near.tools.length / near.dimensions);
  for (let tool = 0; tool < cosines.length; tool++)
    if (scores[tool] !== 0) cosines[tool] = dot(sum, near.tools, tool * near.dimensions) / 127;
  return cosines;
}

function dot(a: Float32Array, b: Int8Array, start: number): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[start + at] as number);
  return sum;
}
