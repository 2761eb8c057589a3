/**
 * Keeps one server from filling an answer. A server may call its tools as it likes and write into their texts what it likes; tools
 * of others that match well must stay in sight. Two kinds of tools step back behind those of other servers once their server has
 * shown enough of them: tools that match by their texts and hardly by their names, and tools whose names match alike. A server that
 * the query names may show what it has.
 */
import type { ToolIndex } from '../index/tool-index.ts';

/** The part of an answer in which places are shared. */
const sharedPlaces = 5;
/** How many of them one server may take with tools that match by their texts, with tools whose names match alike, and in all. */
const maxByText = 1;
const maxAlike = 2;
const maxOfServer = 4;
/** A tool whose name is covered less than this matches by its texts. */
const minCoverage = 0.4;
/** How much of the names of a server a query must cover to name it: a server with many names is not named by one of them. */
const minServerCoverage = 0.5;
/** What a tool must score to take the place of another, against the best one outside of the server that leads. */
const minScore = 0.5;

export interface SpreadInput {
  readonly index: ToolIndex;
  /** Best first. */
  readonly order: readonly number[];
  readonly scores: Float64Array;
  readonly coverage: Float32Array;
  /** By term: how strongly the query names it. */
  readonly named: Float32Array;
}

export function spread(input: SpreadInput): readonly number[] {
  const { index, order, scores } = input;
  const leader = index.toolServers[order[0] ?? 0];
  const other = order.find((tool) => index.toolServers[tool] !== leader);
  if (other === undefined) return order;
  const least = (scores[other] as number) * minScore;
  const shown: number[] = [];
  const back: number[] = [];
  const used = new Map<string, number>();
  let at = 0;
  for (; at < order.length && shown.length < sharedPlaces; at++) {
    const tool = order[at] as number;
    if ((scores[tool] as number) < least) break;
    const [group, places] = toGroup(input, tool);
    const taken = used.get(group) ?? 0;
    const own = `server ${index.toolServers[tool]}`;
    const ofServer = used.get(own) ?? 0;
    const isFull = places !== Number.POSITIVE_INFINITY && ofServer >= maxOfServer;
    if (taken >= places || isFull) back.push(tool);
    else {
      used.set(group, taken + 1);
      used.set(own, ofServer + 1);
      shown.push(tool);
    }
  }
  return back.length === 0 ? order : [...shown, ...back, ...order.slice(at)];
}

function toGroup({ index, coverage, named }: SpreadInput, tool: number): readonly [group: string, places: number] {
  const server = index.toolServers[tool] as number;
  if (isServerNamed(index, server, named)) return [`${server}`, Number.POSITIVE_INFINITY];
  if ((coverage[tool] as number) < minCoverage) return [`${server}`, maxByText];
  const terms = index.nameTerms.subarray(index.nameStarts[tool], index.nameStarts[tool + 1]);
  const alike = [...terms].filter((term) => named[term] !== 0).sort((a, b) => a - b);
  return [`${server} ${alike.join(' ')}`, maxAlike];
}

function isServerNamed({ serverStarts, serverTerms, idf }: ToolIndex, server: number, named: Float32Array): boolean {
  let all = 0;
  let covered = 0;
  for (const term of serverTerms.subarray(serverStarts[server], serverStarts[server + 1])) {
    all += idf[term] as number;
    if ((named[term] as number) >= 0.5) covered += idf[term] as number;
  }
  return all > 0 && covered / all >= minServerCoverage;
}
