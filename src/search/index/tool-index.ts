/** The index of all tools: a value that a search reads and never changes. */
import type { IndexVectors } from './index-vectors.ts';

export interface ToolIndex {
  /** Keys of servers, sorted. */
  readonly keys: readonly string[];
  /** For each tool: its server, and its own name. Tools are sorted by server and name, so that ties have one order. */
  readonly toolServers: Uint32Array;
  readonly toolNames: readonly string[];
  /** Terms by number, and what each weighs: rare ones more. */
  readonly terms: ReadonlyMap<string, number>;
  readonly idf: Float32Array;
  /** Where the postings of each term begin; one more entry than terms. */
  readonly starts: Uint32Array;
  readonly postedTools: Uint32Array;
  /** How well the tool matches the term, 0 to k1 + 1: the saturated count over all fields. */
  readonly postedWeights: Float32Array;
  /** Where the terms of the name of each tool begin; one more entry than tools. */
  readonly nameStarts: Uint32Array;
  readonly nameTerms: Uint32Array;
  /** Where the terms of the names of each server begin; one more entry than servers. */
  readonly serverStarts: Uint32Array;
  readonly serverTerms: Uint32Array;
  /** The kinds of the verbs in the name of each tool. */
  readonly verbs: Uint8Array;
  /** Words as written, with their terms. */
  readonly words: readonly string[];
  readonly wordTerms: Uint32Array;
  /** The weight of a word that no tool has. */
  readonly unknownIdf: number;
  /** What the tools mean; there when the words have vectors. */
  readonly vectors?: IndexVectors;
}

export const emptyIndex: ToolIndex = {
  keys: [],
  toolServers: new Uint32Array(),
  toolNames: [],
  terms: new Map(),
  idf: new Float32Array(),
  starts: new Uint32Array(1),
  postedTools: new Uint32Array(),
  postedWeights: new Float32Array(),
  nameStarts: new Uint32Array(1),
  nameTerms: new Uint32Array(),
  serverStarts: new Uint32Array(1),
  serverTerms: new Uint32Array(),
  verbs: new Uint8Array(),
  words: [],
  wordTerms: new Uint32Array(),
  unknownIdf: 1,
};
