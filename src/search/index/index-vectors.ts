/**
 * The meaning of each tool as one vector: the mean of the vectors of its words, without what all tools have in common. It is a
 * second opinion for queries whose words the tools do not use.
 */
import type { WordVectors } from '../words/vectors.ts';
import type { Pause } from './slices.ts';

export interface IndexVectors {
  readonly dimensions: number;
  /** For each term the row of a word of it in the table, −1 when there is none. */
  readonly termRows: Int32Array;
  /** What all tools have in common. */
  readonly mean: Float32Array;
  /** For each tool a unit vector × 127; zeros when no word of it is known. */
  readonly tools: Int8Array;
}

export interface VectorInput {
  readonly vectors: WordVectors;
  readonly words: readonly string[];
  readonly wordTerms: readonly number[];
  readonly termCount: number;
  /** For each tool the terms that say what it does. */
  readonly tools: readonly (readonly Uint32Array[])[];
  readonly pause: Pause;
}

export async function buildIndexVectors(input: VectorInput): Promise<IndexVectors> {
  const { vectors, words, wordTerms, termCount, tools, pause } = input;
  const { dimensions } = vectors;
  const termRows = new Int32Array(termCount).fill(-1);
  for (let at = 0; at < words.length; at++) {
    const term = wordTerms[at] as number;
    if (termRows[term] === -1) termRows[term] = vectors.findRow(words[at] as string);
    if (at % 256 === 0) await pause();
  }
  const sums = new Float32Array(tools.length * dimensions);
  const mean = new Float32Array(dimensions);
  let known = 0;
  for (const [tool, fields] of tools.entries()) {
    const sum = sums.subarray(tool * dimensions, (tool + 1) * dimensions);
    for (const terms of fields) for (const term of terms) addRow(sum, vectors, termRows[term] as number);
    if (toUnit(sum)) {
      known++;
      for (let at = 0; at < dimensions; at++) mean[at] = (mean[at] as number) + (sum[at] as number);
    }
    await pause();
  }
  for (let at = 0; at < dimensions; at++) mean[at] = (mean[at] as number) / Math.max(known, 1);
  const centred = new Int8Array(sums.length);
  for (let tool = 0; tool < tools.length; tool++) {
    const sum = sums.subarray(tool * dimensions, (tool + 1) * dimensions);
    centre(sum, mean);
    for (let at = 0; at < dimensions; at++) centred[tool * dimensions + at] = Math.round((sum[at] as number) * 127);
  }
  return { dimensions, termRows, mean, tools: centred };
}

/** Adds one row of the table, with the weight of its word. */
export function addRow(sum: Float32Array, { values, dimensions, weigh }: WordVectors, row: number): void {
  if (row < 0) return;
  const by = weigh(row) / 127;
  const start = row * dimensions;
  for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + (values[start + at] as number) * by;
}

/** Takes the mean out of a vector, in place; a vector that is zero stays so. */
export function centre(vector: Float32Array, mean: Float32Array): void {
  if (vector.every((value) => value === 0)) return;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) - (mean[at] as number);
  toUnit(vector);
}

/** Gives a vector the length 1, in place. False when it is zero. */
export function toUnit(vector: Float32Array): boolean {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return false;
  const by = 1 / Math.sqrt(square);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * by;
  return true;
}
