/** Scores all tools for one query. */
import type { ToolIndex } from '../index/tool-index.ts';
import type { QueryPlan, QueryTerm } from './expand.ts';
import { rankRules } from './rules.ts';

export interface Scores {
  /** By tool; 0 for a tool that does not match. */
  readonly scores: Float64Array;
  /** How much of the name of each tool the query names, 0 to 1. */
  readonly coverage: Float32Array;
  /** By term: how strongly the query names it. */
  readonly named: Float32Array;
}

export function scoreTools(
  index: ToolIndex,
  plan: QueryPlan,
  accepts: ((tool: number) => boolean) | undefined,
): Scores {
  const count = index.toolNames.length;
  const total = new Float64Array(count);
  const clauses = plan.clauseCount > 1 ? Array.from({ length: plan.clauseCount }, () => new Float32Array(count)) : [];
  const best = new Float32Array(count);
  for (const term of plan.terms) {
    const touched = matchTerm(index, term, best);
    for (const tool of touched) {
      const gain = best[tool] as number;
      best[tool] = 0;
      total[tool] = (total[tool] as number) + gain;
      if (clauses.length > 0)
        for (const clause of term.clauses) {
          const of = clauses[clause];
          if (of !== undefined) of[tool] = (of[tool] as number) + gain;
        }
    }
  }
  const coverage = new Float32Array(count);
  const named = toNamed(index, plan);
  const serverBest = new Float64Array(index.keys.length);
  for (let tool = 0; tool < count; tool++) {
    let score = total[tool] as number;
    if (score === 0) continue;
    if (accepts !== undefined && !accepts(tool)) {
      total[tool] = 0;
      continue;
    }
    let clause = 0;
    for (const of of clauses) clause = Math.max(clause, of[tool] as number);
    score += rankRules.clause * clause;
    const covered = coverName(index, tool, named);
    coverage[tool] = covered;
    score *= 1 + rankRules.coverage * covered;
    total[tool] = score;
    const server = index.toolServers[tool] as number;
    if (score > (serverBest[server] as number)) serverBest[server] = score;
  }
  for (let tool = 0; tool < count; tool++) {
    const score = total[tool] as number;
    if (score === 0) continue;
    const verbs = index.verbs[tool] as number;
    const other = verbs !== 0 && plan.verbs !== 0 && (verbs & plan.verbs) === 0;
    const prior = rankRules.serverPrior * (serverBest[index.toolServers[tool] as number] as number);
    total[tool] = (score + prior) * (other ? rankRules.otherVerb : 1);
  }
  return { scores: total, coverage, named };
}

/** The best match of any variant, by tool; a word counts once, however many of its synonyms a tool has. */
function matchTerm(index: ToolIndex, { idf, variants }: QueryTerm, best: Float32Array): number[] {
  const touched: number[] = [];
  for (const { term, weight, kind } of variants) {
    const by = weight * (kind === 'same' ? idf : Math.min(idf, index.idf[term] as number));
    const end = index.starts[term + 1] as number;
    for (let at = index.starts[term] as number; at < end; at++) {
      const tool = index.postedTools[at] as number;
      const gain = by * (index.postedWeights[at] as number);
      const before = best[tool] as number;
      if (before === 0) touched.push(tool);
      if (gain > before) best[tool] = gain;
    }
  }
  return touched;
}

/** How strongly the query names each term. */
function toNamed(index: ToolIndex, { terms }: QueryPlan): Float32Array {
  const named = new Float32Array(index.idf.length);
  for (const { variants } of terms)
    for (const { term, weight } of variants) if (weight > (named[term] as number)) named[term] = weight;
  return named;
}

function coverName({ nameStarts, nameTerms, idf }: ToolIndex, tool: number, named: Float32Array): number {
  let all = 0;
  let covered = 0;
  const end = nameStarts[tool + 1] as number;
  for (let at = nameStarts[tool] as number; at < end; at++) {
    const term = nameTerms[at] as number;
    all += idf[term] as number;
    covered += (idf[term] as number) * (named[term] as number);
  }
  return all === 0 ? 0 : covered / all;
}

/** The share of the query's weight that one tool explains. A word that was mended counts as explained. */
export function explainShare(index: ToolIndex, { terms }: QueryPlan, tool: number): number {
  let all = 0;
  let explained = 0;
  for (const { idf, variants } of terms) {
    all += idf;
    let found = 0;
    for (const { term, weight, kind } of variants)
      if (hasPosting(index, term, tool)) found = Math.max(found, kind === 'typo' ? 1 : weight);
    explained += idf * found;
  }
  return all === 0 ? 0 : explained / all;
}

function hasPosting({ starts, postedTools }: ToolIndex, term: number, tool: number): boolean {
  let low = starts[term] as number;
  let high = (starts[term + 1] as number) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = postedTools[middle] as number;
    if (at === tool) return true;
    if (at < tool) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
