/** Which tests of a file with large tables `npm test` runs. Pure, and the same in every run. */
export interface Selectable {
  /** Where it stands in the source: the rows of a table stand at the same place. */
  readonly place: string;
  /** Titles of the suites around it, outermost first: the dimensions of a matrix. */
  readonly suites: readonly string[];
  readonly title: string;
}

/** So many rows of one table run, unless the suites want more. */
const maxRows = 4;

/**
 * Every test of the source runs at least once, and every two titles of suites that stand together run together at least once. Of a
 * table run the rows that bring the most words, and pairs of words, that no other one has brought.
 */
export function selectTests(tests: readonly Selectable[]): Set<number> {
  const chosen = new Set<number>();
  const uses = new Map<string, number>();
  const usesOf = (index: number) => uses.get(tests[index]!.suites.join('\n')) ?? 0;
  const suitePairs = tests.map(({ suites }) => withPairs(suites.map((suite, depth) => `${depth} ${suite}`)));
  const open = new Set(suitePairs.flat());
  const take = (index: number) => {
    chosen.add(index);
    uses.set(tests[index]!.suites.join('\n'), usesOf(index) + 1);
    for (const pair of suitePairs[index]!) open.delete(pair);
  };
  /** The one that brings most of what is wanted; of equal ones that whose suites have had the fewest tests. */
  const best = (indexes: readonly number[], brings: (index: number) => readonly string[], wanted: Set<string>) => {
    const ranked = indexes.map((index) => ({ index, news: brings(index).filter((each) => wanted.has(each)).length }));
    return ranked.reduce((first, each) =>
      each.news > first.news || (each.news === first.news && usesOf(each.index) < usesOf(first.index)) ? each : first,
    );
  };

  const tables = new Map<string, number[]>();
  for (const [index, { place }] of tests.entries()) tables.set(place, [...(tables.get(place) ?? []), index]);
  for (const rows of tables.values()) take(best(rows, (index) => suitePairs[index]!, open).index);
  while (open.size > 0) take(best([...tests.keys()], (index) => suitePairs[index]!, open).index);
  for (const rows of tables.values()) {
    const words = wordsOf(rows.map((index) => tests[index]!.title));
    const brings = (index: number) => words[rows.indexOf(index)]!;
    const had = rows.filter((index) => chosen.has(index));
    const wanted = new Set(words.flat());
    for (const word of had.flatMap(brings)) wanted.delete(word);
    for (let count = had.length; count < maxRows && wanted.size > 0; count++) {
      const { index } = best(rows, brings, wanted);
      take(index);
      for (const word of brings(index)) wanted.delete(word);
    }
  }
  return chosen;
}

/** What tells each title from the others: its words that are not in all of them, and the pairs of those. */
function wordsOf(titles: readonly string[]): string[][] {
  const words = titles.map((title) => [...new Set(title.split(/[\s,]+/))]);
  return words.map((own) => withPairs(own.filter((word) => !words.every((other) => other.includes(word))).sort()));
}

function withPairs(values: readonly string[]): string[] {
  return values.flatMap((value, at) => [value, ...values.slice(at + 1).map((other) => `${value} & ${other}`)]);
}
