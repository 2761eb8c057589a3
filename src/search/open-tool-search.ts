/** The search with all that is shipped for it; loaded with the first search. */
import type { Clock } from '../base/async/clock.ts';
import type { Log } from '../base/text/log.ts';
import { createToolSearch, type ToolSearch } from './tool-search.ts';
import { getWordTables } from './words/tables.ts';

export interface OpenSearchOptions {
  /** Where the index is kept between runs; undefined when nothing is kept. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The caller closes it. */
export function openToolSearch({ stateDir, clock, log }: OpenSearchOptions): ToolSearch {
  return createToolSearch({ words: getWordTables(log), clock, ...(stateDir === undefined ? {} : { stateDir }) });
}
