/** The weights of the ranking, in one place. Measured by `npm run recall`; on most of them the figures hardly depend. */
export interface RankRules {
  /** What a synonym of the own table counts, against the word itself. */
  readonly synonym: number;
  /**
   * Up to this many words a query is precise: a word of it does not also count as a synonym of another one. In a long request words
   * that mean the same say what it is about.
   */
  readonly shortQuery: number;
  readonly related: Readonly<Record<'synonym' | 'hypernym' | 'derived', number>>;
  /** Related words of a word that no tool has count more. */
  readonly unknownFactor: number;
  readonly typo: number;
  /** Two query words that tools write as one, or one word that tools write as two. */
  readonly joined: number;
  /** A word for a phrase such as `turn on`. */
  readonly phrase: number;
  readonly clause: number;
  readonly coverage: number;
  readonly serverPrior: number;
  readonly otherVerb: number;
  /** The second opinion of word vectors. */
  readonly opinion: number;
  readonly opinionWords: number;
  /** The opinion of an embedding, where one is set up. */
  readonly embedding: number;
  readonly nearest: { readonly count: number; readonly cosine: number; readonly weight: number };
}

export const rankRules: RankRules = {
  synonym: 0.4,
  shortQuery: 5,
  related: { synonym: 0.2, hypernym: 0.15, derived: 0.2 },
  unknownFactor: 2,
  typo: 0.8,
  joined: 0.5,
  phrase: 0.5,
  clause: 0.5,
  coverage: 0.7,
  serverPrior: 0.2,
  otherVerb: 0.85,
  opinion: 0.3,
  opinionWords: 12,
  embedding: 1.3,
  nearest: { count: 4, cosine: 0.55, weight: 0.4 },
};
