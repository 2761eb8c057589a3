import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { buildListing, sameTools } from '../../src/catalog/listing.ts';

const schema = { type: 'object', properties: {} };
const tool = (name: string, more: Record<string, Json> = {}) => ({ name, inputSchema: schema, ...more });

describe('a listing', () => {
  it('keeps definitions as they came, unknown members included', () => {
    const odd = tool('a', { vendor: { deep: [1] }, annotations: { 'x-y': 1 }, icons: [{ src: 'x', odd: 1 }] });
    const listing = buildListing([odd]);
    expect(listing.problems).toEqual([]);
    expect(listing.tools[0]?.definition).toBe(odd);
  });

  it.each([
    ['null', null],
    ['a string', 'tool'],
    ['an array', []],
    ['no name', { inputSchema: schema }],
    ['an empty name', tool('')],
    ['a name that is no string', { ...tool('x'), name: 7 }],
    ['an endless name', tool('x'.repeat(600))],
    ['no schema', { name: 'x' }],
    ['a schema that is a string', { name: 'x', inputSchema: 'object' }],
    ['a schema of another type', { name: 'x', inputSchema: { type: 'string' } }],
  ] as [string, Json][])('drops an entry with %s, says so, and keeps the others', (_case, entry) => {
    const listing = buildListing([tool('before'), entry, tool('after')]);
    expect(listing.tools.map(({ name }) => name)).toEqual(['before', 'after']);
    expect(listing.problems).toHaveLength(1);
  });

  it.each([
    ['description', 7],
    ['title', []],
    ['annotations', 'x'],
    ['outputSchema', 'x'],
    ['_meta', 1],
    ['icons', {}],
  ] as [string, Json][])('repairs a tool whose %s has a type that clients refuse, and says so', (key, value) => {
    const listing = buildListing([tool('x', { [key]: value, kept: true })]);
    expect(listing.tools[0]?.definition).toEqual(tool('x', { kept: true }));
    expect(listing.problems[0]).toContain(key);
  });

  it('gives a schema without a type the type object', () => {
    expect(buildListing([{ name: 'x', inputSchema: { properties: {} } }]).tools[0]?.definition.inputSchema).toEqual(
      schema,
    );
  });

  it('takes the first of two tools with one name', () => {
    const listing = buildListing([tool('x', { description: 'first' }), tool('x', { description: 'second' })]);
    expect(listing.tools.map(({ definition }) => definition.description)).toEqual(['first']);
    expect(listing.problems[0]).toContain('listed twice');
  });

  it('has names of the prototype like any other', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    expect(buildListing(names.map((name) => tool(name))).tools.map(({ name }) => name)).toEqual(names);
  });

  it('is the same only when every definition is', () => {
    const a = buildListing([tool('x')]);
    expect(sameTools(a, buildListing([tool('x')]))).toBe(true);
    expect(sameTools(a, buildListing([tool('x', { description: 'new' })]))).toBe(false);
    expect(sameTools(a, buildListing([]))).toBe(false);
  });
});
