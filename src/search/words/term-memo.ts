/** Remembers for each token as it is written which terms it stands for: texts repeat their words, and stemming costs more than a look-up. */
import { splitToken } from './split-words.ts';
import { toStem } from './stem.ts';
import { textStopWords } from './stop-words.ts';

export interface TokenTerms {
  /** Lower-case words, as written, without stop words. */
  readonly words: readonly string[];
  /** Their stems, in the same order. */
  readonly stems: readonly string[];
  /** The joined form of several words, and its stem. */
  readonly joined: { readonly word: string; readonly stem: string } | undefined;
}

/** Tokens of a server may all differ; the memo starts again when it is full. */
const maxTokens = 50_000;

export type TermMemo = (token: string) => TokenTerms;

export function createTermMemo(): TermMemo {
  const known = new Map<string, TokenTerms>();
  return (token) => {
    const before = known.get(token);
    if (before !== undefined) return before;
    if (known.size >= maxTokens) known.clear();
    const terms = toTerms(token);
    known.set(token, terms);
    return terms;
  };
}

function toTerms(token: string): TokenTerms {
  const { parts, joined } = splitToken(token);
  const words = parts.filter((word) => !textStopWords.has(word));
  return {
    words,
    stems: words.map(toStem),
    joined: joined === undefined ? undefined : { word: joined, stem: toStem(joined) },
  };
}
