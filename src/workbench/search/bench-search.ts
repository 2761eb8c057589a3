/**
 * The search over the tools of all servers of a workbench: one index for all its clients, made when the first of them searches and
 * brought up to date before each search.
 */
import type { Clock } from '../../base/async/clock.ts';
import { withoutHidden } from '../../base/text/hidden.ts';
import type { Log } from '../../base/text/log.ts';
import type { ToolShape } from '../../config/model/tool-shape.ts';
import type { SearchedServer, ToolSearch } from '../../search/tool-search.ts';
import { shapeSearched } from '../../toolbox/shape/shape-placement.ts';
import type { ServerStatus } from '../reports/server-status.ts';
import type { Snapshot } from '../view/snapshot.ts';
import { createBenchMeaning } from './bench-meaning.ts';

export interface BenchSearch {
  /**
   * The index of what is known now, ready for these queries. Which of it a client may see is up to its view.
   */
  ready(queries: readonly string[]): Promise<Pick<ToolSearch, 'search'>>;
  close(): Promise<void>;
}

export interface Searchable {
  readonly snapshot: Snapshot;
  statusOf(key: string): Pick<ServerStatus, 'info' | 'instructions'>;
}

export interface BenchSearchOptions {
  /** Where the index is kept between runs; undefined when nothing is kept. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** How much of the instructions of a server is searched. */
const maxInstructions = 300;

export function createBenchSearch(bench: Searchable, { stateDir, clock, log }: BenchSearchOptions): BenchSearch {
  let made: Promise<ToolSearch> | undefined;
  let indexed: Snapshot | undefined;
  let servers: readonly SearchedServer[] = [];
  const meaning = createBenchMeaning({ stateDir, clock, log });
  let updated: Promise<void> = Promise.resolve();
  const make = async () => {
    const { openToolSearch } = await import('../../search/open-tool-search.ts');
    return openToolSearch({ stateDir, clock, log });
  };
  return {
    async ready(queries) {
      made ??= make();
      const search = await made;
      const current = bench.snapshot;
      if (current !== indexed) {
        indexed = current;
        servers = toSearched(current, (key) => bench.statusOf(key));
        updated = search.update(servers).catch((error: unknown) => {
          indexed = undefined;
          throw error;
        });
      }
      await updated;
      return meaning.about({ settings: current.config.search?.embeddings, servers, queries, search });
    },
    async close() {
      await meaning.close();
      await (await made)?.close();
    },
  };
}

/** Every server whose tools are known, filters not applied: what a filter leaves out can be told to be left out. */
export function toSearched({ config, catalog }: Snapshot, statusOf: Searchable['statusOf']): SearchedServer[] {
  const names = new Map<string, Set<string>>();
  const shaped = new Map<string, readonly ToolShape[]>();
  for (const { name, placements } of config.toolboxes.values())
    for (const { key, server, shapes } of placements) {
      names.set(key, (names.get(key) ?? new Set()).add(server).add(name));
      if (shapes !== undefined && !shaped.has(key)) shaped.set(key, shapes);
    }
  return [...catalog].flatMap(([key, { tools }]) => {
    const definition = config.servers.get(key);
    if (definition === undefined || tools.length === 0) return [];
    const { info, instructions = '' } = statusOf(key);
    const shapes = shaped.get(key);
    const about = [info?.title, info?.description, withoutHidden(instructions.slice(0, maxInstructions))];
    return [
      {
        key,
        names: [...new Set([definition.name, ...(names.get(key) ?? [])])],
        about: about.filter((text) => text !== undefined && text !== '').join('\n'),
        tools: shapes === undefined ? tools : shapeSearched(tools, shapes),
      },
    ];
  });
}
