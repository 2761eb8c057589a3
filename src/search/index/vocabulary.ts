/** Numbers for terms (stems) and for words as they are written. They only grow; a rebuild of everything begins a new one. */

export interface Vocabulary {
  readonly terms: readonly string[];
  readonly words: readonly string[];
  /** The term of each word. */
  readonly wordTerms: readonly number[];
  takeTerm(stem: string): number;
  /** Takes a word as it is written, with its stem; returns the number of the term. */
  takeWord(word: string, stem: string): number;
}

export function createVocabulary(): Vocabulary {
  const terms: string[] = [];
  const termNumbers = new Map<string, number>();
  const words: string[] = [];
  const wordTerms: number[] = [];
  const termOfWord = new Map<string, number>();
  const takeTerm = (stem: string): number => {
    const known = termNumbers.get(stem);
    if (known !== undefined) return known;
    termNumbers.set(stem, terms.length);
    return terms.push(stem) - 1;
  };
  return {
    terms,
    words,
    wordTerms,
    takeTerm,
    takeWord(word, stem) {
      const known = termOfWord.get(word);
      if (known !== undefined) return known;
      const term = takeTerm(stem);
      termOfWord.set(word, term);
      words.push(word);
      wordTerms.push(term);
      return term;
    },
  };
}
