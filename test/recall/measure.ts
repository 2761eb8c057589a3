/** All figures of one run. */
import { createToolSearch, type SearchedServer, type ToolHit, type ToolSearch } from '../../src/search/tool-search.ts';
import { readWordTables, type WordTables } from '../../src/search/words/tables.ts';
import { type Found, gainAt, hitAt, meanOf, positionsOf, recallAt } from './metrics.ts';
import { createPlainSearch } from './plain-bm25.ts';
import {
  type LabelledQuery,
  type QuerySet,
  querySets,
  readMetaTool,
  readQueries,
  readServers,
  readStrangers,
} from './read-data.ts';
import { stuffedServer } from './stuffed-server.ts';

/** Which measure of which set, in the order of the page. */
export const measures = [
  ['agent', 'hit@1', hitAt(1)],
  ['agent', 'hit@5', hitAt(5)],
  ['user', 'hit@1', hitAt(1)],
  ['user', 'hit@5', hitAt(5)],
  ['typo', 'hit@1', hitAt(1)],
  ['single', 'R@1', recallAt(1)],
  ['single', 'R@5', recallAt(5)],
  ['two', 'nDCG@5', gainAt(5)],
] as const satisfies readonly (readonly [QuerySet, string, (positions: readonly number[]) => number])[];

export interface Figures {
  readonly servers: number;
  readonly tools: number;
  readonly metaTools: number;
  /** How many queries each set has. */
  readonly queries: Readonly<Record<QuerySet, number>>;
  /** For each ranking the measures in their order, to three digits. */
  readonly rankings: Readonly<Record<'plain' | 'withoutTables' | 'shipped' | 'stuffed', readonly number[]>>;
  /** The same measures with the local embedding package of test/recall/embeddings.ts, as last measured. */
  readonly embeddings?: readonly number[];
  /** As last counted. */
  readonly tokens?: TokenFigures;
  /** The share of queries whose answer is called weak. */
  readonly weak: Readonly<Record<'agent' | 'typo' | 'user' | 'strangers', number>>;
  /** On the machine that wrote the page; nothing is compared with them. */
  readonly times: { readonly indexMs: number; readonly queryMs: number; readonly slowQueryMs: number };
}

/** What mode `search` costs a model, as test/recall/tokens.mjs defines it. */
export type TokenFigures = Readonly<
  Record<
    | 'start'
    | 'startKnown'
    | 'perToolbox'
    | 'overOneTool'
    | 'search'
    | 'slowSearch'
    | 'described'
    | 'describedShare'
    | 'find',
    number
  >
>;

/** Below this share of explained weight an answer is weak. */
const weakBelow = 0.35;
const limit = 20;

export interface Measured {
  readonly figures: Figures;
  readonly misses: readonly string[];
}

export async function measure(folder: string, tablesFolder: string): Promise<Measured> {
  const servers = readServers(folder);
  const metaTool = readMetaTool(folder);
  const queries = Object.fromEntries(
    Object.keys(querySets).map((set) => [set, readQueries(folder, set as QuerySet)]),
  ) as Record<QuerySet, LabelledQuery[]>;
  const isMeta = (set: QuerySet) => set === 'single' || set === 'two';
  const scoreAll = (real: (query: string) => Found, meta: (query: string) => Found): number[] => {
    const positions = new Map(
      Object.entries(queries).map(([set, list]) => {
        const search = isMeta(set as QuerySet) ? meta : real;
        return [set, list.map((query) => positionsOf(query, search(query.query)))];
      }),
    );
    return measures.map(([set, , measureOf]) => toThree(meanOf((positions.get(set) ?? []).map(measureOf))));
  };
  const rank =
    (search: ToolSearch) =>
    (query: string): readonly ToolHit[] =>
      search.search(query, { limit }).hits;

  const tables = readWordTables(tablesFolder);
  const shipped = await create(servers, tables);
  const shippedMeta = await create(metaTool, tables);
  const bare = await create(servers, {});
  const stuffed = await create([...servers, stuffedServer([...queries.agent, ...queries.user])], tables);
  const weakShare = (list: readonly { readonly query: string }[]) =>
    toThree(meanOf(list.map(({ query }) => (shipped.search(query, { limit: 5 }).explained < weakBelow ? 1 : 0))));

  return {
    figures: {
      servers: servers.length,
      tools: servers.reduce((sum, { tools }) => sum + tools.length, 0),
      metaTools: metaTool.reduce((sum, { tools }) => sum + tools.length, 0),
      queries: Object.fromEntries(
        Object.entries(queries).map(([set, list]) => [set, list.length]),
      ) as Figures['queries'],
      rankings: {
        plain: scoreAll(createPlainSearch(servers), createPlainSearch(metaTool)),
        withoutTables: scoreAll(rank(bare), rank(await create(metaTool, {}))),
        shipped: scoreAll(rank(shipped), rank(shippedMeta)),
        stuffed: scoreAll(rank(stuffed), rank(shippedMeta)),
      },
      weak: {
        agent: weakShare(queries.agent),
        typo: weakShare(queries.typo),
        user: weakShare(queries.user),
        strangers: weakShare(readStrangers(folder)),
      },
      times: await time(servers, tables, [...queries.agent, ...queries.user]),
    },
    misses: (['agent', 'user', 'typo'] as const).flatMap((set) =>
      queries[set].flatMap((query) => {
        const [position = 0] = positionsOf(query, rank(shipped)(query.query));
        return position > 5 ? [`${set} ${query.id} at ${position}: ${query.query}`] : [];
      }),
    ),
  };
}

async function create(servers: readonly SearchedServer[], words: WordTables): Promise<ToolSearch> {
  const search = createToolSearch({ words });
  await search.update(servers);
  return search;
}

async function time(
  servers: readonly SearchedServer[],
  words: WordTables,
  queries: readonly LabelledQuery[],
): Promise<Figures['times']> {
  const began = performance.now();
  const search = await create(servers, words);
  const indexMs = performance.now() - began;
  const times = Array.from({ length: 5 }, () => queries)
    .flat()
    .map(({ query }) => {
      const start = performance.now();
      search.search(query, { limit: 5 });
      return performance.now() - start;
    })
    .sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 100) / 100;
  return { indexMs: Math.round(indexMs), queryMs: at(0.5), slowQueryMs: at(0.95) };
}

function toThree(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
