/**
 * Words of the catalog that an unknown word may have been meant for: one edit away, or the same beginning with a few more or fewer
 * letters. Words are compared as they are written, because a typo changes the stem.
 */
import type { ToolIndex } from '../index/tool-index.ts';

const minLength = 4;
const maxLetters = 4;
const maxMended = 8;

/** Terms of the words that were found. */
export function mendWord(word: string, { words, wordTerms, starts }: ToolIndex): number[] {
  if (word.length < minLength || /\d/.test(word)) return [];
  const found = new Set<number>();
  for (let at = 0; at < words.length && found.size < maxMended; at++) {
    const other = words[at] as string;
    const longer = other.length - word.length;
    if (longer > maxLetters || longer < -maxLetters || other.length < minLength) continue;
    const begins = longer > 0 ? other.startsWith(word) : longer < 0 && word.startsWith(other);
    if (!begins && (longer > 1 || longer < -1 || !isOneEdit(word, other))) continue;
    const term = wordTerms[at] as number;
    if ((starts[term + 1] as number) > (starts[term] as number)) found.add(term);
  }
  return [...found];
}

/** One letter replaced, left out, added, or exchanged with its neighbour. */
export function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  let end = 0;
  while (end < short.length - at && short[short.length - 1 - end] === long[long.length - 1 - end]) end++;
  const left = short.length - at - end;
  if (long.length > short.length) return long.length === short.length + 1 && left === 0;
  if (left <= 1) return left === 1;
  return left === 2 && short[at] === long[at + 1] && short[at + 1] === long[at];
}
