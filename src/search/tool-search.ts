/** Finds tools by words: one index for all servers of a workbench, shared by all clients. */
import { type Clock, systemClock } from '../base/async/clock.ts';
import { createIndexBuilder, type IndexBuilder, isSameServer } from './index/index-builder.ts';
import type { SearchedServer } from './index/segment.ts';
import { createSlices } from './index/slices.ts';
import { emptyIndex, type ToolIndex } from './index/tool-index.ts';
import { indexFormat } from './keep/index-bytes.ts';
import { toFullKey, toQuickKey } from './keep/index-key.ts';
import { createKeptIndexes } from './keep/kept-index.ts';
import { explainHit, type HitReason } from './rank/explain.ts';
import { type RankOptions, rankTools, type SearchAnswer, type ToolHit } from './rank/rank-tools.ts';
import type { WordTables } from './words/tables.ts';
import { createTermMemo } from './words/term-memo.ts';

export type { SearchedServer } from './index/segment.ts';
export type { HitReason } from './rank/explain.ts';
export type { SearchAnswer, ToolHit } from './rank/rank-tools.ts';

export interface ToolSearch {
  /** Takes what there is now. Only servers whose tools changed are counted again; the event loop is not held for more than some milliseconds. */
  update(servers: readonly SearchedServer[]): Promise<void>;
  /** Synchronous, and the same in every run. */
  search(query: string, options: RankOptions): SearchAnswer;
  /** Why a query finds a tool: which of its words, and where. Not for the path of a search. */
  explain(query: string, hit: Pick<ToolHit, 'key' | 'name'>): readonly HitReason[];
  /** Writes what is not kept yet. */
  close(): Promise<void>;
}

export interface ToolSearchOptions {
  /** What words mean; without it, fewer queries are understood. */
  readonly words?: WordTables;
  /** Where the index is kept between runs; without it, nothing is kept. */
  readonly stateDir?: string;
  readonly clock?: Clock;
}

/** Keeping and checking wait until the client has its answers. */
const laterMs = 2_000;

export function createToolSearch({ words = {}, stateDir, clock = systemClock }: ToolSearchOptions = {}): ToolSearch {
  const { related, vectors } = words;
  const tables = [indexFormat, related?.version, vectors?.version].join(' ');
  const memo = createTermMemo();
  const kept = createKeptIndexes(stateDir);
  let builder: IndexBuilder | undefined;
  let index: ToolIndex = emptyIndex;
  let current: readonly SearchedServer[] = [];
  let updating: Promise<void> = Promise.resolve();
  /** What is left to do for the index in use. */
  let later: (() => Promise<void>) | undefined;
  let stopTimer: (() => void) | undefined;

  const doLater = (): Promise<void> => {
    stopTimer?.();
    const work = later;
    later = undefined;
    if (work !== undefined) updating = updating.then(work).catch(() => {});
    return updating;
  };
  const plan = (work: () => Promise<void>) => {
    stopTimer?.();
    later = work;
    if (stateDir !== undefined) stopTimer = clock.after(laterMs, doLater);
  };
  const build = async (servers: readonly SearchedServer[]): Promise<void> => {
    builder ??= createIndexBuilder(vectors);
    index = await builder.build(servers, createSlices());
    current = servers;
    const built = index;
    plan(async () => {
      const fullKey = await toFullKey(servers, tables, createSlices());
      await kept.save(toQuickKey(servers, tables), { index: built, fullKey });
    });
  };
  const take = async (servers: readonly SearchedServer[]): Promise<void> => {
    if (isSameList(servers, current)) return;
    const found = builder === undefined ? kept.find(toQuickKey(servers, tables)) : undefined;
    if (found === undefined) return build(servers);
    index = found.index;
    current = servers;
    plan(async () => {
      if ((await toFullKey(servers, tables, createSlices())) !== found.fullKey) await build(servers);
    });
  };

  return {
    update(servers) {
      const done = updating.then(() => take(servers));
      updating = done.catch(() => {});
      return done;
    },
    search: (query, options) => rankTools({ index, memo, words }, query, options),
    explain(query, { key, name }) {
      const item = current.find((server) => server.key === key)?.tools.find((tool) => tool.name === name);
      const server = current.find((candidate) => candidate.key === key);
      return item === undefined || server === undefined
        ? []
        : explainHit({ index, memo, words }, query, { server, item });
    },
    close: doLater,
  };
}

function isSameList(a: readonly SearchedServer[], b: readonly SearchedServer[]): boolean {
  return a.length === b.length && a.every((server, at) => isSameServer(server, b[at] as SearchedServer));
}
