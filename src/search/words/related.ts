/**
 * Related words of English words, from WordNet: synonyms, words derived from a word, and words for what it is a kind of, for the
 * first senses of each word. Inflected forms have the relations of their base form, and that form is among them.
 */
import { join } from 'node:path';
import { findTableFile } from './table-file.ts';
import { blockSize, type WordList } from './word-list.ts';

export type RelationKind = 'synonym' | 'derived' | 'hypernym';

export interface RelatedWord {
  readonly word: string;
  readonly kind: RelationKind;
}

export interface RelatedWords {
  /** Differs when the data differ. */
  readonly version: string;
  /** Synonyms first. The word is in lower case, as it is written. */
  find(word: string): readonly RelatedWord[];
}

const kinds: readonly RelationKind[] = ['synonym', 'derived', 'hypernym'];
const countBits = 5;
const sameAs = 0x8000;

/** Undefined when the file cannot be used, or belongs to another list of words. */
export function findRelatedWords(folder: string, list: WordList): RelatedWords | undefined {
  const file = findTableFile(join(folder, 'related.bin'), 'WBwr');
  if (file === undefined || file.body.readUInt32LE(0) !== list.checksum) return undefined;
  const { body } = file;
  const blocks = Math.ceil(list.count / blockSize);
  const records = 8 + blocks * 4;
  const read = (at: number) => body.readUInt16LE(at);
  const findRecord = (id: number) => {
    let at = records + body.readUInt32LE(8 + Math.floor(id / blockSize) * 4);
    for (let skipped = id % blockSize; skipped > 0; skipped--) at += 2 + 2 * countOf(read(at));
    return at;
  };
  const wordsAt = (record: number): RelatedWord[] => {
    const head = read(record);
    let at = record + 2;
    return kinds.flatMap((kind, index) => {
      const count = (head >> (index * countBits)) & 31;
      const found = Array.from({ length: count }, (_, n) => ({ word: list.getWord(read(at + n * 2)), kind }));
      at += count * 2;
      return found;
    });
  };
  return {
    version: toVersion(file.checksum),
    find(word) {
      const id = list.findId(word);
      if (id < 0) return [];
      const record = findRecord(id);
      const head = read(record);
      if ((head & sameAs) === 0) return wordsAt(record);
      const base = head & ~sameAs;
      return [{ word: list.getWord(base), kind: 'synonym' }, ...wordsAt(findRecord(base))];
    },
  };
}

function countOf(head: number): number {
  if ((head & sameAs) !== 0) return 0;
  return kinds.reduce((sum, _, index) => sum + ((head >> (index * countBits)) & 31), 0);
}

export function toVersion(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}
