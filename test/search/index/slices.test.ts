import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/catalog/item.ts';
import { createToolSearch } from '../../../src/search/tool-search.ts';

const tools = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => {
    const name = `tool_${at}_number`;
    const description = `Handles matter ${at} of the department. `.repeat(20);
    return { name, shown: name, definition: { name, description, inputSchema: { type: 'object' } } };
  });

describe('building an index', () => {
  it('gives the event loop back many times while it counts and merges ten thousand tools', async () => {
    const search = createToolSearch();
    let turns = 0;
    let done = false;
    const count = () => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await search.update([{ key: 's', names: ['s'], about: '', tools: tools(10_000) }]);
    done = true;
    expect(turns).toBeGreaterThan(10);
    expect(search.search('tool 77 number', { limit: 1 }).hits[0]?.name).toBe('tool_77_number');
  });

  it('leaves the old index in use until the new one is whole', async () => {
    const search = createToolSearch();
    await search.update([{ key: 's', names: ['s'], about: '', tools: tools(5) }]);
    const updated = search.update([{ key: 's', names: ['s'], about: '', tools: tools(3_000) }]);
    expect(search.search('tool 4 number', { limit: 1 }).hits[0]?.name).toBe('tool_4_number');
    await updated;
    expect(search.search('tool 2999 number', { limit: 1 }).hits[0]?.name).toBe('tool_2999_number');
  });
});
