/**
 * The words that the tables know, in one sorted buffer. A word is found by binary search over every 16th word, so that nothing has
 * to be unpacked at the start. The position of a word is its id, by which the other tables know it.
 */
import { join } from 'node:path';
import { findTableFile } from './table-file.ts';

export interface WordList {
  readonly checksum: number;
  readonly count: number;
  /** -1 when the word is not known. */
  findId(word: string): number;
  getWord(id: number): string;
}

export const blockSize = 16;
const lineFeed = 10;
const maxWordLength = 20;

export function findWordList(folder: string): WordList | undefined {
  const file = findTableFile(join(folder, 'words.bin'), 'WBwl');
  if (file === undefined) return undefined;
  const { checksum, body } = file;
  const count = body.readUInt32LE(0);
  const blocks = Math.ceil(count / blockSize);
  const text = body.subarray(4 + blocks * 4);
  const offsets = Uint32Array.from({ length: blocks }, (_, block) => body.readUInt32LE(4 + block * 4));
  const offsetOf = (block: number) => offsets[block] ?? 0;
  return {
    checksum,
    count,
    findId(word) {
      if (word.length > maxWordLength) return -1;
      let low = 0;
      let high = blocks - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (compareAt(text, offsetOf(middle), word) <= 0) low = middle;
        else high = middle - 1;
      }
      let at = offsetOf(low);
      for (let id = low * blockSize; id < Math.min(count, (low + 1) * blockSize); id++) {
        const order = compareAt(text, at, word);
        if (order === 0) return id;
        if (order > 0) return -1;
        at = nextAfter(text, at);
      }
      return -1;
    },
    getWord(id) {
      let at = offsetOf(Math.floor(id / blockSize));
      for (let skipped = id % blockSize; skipped > 0; skipped--) at = nextAfter(text, at);
      return text.toString('latin1', at, nextAfter(text, at) - 1);
    },
  };
}

/** Words are short: a loop is faster than a call into Node. */
function nextAfter(text: Buffer, offset: number): number {
  let at = offset;
  while (at < text.length && text[at] !== lineFeed) at++;
  return at + 1;
}

/** The sign of the order between the word at an offset and a word. A letter that no word of the list has sorts after all of them. */
function compareAt(text: Buffer, offset: number, word: string): number {
  for (let at = 0; at < word.length; at++) {
    const letter = text[offset + at] ?? lineFeed;
    if (letter === lineFeed) return -1;
    const difference = letter - word.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return text[offset + word.length] === lineFeed ? 0 : 1;
}
