/**
 * Texts to numbered terms, and counts of them. Tools of one server repeat whole sentences about their parameters, and all tools
 * repeat words, so both are remembered.
 */
import { forEachToken } from '../words/split-words.ts';
import type { TermMemo } from '../words/term-memo.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface TermReader {
  readonly vocabulary: Vocabulary;
  /** One field at a time. */
  count(maxWords: number, options: CountOptions): TermCounter;
  /** Forgets sentences; another server has others. */
  forget(): void;
}

export interface CountOptions {
  /** Whether the joined form of a word counts. In the name of a tool it does not: every name would look half covered. */
  readonly joined: boolean;
  /** Counts a repeated word once. */
  readonly once: boolean;
}

export interface TermCounter {
  /** False when the field is full. */
  take(text: string): boolean;
  finish(): { readonly terms: Uint32Array; readonly counts: Uint8Array; readonly length: number };
}

/** A word that is repeated more often counts as often as this. */
const maxCount = 8;
const maxSentences = 5_000;
const maxTokens = 50_000;
/** Marks the number of a joined form. */
const joinedMark = 0x4000_0000;

export function createTermReader(vocabulary: Vocabulary, memo: TermMemo): TermReader {
  // Small arrays of numbers: a typed array costs more to make than it saves here.
  const tokens = new Map<string, readonly number[]>();
  const sentences = new Map<string, readonly number[]>();
  let counts = new Uint8Array(4_096);
  const touched: number[] = [];

  const readToken = (token: string): readonly number[] => {
    const known = tokens.get(token);
    if (known !== undefined) return known;
    const { words, stems, joined } = memo(token);
    const numbers = words.map((word, at) => vocabulary.takeWord(word, stems[at] as string));
    if (joined !== undefined) numbers.push(vocabulary.takeWord(joined.word, joined.stem) | joinedMark);
    tokens.set(token, numbers);
    return numbers;
  };
  const readText = (text: string, maxWords: number): readonly number[] => {
    const known = sentences.get(text);
    if (known !== undefined) return known;
    const numbers: number[] = [];
    forEachToken(text, (token) => {
      const terms = readToken(token);
      for (let at = 0; at < terms.length; at++) numbers.push(terms[at] as number);
      return numbers.length < maxWords * 2;
    });
    if (sentences.size < maxSentences) sentences.set(text, numbers);
    return numbers;
  };

  return {
    vocabulary,
    forget() {
      sentences.clear();
      if (tokens.size > maxTokens) tokens.clear();
    },
    count(maxWords, { joined, once }) {
      let length = 0;
      return {
        take(text) {
          const numbers = readText(text, maxWords);
          if (counts.length < vocabulary.terms.length) counts = grown(counts, vocabulary.terms.length * 2);
          for (let at = 0; at < numbers.length; at++) {
            const number = numbers[at] as number;
            const isJoined = number >= joinedMark;
            if (isJoined && !joined) continue;
            if (!isJoined && ++length > maxWords) break;
            const term = isJoined ? number - joinedMark : number;
            const before = counts[term] as number;
            if (before === 0) touched.push(term);
            if (before < (once ? 1 : maxCount)) counts[term] = before + 1;
          }
          return length < maxWords;
        },
        finish() {
          const found = { terms: Uint32Array.from(touched), counts: new Uint8Array(touched.length), length };
          for (let at = 0; at < touched.length; at++) {
            found.counts[at] = counts[touched[at] as number] as number;
            counts[touched[at] as number] = 0;
          }
          touched.length = 0;
          return found;
        },
      };
    },
  };
}

function grown(counts: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(counts);
  return larger;
}
