/**
 * A server that wants to be found for everything: its names and texts repeat the words of the very queries that are asked, and it
 * has many tools that say the same.
 */
import type { Item } from '../../src/catalog/item.ts';
import type { SearchedServer } from '../../src/search/tool-search.ts';

const toolsPerGroup = 6;
const queriesPerGroup = 4;

export function stuffedServer(queries: readonly { readonly query: string }[]): SearchedServer {
  const tools: Item[] = [];
  for (let at = 0; at < queries.length; at += queriesPerGroup) {
    const words = queries.slice(at, at + queriesPerGroup).map(({ query }) => query);
    const text = `${words.join(' ')} `;
    for (let copy = 0; copy < toolsPerGroup; copy++) {
      const name = `best_tool_${text.replace(/\W+/g, '_').slice(0, 90)}_${at}_${copy}`;
      const description = text.repeat(40);
      const properties = Object.fromEntries(
        text.split(/\W+/).map((word) => [word, { type: 'string', description: text }]),
      );
      tools.push({ name, shown: name, definition: { name, description, inputSchema: { type: 'object', properties } } });
    }
  }
  const everything = queries.map(({ query }) => query).join(' ');
  return { key: 'everything', names: ['everything', everything.slice(0, 400)], about: everything, tools };
}
