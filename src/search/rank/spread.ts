/**
 * Keeps one server from filling an answer. A server may call its tools and texts as it likes; tools of others that match well must
 * stay in sight. Two kinds of tools step back behind those of other servers once their server has shown enough of them: tools
 * that match by their texts and hardly by their names, and tools whose names differ in a number or a filler word only.
 */
import type { ToolIndex } from '../index/tool-index.ts';

/** The part of an answer in which places are shared. */
const sharedPlaces = 5;
const maxByText = 2;
const maxAlike = 2;
/** A tool whose name is covered less than this matches by its texts. */
const minCoverage = 0.34;
/** Tools of others that score less, against the best tool, have nothing to lose. */
const minScore = 0.35;

export interface SpreadInput {
  readonly index: ToolIndex;
  /** Best first. */
  readonly order: readonly number[];
  readonly scores: Float64Array;
  readonly coverage: Float32Array;
  /** Terms that the query names. */
  isNamed(term: number): boolean;
}

export function spread({ index, order, scores, coverage, isNamed }: SpreadInput): number[] {
  const least = (scores[order[0] ?? 0] ?? 0) * minScore;
  const shown: number[] = [];
  const back: number[] = [];
  const used = new Map<string, number>();
  let at = 0;
  for (; at < order.length && shown.length < sharedPlaces; at++) {
    const tool = order[at] as number;
    if ((scores[tool] as number) < least) break;
    const [group, places] = toGroup(index, tool, coverage, isNamed);
    const taken = used.get(group) ?? 0;
    if (taken >= places) back.push(tool);
    else {
      used.set(group, taken + 1);
      shown.push(tool);
    }
  }
  return [...shown, ...back, ...order.slice(at)];
}

function toGroup(
  { toolServers, nameStarts, nameTerms }: ToolIndex,
  tool: number,
  coverage: Float32Array,
  isNamed: (term: number) => boolean,
): readonly [group: string, places: number] {
  const server = toolServers[tool] as number;
  if ((coverage[tool] as number) < minCoverage) return [`${server}`, maxByText];
  const named = [...nameTerms.subarray(nameStarts[tool], nameStarts[tool + 1])].filter(isNamed).sort((a, b) => a - b);
  return [`${server} ${named.join(' ')}`, maxAlike];
}
