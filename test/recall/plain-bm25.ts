/** BM25 as it is usually shipped, to compare with: words as written, all texts of a tool in one field, k1 1.2, b .75. */
import { isObject, type Json } from '../../src/base/json/json.ts';
import type { SearchedServer, ToolHit } from '../../src/search/tool-search.ts';

const saturation = 1.2;
const shortening = 0.75;

export function createPlainSearch(servers: readonly SearchedServer[]): (query: string) => ToolHit[] {
  const tools = servers.flatMap(({ key, names, about, tools: items }) =>
    items.map(({ name, definition }) => {
      const words = wordsOf([...names, about, name, ...stringsOf(definition)].join(' '));
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { key, name, counts, length: words.length };
    }),
  );
  const mean = tools.reduce((sum, { length }) => sum + length, 0) / tools.length;
  const frequency = new Map<string, number>();
  for (const { counts } of tools) for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weigh = (word: string) => {
    const found = frequency.get(word) ?? 0;
    return Math.log(1 + (tools.length - found + 0.5) / (found + 0.5));
  };
  return (query) => {
    const wanted = [...new Set(wordsOf(query))];
    return tools
      .map(({ key, name, counts, length }) => ({ key, name, score: scoreOf(wanted, counts, length) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (`${a.key} ${a.name}` < `${b.key} ${b.name}` ? -1 : 1));
  };
  function scoreOf(wanted: readonly string[], counts: ReadonlyMap<string, number>, length: number): number {
    return wanted.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      const by = saturation * (1 - shortening + (shortening * length) / mean);
      return sum + (weigh(word) * count * (saturation + 1)) / (count + by);
    }, 0);
  }
}

/** All texts of a definition: names, descriptions, values. */
function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...stringsOf(member)]) : [];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
}
