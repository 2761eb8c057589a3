/** A query to words and clauses. A person's request may be long; only its beginning is read. */
import { findPhrase } from '../words/phrases.ts';
import { forEachToken } from '../words/split-words.ts';
import { queryStopWords } from '../words/stop-words.ts';
import type { TermMemo } from '../words/term-memo.ts';

export interface QueryWord {
  /** As written, in lower case. */
  readonly word: string;
  readonly stem: string;
  /** The clauses it stands in. */
  readonly clauses: number[];
}

export interface ReadQuery {
  readonly words: readonly QueryWord[];
  readonly clauseCount: number;
  /** Neighbours that may be one word: `digital ocean`. */
  readonly pairs: readonly (readonly [QueryWord, QueryWord])[];
  readonly phrases: readonly QueryPhrase[];
}

/** Two words with a meaning of their own: `turn on`. */
export interface QueryPhrase {
  readonly words: string;
  readonly stems: readonly string[];
  readonly clauses: readonly number[];
}

const maxQueryLength = 4_000;
const maxQueryWords = 64;
const maxClauses = 12;
const maxPhrases = 4;

/** Where one wish ends and the next begins. */
const clauseEnd = /[.!?;:,\n]+(?:\s|$)|\s(?:and|then|also|but|while|plus|or)\s/i;

export function readQuery(text: string, memo: TermMemo): ReadQuery {
  const words = new Map<string, QueryWord>();
  const pairs: [QueryWord, QueryWord][] = [];
  const phrases: QueryPhrase[] = [];
  const plain = withoutValues(text.slice(0, maxQueryLength), phrases);
  const clauses = plain.split(clauseEnd);
  let clause = 0;
  for (const part of clauses) {
    let before: QueryWord | undefined;
    let found = false;
    let last = '';
    const take = (word: string, stem: string): QueryWord | undefined => {
      if (queryStopWords.has(word)) return undefined;
      const known = words.get(stem);
      if (known === undefined && words.size >= maxQueryWords) return undefined;
      const entry = known ?? { word, stem, clauses: [] };
      words.set(stem, entry);
      if (!entry.clauses.includes(clause)) entry.clauses.push(clause);
      found = true;
      return entry;
    };
    forEachToken(part, (token) => {
      const lower = token.toLowerCase();
      const stems = findPhrase(last, lower);
      if (stems !== undefined && phrases.length < maxPhrases)
        phrases.push({ words: `${last} ${lower}`, stems, clauses: [clause] });
      last = lower;
      const { words: written, stems: own, joined } = memo(token);
      for (const [at, word] of written.entries()) {
        const taken = take(word, own[at] as string);
        if (taken !== undefined && before !== undefined && at === 0) pairs.push([before, taken]);
        before = taken;
      }
      if (joined !== undefined) take(joined.word, joined.stem);
      return words.size < maxQueryWords;
    });
    if (found && clause < maxClauses - 1) clause++;
  }
  return { words: [...words.values()], clauseCount: clause, pairs, phrases };
}

/** Values that say what a query is about by their form: their letters are not words. */
const values: readonly (readonly [string, RegExp, readonly string[]])[] = [
  ['an address of the web', /\bhttps?:\/\/[^\s]{1,500}/gi, ['url', 'websit', 'page']],
  ['an email address', /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}/g, ['email']],
  ['a phone number', /\+\d[\d ()-]{6,20}\d/g, ['phone', 'sms', 'call']],
];

function withoutValues(text: string, phrases: QueryPhrase[]): string {
  return values.reduce((rest, [name, form, stems]) => {
    const plain = rest.replace(form, ' ');
    if (plain !== rest) phrases.push({ words: name, stems, clauses: [0] });
    return plain;
  }, text);
}
