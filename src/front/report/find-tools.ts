/** The search of mode `search` for a person: the same index and the same order, with scores and reasons. */
import { findString } from '../../base/json/json.ts';
import type { HitReason } from '../../search/tool-search.ts';
import type { Address } from '../../toolbox/toolbox.ts';
import type { ServerStatus } from '../../workbench/reports/server-status.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { weakBelow } from '../search/search-tools.ts';
import { findShownTools } from '../search/shown-tools.ts';

export interface FindToolsOptions {
  readonly toolbox?: string | undefined;
  readonly limit: number;
  /** Also why each tool is found. */
  readonly why?: boolean;
}

export interface FoundTools {
  readonly query: string;
  /** The share of the query that the best tool explains, from 0 to 1. */
  readonly explained: number;
  /** Too little of it: a model is told to use other words. */
  readonly weak: boolean;
  readonly tools: readonly FoundTool[];
}

export interface FoundTool {
  readonly address: Address;
  readonly score: number;
  readonly description: string;
  readonly state: ServerStatus['state'];
  readonly why?: readonly HitReason[];
}

export async function findToolsBy(
  bench: WorkbenchView,
  query: string,
  { toolbox, limit, why = false }: FindToolsOptions,
): Promise<FoundTools> {
  const search = await bench.search.ready([query]);
  const shown = findShownTools(bench.snapshot, toolbox);
  const accepts = (key: string, name: string) => shown.find(key, name) !== undefined;
  const { hits, explained } = search.search(query, { limit, accepts });
  const tools = hits.flatMap((hit): FoundTool[] => {
    const entry = shown.find(hit.key, hit.name);
    if (entry === undefined) return [];
    const { address, item, key } = entry;
    return [
      {
        address: { ...address, name: item.shown },
        score: Number(hit.score.toPrecision(4)),
        description: findString(item.definition, 'description') ?? '',
        state: bench.statusOf(key).state,
        ...(why ? { why: search.explain(query, hit) } : {}),
      },
    ];
  });
  return { query, explained, weak: tools.length === 0 || explained < weakBelow, tools };
}
