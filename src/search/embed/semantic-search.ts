/**
 * The search with a second opinion: how near the meaning of each tool is to that of the query, by an embedder. A search waits for
 * the vectors of its queries, briefly; without them the words decide alone. An embedder that does not answer in time is left alone
 * for a while, so that the next searches do not wait for it in vain.
 */
import { type Clock, systemClock, within } from '../../base/async/clock.ts';
import { type Log, silentLog } from '../../base/text/log.ts';
import type { SearchedServer } from '../index/segment.ts';
import type { RankOptions, SearchAnswer } from '../rank/rank-tools.ts';
import { type Embedder, EmbedError } from './embedder.ts';
import { createToolVectors } from './tool-vectors.ts';
import { createVectorFile } from './vector-file.ts';

export interface QuerySearch {
  search(query: string, options: RankOptions): SearchAnswer;
}

export interface SemanticSearch {
  /** Takes what tools there are now. */
  update(servers: readonly SearchedServer[]): void;
  /** The same search, which also compares the meaning of these queries when their vectors came in time. Never rejects. */
  about(queries: readonly string[], search: QuerySearch): Promise<QuerySearch>;
  close(): Promise<void>;
}

export interface SemanticSearchOptions {
  readonly embedder: Embedder;
  readonly queryPrefix?: string;
  readonly toolPrefix?: string;
  /** How long a search waits. */
  readonly timeoutMs: number;
  /** Where vectors are kept between runs; undefined when nothing is kept. */
  readonly stateDir?: string | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
}

const maxKnownQueries = 256;
const maxQueryLength = 1_000;
const firstRestMs = 2_000;
const maxRestMs = 2 * 60_000;

export function createSemanticSearch(options: SemanticSearchOptions): SemanticSearch {
  const { embedder, queryPrefix = '', toolPrefix = '', timeoutMs, clock = systemClock, log = silentLog } = options;
  const file = createVectorFile(options.stateDir, embedder.id);
  const tools = createToolVectors({ embedder, prefix: toolPrefix, file, clock, log });
  /** The vectors of the last queries, the latest last. */
  const known = new Map<string, Float32Array>();
  let restMs = 0;
  let restUntil = 0;
  let told = '';

  const remember = (query: string, vector: Float32Array): void => {
    known.delete(query);
    known.set(query, vector);
    const [oldest] = known.keys();
    if (known.size > maxKnownQueries && oldest !== undefined) known.delete(oldest);
  };

  const rest = (problem: string): void => {
    restMs = Math.min(maxRestMs, restMs === 0 ? firstRestMs : restMs * 2);
    restUntil = clock.now() + restMs;
    const tell = told === problem ? log.debug : log.warn;
    tell('a search goes by words alone', { problem });
    told = problem;
  };

  const embedQueries = async (queries: readonly string[]): Promise<void> => {
    const limit = new AbortController();
    const asked = embedder.embed(
      queries.map((query) => `${queryPrefix}${query.slice(0, maxQueryLength)}`),
      limit.signal,
    );
    try {
      const vectors = await within(clock, timeoutMs, asked);
      if (vectors === undefined) rest(`the embedder took longer than ${timeoutMs} ms`);
      else {
        restMs = 0;
        told = '';
        for (const [at, query] of queries.entries()) remember(query, vectors[at] as Float32Array);
      }
    } catch (error) {
      rest(error instanceof EmbedError ? error.message : 'the embedder failed');
    } finally {
      limit.abort();
      asked.catch(() => {});
    }
  };

  return {
    update: (servers) => tools.update(servers),
    async about(queries, search) {
      const missing = [...new Set(queries)].filter((query) => !known.has(query));
      if (missing.length > 0 && clock.now() >= restUntil && tools.isReady()) await embedQueries(missing);
      return {
        search(query, rankOptions) {
          const vector = known.get(query);
          const opinions = vector === undefined ? undefined : tools.compare(vector);
          return search.search(query, opinions === undefined ? rankOptions : { ...rankOptions, opinions });
        },
      };
    },
    async close() {
      await tools.close();
      await embedder.close();
    },
  };
}
