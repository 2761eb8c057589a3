/** Word vectors (GloVe, reduced): words that are used alike have similar rows. They stay in the buffer they were read into. */
import { join } from 'node:path';
import { toVersion } from './related.ts';
import { findTableFile } from './table-file.ts';
import type { WordList } from './word-list.ts';

export interface WordVectors {
  /** Differs when the data differ. */
  readonly version: string;
  readonly dimensions: number;
  /** Row after row; a row has length 127, so that the cosine of two rows is their product divided by 127². */
  readonly values: Int8Array;
  /** -1 when the word is not known. The word is in lower case, as it is written. */
  findRow(word: string): number;
  /** What the word of a row counts for in a mean: near 1 for rare words, near 0 for frequent ones. */
  weigh(row: number): number;
}

const headBytes = 12;
/** The file has the logarithm of a word's rank by frequency, in this many steps for each doubling. */
const stepsPerDoubling = 13;
/** Frequency of the most frequent word; that of others is divided by their rank. */
const topFrequency = 0.06;
/** Words of this frequency count half. */
const halfFrequency = 1e-3;

/** Undefined when the file cannot be used, or belongs to another list of words. */
export function findWordVectors(folder: string, list: WordList): WordVectors | undefined {
  const file = findTableFile(join(folder, 'vectors.bin'), 'WBwv');
  if (file === undefined || file.body.readUInt32LE(0) !== list.checksum) return undefined;
  const { body } = file;
  const dimensions = body.readUInt32LE(8);
  const weights = Float32Array.from({ length: 256 }, (_, rarity) => toWeight(2 ** (rarity / stepsPerDoubling)));
  const start = body.byteOffset + headBytes + list.count;
  return {
    version: toVersion(file.checksum),
    dimensions,
    values: new Int8Array(body.buffer, start, list.count * dimensions),
    findRow: (word) => list.findId(word),
    weigh: (row) => weights[body[headBytes + row] ?? 0] ?? 0,
  };
}

function toWeight(rank: number): number {
  return halfFrequency / (halfFrequency + topFrequency / rank);
}
