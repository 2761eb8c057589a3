/** From a query to the best tools. */
import type { ToolIndex } from '../index/tool-index.ts';
import type { WordTables } from '../words/tables.ts';
import type { TermMemo } from '../words/term-memo.ts';
import { planQuery, type QueryPlan } from './expand.ts';
import { fuse } from './fuse.ts';
import { addMeaning } from './meaning.ts';
import { findNearTools } from './opinion.ts';
import { readQuery } from './read-query.ts';
import { rankRules } from './rules.ts';
import { explainShare, scoreTools } from './score.ts';
import { spread } from './spread.ts';

export interface ToolHit {
  readonly key: string;
  /** The server's own name of the tool. */
  readonly name: string;
  readonly score: number;
}

export interface SearchAnswer {
  /** Best first; ties by server and name, the same in every run. */
  readonly hits: readonly ToolHit[];
  /** The share of the query's weight that the best hit explains; below about .35 the answer is weak. */
  readonly explained: number;
  /** Whether the first hit is one clear winner. */
  readonly clear: boolean;
}

export interface RankOptions {
  readonly limit: number;
  /** Which tools may be found. */
  accepts?(key: string, name: string): boolean;
  /** How near the meaning of a tool is to the query, −1 to 1, by an embedding. */
  opinions?(key: string, name: string): number | undefined;
}

export interface Ranker {
  readonly index: ToolIndex;
  readonly memo: TermMemo;
  readonly words: WordTables;
}

/** A clear winner: the query names most of it, it explains most of the query, and the next tool is far behind. */
const clearCoverage = 0.9;
const clearExplained = 0.6;
const clearGap = 1.25;

export function rankTools(ranker: Ranker, query: string, { limit, accepts, opinions }: RankOptions): SearchAnswer {
  const { index, memo, words } = ranker;
  const read = readQuery(query, memo);
  const plan = planQuery(read, index, words);
  const keyOf = (tool: number) => index.keys[index.toolServers[tool] as number] as string;
  const nameOf = (tool: number) => index.toolNames[tool] as string;
  const isAccepted = accepts === undefined ? undefined : (tool: number) => accepts(keyOf(tool), nameOf(tool));
  const scored = scoreTools(index, plan, isAccepted);
  const { scores, coverage } = scored;
  const isIn = (tool: number) => isAccepted === undefined || isAccepted(tool);
  const written = read.words.map(({ word }) => word);
  addOpinion(ranker, plan, written, scores);
  if (opinions !== undefined) {
    const best = findBest(scores);
    const share = best === undefined ? 0 : explainShare(index, plan, best);
    addMeaning(scores, (tool) => opinions(keyOf(tool), nameOf(tool)), isIn, share);
  }
  const order = spread({
    index,
    order: sortTools(scores),
    scores,
    coverage,
    named: scored.named,
  });
  const [first, second] = order;
  if (first === undefined) return { hits: [], explained: 0, clear: false };
  const explained = explainShare(index, plan, first);
  const gap = second === undefined ? Number.POSITIVE_INFINITY : (scores[first] as number) / (scores[second] as number);
  let score = Number.POSITIVE_INFINITY;
  const hits = order.slice(0, limit).map((tool) => {
    // A tool that stepped back shows the score of its place.
    score = Math.min(score, scores[tool] as number);
    return { key: keyOf(tool), name: nameOf(tool), score };
  });
  const clear = (coverage[first] as number) >= clearCoverage && explained >= clearExplained && gap >= clearGap;
  return { hits, explained, clear };
}

/** The less the words explain, the more their meaning counts; a long request means many things at once. */
function addOpinion(
  { index, words: { vectors } }: Ranker,
  plan: QueryPlan,
  written: readonly string[],
  scores: Float64Array,
): void {
  if (vectors === undefined || index.vectors === undefined) return;
  const best = findBest(scores);
  const explained = best === undefined ? 0 : explainShare(index, plan, best);
  const share = rankRules.opinion * (1 - explained) * Math.min(1, rankRules.opinionWords / Math.max(1, written.length));
  const cosines = findNearTools(written, index.vectors, vectors);
  if (cosines === undefined || best === undefined) return;
  fuse(scores, (tool) => ((scores[tool] as number) > 0 ? cosines[tool] : undefined), share);
}

function findBest(scores: Float64Array): number | undefined {
  let best: number | undefined;
  for (let tool = 0; tool < scores.length; tool++)
    if ((scores[tool] as number) > (best === undefined ? 0 : (scores[best] as number))) best = tool;
  return best;
}

/** Best first; ties in the order of the index. */
function sortTools(scores: Float64Array): number[] {
  const found: number[] = [];
  for (let tool = 0; tool < scores.length; tool++) if ((scores[tool] as number) > 0) found.push(tool);
  return found.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}
