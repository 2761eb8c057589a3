/** Which terms of the index a word of a query stands for, and how much each counts. */
import type { ToolIndex } from '../index/tool-index.ts';
import { toStem } from '../words/stem.ts';
import { synonymsOf } from '../words/synonyms.ts';
import type { WordTables } from '../words/tables.ts';
import { verbsOf } from '../words/verbs.ts';
import { mendWord } from './mend-word.ts';
import { findNearTerms } from './opinion.ts';
import type { QueryPhrase, QueryWord, ReadQuery } from './read-query.ts';
import { rankRules } from './rules.ts';

/** How a term came to be looked for. */
export type VariantKind = 'same' | 'joined' | 'typo' | 'synonym' | 'related' | 'near';

export interface Variant {
  readonly term: number;
  readonly weight: number;
  readonly kind: VariantKind;
}

export interface QueryTerm {
  readonly word: string;
  readonly clauses: readonly number[];
  /** What the word itself weighs in the query. */
  readonly idf: number;
  readonly variants: readonly Variant[];
}

export interface QueryPlan {
  readonly terms: readonly QueryTerm[];
  readonly clauseCount: number;
  /** What the verbs of the query do. */
  readonly verbs: number;
}

/** Words that no tool has are looked for among all words of all tools; more of them than this are not. */
const maxUnknown = 12;

export function planQuery(query: ReadQuery, index: ToolIndex, words: WordTables): QueryPlan {
  let unknown = 0;
  const terms: QueryTerm[] = [];
  const twice = query.words.length > rankRules.shortQuery ? 1 : 0;
  const asked = new Set(query.words.map(({ stem }) => findTerm(index, stem)));
  for (const word of query.words) {
    const own = findTerm(index, word.stem);
    if (own === undefined && (isNumber(word.word) || ++unknown > maxUnknown)) continue;
    terms.push(toQueryTerm(word, own, { index, words, asked, twice }));
  }
  const pairs = query.pairs.map(([a, b]) => toPair(a, b, index)).filter((term) => term !== undefined);
  const phrases = query.phrases.map((phrase) => toPhrase(phrase, index)).filter((term) => term !== undefined);
  const stems = [...query.words.map(({ stem }) => stem), ...query.phrases.flatMap((phrase) => phrase.stems)];
  return { terms: [...terms, ...pairs, ...phrases], clauseCount: query.clauseCount, verbs: verbsOf(stems) };
}

/** The number of a term that some tool has. */
export function findTerm(index: ToolIndex, stem: string): number | undefined {
  const term = index.terms.get(stem);
  const isUsed = term !== undefined && (index.starts[term + 1] as number) > (index.starts[term] as number);
  return isUsed ? term : undefined;
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

interface TermContext {
  readonly index: ToolIndex;
  readonly words: WordTables;
  /** Terms that the query has itself, and what one of them counts as a synonym of another. */
  readonly asked: ReadonlySet<number | undefined>;
  readonly twice: number;
}

function toQueryTerm(
  { word, stem, clauses }: QueryWord,
  own: number | undefined,
  { index, words: { related, vectors }, asked, twice }: TermContext,
): QueryTerm {
  const variants = new Map<number, Variant>();
  const take = (term: number | undefined, weight: number, kind: VariantKind) => {
    if (term === undefined) return;
    const counts = kind !== 'same' && asked.has(term) ? weight * twice : weight;
    if ((variants.get(term)?.weight ?? 0) < counts) variants.set(term, { term, weight: counts, kind });
  };
  take(own, 1, 'same');
  for (const synonym of synonymsOf(stem)) take(findTerm(index, synonym), rankRules.synonym, 'synonym');
  const by = own === undefined ? rankRules.unknownFactor : 1;
  for (const { word: other, kind } of related?.find(word) ?? [])
    take(findTerm(index, toStem(other)), rankRules.related[kind] * by, 'related');
  if (own === undefined) {
    for (const term of mendWord(word, index)) take(term, rankRules.typo, 'typo');
    const near = vectors === undefined ? [] : findNearTerms(word, index, vectors);
    for (const { term, cosine } of near) take(term, rankRules.nearest.weight * cosine, 'near');
  }
  const idf = own === undefined ? index.unknownIdf : (index.idf[own] as number);
  return { word, clauses, idf, variants: [...variants.values()] };
}

function toPhrase({ words, stems, clauses }: QueryPhrase, index: ToolIndex): QueryTerm | undefined {
  const found = stems.map((stem) => findTerm(index, stem)).filter((term) => term !== undefined);
  if (found.length === 0) return undefined;
  const idf = Math.min(...found.map((term) => index.idf[term] as number));
  const variants = found.map((term) => ({ term, weight: rankRules.phrase, kind: 'synonym' }) as const);
  return { word: words, clauses, idf, variants };
}

/** Two neighbours that tools write as one word. */
function toPair(a: QueryWord, b: QueryWord, index: ToolIndex): QueryTerm | undefined {
  const term = findTerm(index, toStem(`${a.word}${b.word}`));
  if (term === undefined) return undefined;
  const variants: Variant[] = [{ term, weight: rankRules.joined, kind: 'joined' }];
  return { word: `${a.word}${b.word}`, clauses: a.clauses, idf: index.idf[term] as number, variants };
}
