/**
 * Counted tools of all servers to one index, by BM25F: the counts of a term in the fields of a tool are added, each with the weight
 * of its field and shortened by the length of the field, and the sum saturates.
 */
import type { WordVectors } from '../words/vectors.ts';
import { buildIndexVectors } from './index-vectors.ts';
import type { CountedField, CountedTool, Segment } from './segment.ts';
import type { Pause } from './slices.ts';
import type { ToolIndex } from './tool-index.ts';
import { type Field, fields } from './tool-text.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a field weighs, and how much its length counts, 0 to 1. */
const rules: Readonly<Record<Field, readonly [weight: number, shortening: number]>> = {
  name: [2, 0.3],
  server: [1.2, 0.3],
  head: [1, 0.4],
  rest: [0.6, 0.5],
  parameters: [0.7, 0.3],
  parameterDocs: [0.7, 0.7],
  about: [0.5, 0.5],
};

export const saturation = 1.6;

/** A server with more tools than this, and than all others together, counts as that many: it must not decide which words are rare. */
const maxServerShare = 1_000;

export interface MergeInput {
  readonly segments: readonly Segment[];
  readonly vocabulary: Vocabulary;
  readonly vectors: WordVectors | undefined;
  readonly pause: Pause;
}

export async function mergeSegments({ segments, vocabulary, vectors, pause }: MergeInput): Promise<ToolIndex> {
  const sorted = [...segments].sort((a, b) => compare(a.key, b.key));
  const shares = findShares(sorted);
  const averages = findAverages(sorted, shares);
  const toolCount = sorted.reduce((sum, { tools }) => sum + tools.length, 0);

  const sums = new Float32Array(vocabulary.terms.length);
  const touched: number[] = [];
  const frequency = new Float32Array(vocabulary.terms.length);
  const counted = new Uint32Array(vocabulary.terms.length);
  const add = ({ field, terms, counts, length }: CountedField) => {
    const [weight, shortening] = rules[fields[field] as Field];
    const by = weight / (1 - shortening + (shortening * length) / (averages[field] ?? 1));
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number;
      if (sums[term] === 0) touched.push(term);
      sums[term] = (sums[term] as number) + (counts[at] as number) * by;
    }
  };

  const toolServers = new Uint32Array(toolCount);
  const toolNames: string[] = [];
  const telling: (readonly Uint32Array[])[] = [];
  const verbs = new Uint8Array(toolCount);
  const nameStarts = new Uint32Array(toolCount + 1);
  const nameTerms: number[] = [];
  const rowTerms: Uint32Array[] = [];
  const rowWeights: Float32Array[] = [];
  for (const [server, segment] of sorted.entries())
    for (const tool of [...segment.tools].sort((a, b) => compare(a.name, b.name))) {
      for (const field of segment.shared) add(field);
      for (const field of tool.fields) add(field);
      const at = toolNames.push(tool.name) - 1;
      telling.push(toTelling(tool));
      toolServers[at] = server;
      verbs[at] = tool.verbs;
      nameTerms.push(...tool.nameTerms);
      nameStarts[at + 1] = nameTerms.length;
      const weights = new Float32Array(touched.length);
      for (let place = 0; place < touched.length; place++) {
        const term = touched[place] as number;
        const sum = sums[term] as number;
        weights[place] = (sum * (saturation + 1)) / (sum + saturation);
        sums[term] = 0;
        frequency[term] = (frequency[term] as number) + (shares[server] as number);
        counted[term] = (counted[term] as number) + 1;
      }
      rowTerms.push(Uint32Array.from(touched));
      rowWeights.push(weights);
      touched.length = 0;
      await pause();
    }

  const starts = new Uint32Array(vocabulary.terms.length + 1);
  for (let term = 0; term < counted.length; term++)
    starts[term + 1] = (starts[term] as number) + (counted[term] as number);
  const next = starts.slice();
  const postedTools = new Uint32Array(starts.at(-1) as number);
  const postedWeights = new Float32Array(postedTools.length);
  for (let tool = 0; tool < toolCount; tool++) {
    const terms = rowTerms[tool] as Uint32Array;
    const weights = rowWeights[tool] as Float32Array;
    for (let place = 0; place < terms.length; place++) {
      const at = next[terms[place] as number] as number;
      next[terms[place] as number] = at + 1;
      postedTools[at] = tool;
      postedWeights[at] = weights[place] as number;
    }
    await pause();
  }

  const all = sorted.reduce((sum, { tools }, server) => sum + tools.length * (shares[server] as number), 0);
  const idf = frequency.map((found) => toIdf(all, found));
  const { terms: allTerms, words, wordTerms } = vocabulary;
  const found =
    vectors &&
    (await buildIndexVectors({ vectors, words, wordTerms, termCount: allTerms.length, tools: telling, pause }));
  return {
    ...(found && { vectors: found }),
    keys: sorted.map(({ key }) => key),
    toolServers,
    toolNames,
    terms: new Map(vocabulary.terms.map((term, at) => [term, at])),
    idf,
    starts,
    postedTools,
    postedWeights,
    nameStarts,
    nameTerms: Uint32Array.from(nameTerms),
    ...toServerTerms(sorted),
    verbs,
    words: [...vocabulary.words],
    wordTerms: Uint32Array.from(vocabulary.wordTerms),
    unknownIdf: toIdf(all, 0),
  };
}

function toServerTerms(segments: readonly Segment[]): Pick<ToolIndex, 'serverStarts' | 'serverTerms'> {
  const terms = segments.map(({ shared }) => shared.find(({ field }) => fields[field] === 'server')?.terms ?? []);
  const starts = new Uint32Array(segments.length + 1);
  for (const [at, own] of terms.entries()) starts[at + 1] = (starts[at] as number) + own.length;
  return { serverStarts: starts, serverTerms: Uint32Array.from(terms.flatMap((own) => [...own])) };
}

/** The terms that say what a tool does: its name and the beginning of its description. */
function toTelling(tool: CountedTool): Uint32Array[] {
  const isTelling = ({ field }: CountedField) => fields[field] === 'name' || fields[field] === 'head';
  return tool.fields.filter(isTelling).map(({ terms }) => terms);
}

function toIdf(all: number, found: number): number {
  return Math.log(1 + Math.max(0, all - found + 0.5) / (found + 0.5));
}

/** How much one tool of each server counts. */
function findShares(segments: readonly Segment[]): number[] {
  const all = segments.reduce((sum, { tools }) => sum + tools.length, 0);
  return segments.map(({ tools: { length } }) => {
    const others = all - length;
    return others === 0 || length === 0 ? 1 : Math.min(1, Math.max(maxServerShare, others) / length);
  });
}

/** The mean length of each field, over the tools that have it. */
function findAverages(segments: readonly Segment[], shares: readonly number[]): number[] {
  const lengths = fields.map(() => 0);
  const counts = fields.map(() => 0);
  const take = ({ field, length }: CountedField, share: number) => {
    if (length === 0) return;
    lengths[field] = (lengths[field] as number) + length * share;
    counts[field] = (counts[field] as number) + share;
  };
  for (const [server, { shared, tools }] of segments.entries()) {
    const share = shares[server] as number;
    for (const field of shared) take(field, share * tools.length);
    for (const tool of tools) for (const field of tool.fields) take(field, share);
  }
  return lengths.map((length, field) => (length === 0 ? 1 : length / (counts[field] as number)));
}

/** The order of code units, which is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
