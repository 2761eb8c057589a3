import { describe, expect, it } from 'vitest';
import type { ItemLimits } from '../../src/catalog/item.ts';
import { buildItemList } from '../../src/catalog/listing.ts';
import { findChecks } from '../../src/catalog/whole-text.ts';

const limits: ItemLimits = { schemaBytes: 4_000, schemaDepth: 10 };

describe('checks of items of whole texts', () => {
  it('leave out what texts that are small and plain cannot have', () => {
    expect(findChecks(limits, ['{"tools":[]}', '{"a":"b\\n\\t\\"c"}'])).toEqual({ hidden: false, size: false });
  });

  it.each([
    ['a character that is not ASCII', '{"a":"\u200b"}'],
    ['an escape that may stand for one', '{"a":"\\u200b"}'],
    ['a control character', '{"a":"\\b"}'],
    ['no text at all', undefined],
  ])('look at every part when one of the texts has %s', (_, text) => {
    expect(findChecks(limits, ['{}', text]).hidden).toBe(true);
  });

  it.each([['x'.repeat(1_000)], [undefined]])('measure schemas when one of the texts may hold a large one', (text) => {
    expect(findChecks(limits, ['{}', text]).size).toBe(true);
  });

  it('find the same in a list as the limits themselves', () => {
    const large = { type: 'object', description: 'x'.repeat(5_000) };
    const entries = [
      { name: 'plain', inputSchema: { type: 'object' } },
      { name: 'hides', description: 'a\u200bb', inputSchema: { type: 'object', description: 'c\u{e0041}d' } },
      { name: 'large', inputSchema: large },
      { name: 'deep', inputSchema: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as Record<string, never> },
    ];
    for (const some of [entries, entries.slice(0, 1), entries.slice(0, 2), entries.slice(2)]) {
      const whole = { ...limits, checks: findChecks(limits, [JSON.stringify(some)]) };
      expect(buildItemList('tools', some, { limits: whole })).toEqual(buildItemList('tools', some, { limits }));
    }
  });
});
