/** Finds tools by words: what goes in, what comes out, and the index between them. */
import { findString } from '../base/json/json.ts';
import type { Item } from '../catalog/item.ts';

export interface SearchedServer {
  /** Key of the server definition. */
  readonly key: string;
  /** Its names, and the names of the toolboxes it is in. */
  readonly names: readonly string[];
  /** What the server says of itself: title, description, the beginning of its instructions. */
  readonly about: string;
  /** The same array as long as nothing changed. */
  readonly tools: readonly Item[];
}

export interface ToolHit {
  readonly key: string;
  /** `Item.name`. */
  readonly name: string;
  readonly score: number;
}

export interface SearchAnswer {
  /** Best first; ties by server and name, the same in every run. */
  readonly hits: readonly ToolHit[];
  /** Share of the weight of the query's words that the best hit explains. */
  readonly explained: number;
  /** There is one clear winner. */
  readonly clear: boolean;
}

interface SearchOptions {
  readonly limit: number;
  /** Which tools may be found; all by default. */
  accepts?(key: string, name: string): boolean;
}

export interface ToolSearch {
  /** Takes what there is now. */
  update(servers: readonly SearchedServer[]): Promise<void>;
  search(query: string, options: SearchOptions): SearchAnswer;
}

interface Doc {
  readonly key: string;
  readonly name: string;
  readonly words: ReadonlyMap<string, number>;
}

export function createToolSearch(): ToolSearch {
  let docs: Doc[] = [];
  let frequency = new Map<string, number>();
  return {
    async update(servers) {
      docs = servers.flatMap((server) => server.tools.map((item) => toDoc(server, item)));
      frequency = new Map();
      for (const { words } of docs)
        for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    },
    search(query, { limit, accepts }) {
      const words = [...new Set(split(query))];
      const idf = (word: string) => Math.log(1 + (docs.length + 0.5) / ((frequency.get(word) ?? 0) + 0.5));
      const total = words.reduce((sum, word) => sum + idf(word), 0);
      const hits = docs
        .filter(({ key, name }) => accepts?.(key, name) ?? true)
        .map(({ key, name, words: own }) => {
          const found = words.filter((word) => own.has(word));
          const score = found.reduce((sum, word) => sum + idf(word) * (own.get(word) ?? 0), 0);
          return { key, name, score, share: found.reduce((sum, word) => sum + idf(word), 0) / (total || 1) };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (a.key + a.name < b.key + b.name ? -1 : 1));
      const [first, second] = hits;
      return {
        hits: hits.slice(0, limit).map(({ key, name, score }) => ({ key, name, score })),
        explained: first?.share ?? 0,
        clear: first !== undefined && first.share > 0.9 && first.score > 1.5 * (second?.score ?? 0),
      };
    },
  };
}

function toDoc({ key, names }: SearchedServer, { name, definition }: Item): Doc {
  const words = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of split(text)) words.set(word, Math.min(3, (words.get(word) ?? 0) + weight));
  };
  add(name, 2);
  for (const each of names) add(each, 1);
  add((findString(definition, 'description') ?? '').slice(0, 300), 0.5);
  return { key, name, words };
}

function split(text: string): string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => word.replace(/(?<=...)(?:es|s|ing|ed)$/, ''));
}
