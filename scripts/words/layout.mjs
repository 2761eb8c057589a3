/**
 * The three files as `src/search/words` reads them. Each begins with four letters and the CRC-32 of all that follows; numbers are
 * little-endian. Words are sorted by their bytes; a word is known by its position, its id.
 *
 * words.bin    count u32; for every 16th word the offset of its text u32; the words, each ended by a line feed
 * related.bin  checksum of words.bin u32; count u32; for every 16th word the offset of its record u32; a record for each word:
 *              0 = nothing; 0x8000 + id = the same as that word; else three counts of 5 bits (synonyms, derived, hypernyms) in one
 *              u16, then so many ids u16
 * vectors.bin  checksum of words.bin u32; count u32; dimensions u32; for each word how rare it is u8; for each word its values i8
 */
import { crc32 } from 'node:zlib';

export const blockSize = 16;
export const maxWords = 0x8000;
const maxKindCount = 31;

export function toFile(letters, body) {
  const head = Buffer.alloc(8);
  head.write(letters, 'latin1');
  head.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([head, body]);
}

const u32 = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
};

const u16 = (values) => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2);
  return bytes;
};

/** Pieces one after the other, and the offset of every 16th. */
function inBlocks(pieces) {
  const offsets = [];
  let offset = 0;
  for (const [at, piece] of pieces.entries()) {
    if (at % blockSize === 0) offsets.push(offset);
    offset += piece.length;
  }
  return [u32(...offsets), ...pieces];
}

export function toWordList(words) {
  return toFile('WBwl', Buffer.concat([u32(words.length), ...inBlocks(words.map((word) => Buffer.from(`${word}\n`)))]));
}

/** An entry is `undefined`, the id of the word that has the same relations, or ids by kind. */
export function toRelated(entries, list) {
  const records = entries.map((entry) => {
    if (entry === undefined) return u16([0]);
    if (typeof entry === 'number') return u16([0x8000 + entry]);
    const kinds = [entry.synonym, entry.derived, entry.hypernym].map((ids) => ids.slice(0, maxKindCount));
    const counts = kinds.reduce((sum, { length }, at) => sum + (length << (at * 5)), 0);
    return u16([counts, ...kinds.flat()]);
  });
  return toFile('WBwr', Buffer.concat([u32(list.readUInt32LE(4), entries.length), ...inBlocks(records)]));
}

export function toVectors(rows, rarities, list) {
  const dimensions = rows[0].length;
  const values = Int8Array.from(
    rows.flatMap((row) => Array.from(row)),
    (value) => Math.max(-127, Math.min(127, Math.round(value * 127))),
  );
  return toFile(
    'WBwv',
    Buffer.concat([
      u32(list.readUInt32LE(4), rows.length, dimensions),
      Buffer.from(rarities),
      Buffer.from(values.buffer),
    ]),
  );
}
