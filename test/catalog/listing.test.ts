import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json/json.ts';
import { type Kind, kinds } from '../../src/catalog/kind.ts';
import { buildItemList, emptyListing, sameListing, withHeard } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';

const limits = defaultLimits;
const schema = { type: 'object', properties: {} };
const buildList = (entries: readonly Json[]) => buildItemList('tools', entries, { limits });
const tool = (name: string, more: Record<string, Json> = {}) => ({ name, inputSchema: schema, ...more });

describe('a listing', () => {
  it('keeps definitions as they came, unknown members included', () => {
    const odd = tool('a', { vendor: { deep: [1] }, annotations: { 'x-y': 1 }, icons: [{ src: 'x', odd: 1 }] });
    const listing = buildList([odd]);
    expect(listing.problems).toEqual([]);
    expect(listing.items[0]?.definition).toBe(odd);
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
    const listing = buildList([tool('before'), entry, tool('after')]);
    expect(listing.items.map(({ name }) => name)).toEqual(['before', 'after']);
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
    const listing = buildList([tool('x', { [key]: value, kept: true })]);
    expect(listing.items[0]?.definition).toEqual(tool('x', { kept: true }));
    expect(listing.problems[0]?.message).toContain(key);
  });

  it('gives a schema without a type the type object', () => {
    expect(buildList([{ name: 'x', inputSchema: { properties: {} } }]).items[0]?.definition.inputSchema).toEqual(
      schema,
    );
  });

  it('takes the first of two tools with one name', () => {
    const listing = buildList([tool('x', { description: 'first' }), tool('x', { description: 'second' })]);
    expect(listing.items.map(({ definition }) => definition.description)).toEqual(['first']);
    expect(listing.problems[0]?.message).toContain('listed twice');
  });

  it('has names of the prototype like any other', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    expect(buildList(names.map((name) => tool(name))).items.map(({ name }) => name)).toEqual(names);
  });

  it('is the same only when every definition is', () => {
    const build = (entries: readonly Json[]) => withHeard(emptyListing, new Map([['tools', buildList(entries)]]));
    const a = build([tool('x')]);
    expect(sameListing(a, build([tool('x')]))).toBe(true);
    expect(sameListing(a, build([tool('x', { description: 'new' })]))).toBe(false);
    expect(sameListing(a, build([]))).toBe(false);
  });
});

describe('a listing of several kinds', () => {
  const one = (kind: Kind, ...entries: Json[]) => buildItemList(kind, entries, { limits });
  const prompt = { name: 'p' };

  it('keeps what was known of a kind that could not be read or was not asked for', () => {
    const before = withHeard(
      emptyListing,
      new Map([
        ['tools', one('tools', tool('t'))],
        ['prompts', one('prompts', prompt)],
      ] as const),
    );
    const failed = buildItemList('prompts', [], { limits, fault: 'prompts/list failed' });
    const after = withHeard(before, new Map([['prompts', failed]] as const));
    expect(after).toEqual(before);
    expect(withHeard(before, new Map([['prompts', one('prompts')]] as const)).prompts).toEqual([]);
  });

  it.each([
    ['prompts', { title: 'no name' }, { name: 'good' }],
    ['resources', { name: 'no uri' }, { uri: 'file:///x', name: 'x' }],
    ['resourceTemplates', { name: 'no template' }, { uriTemplate: 'file:///{x}', name: 'x' }],
  ] as const)('drops a malformed entry of %s and keeps the others as they came', (kind, bad, good) => {
    const { items, problems } = one(kind, bad, good);
    expect(items.map(({ definition }) => definition)).toEqual([good]);
    expect(problems).toHaveLength(1);
  });

  it.each([
    ['prompts', { name: 'p', arguments: [{ required: true }] }, { name: 'p' }],
    ['prompts', { name: 'p', arguments: 'none', icons: 1 }, { name: 'p' }],
    ['resources', { uri: 'x:y', name: 'n', size: 'big', mimeType: 1 }, { uri: 'x:y', name: 'n' }],
    ['resources', { uri: 'x:y' }, { uri: 'x:y', name: 'x:y' }],
    ['resourceTemplates', { uriTemplate: 'x:{y}', name: 7 }, { uriTemplate: 'x:{y}', name: 'x:{y}' }],
  ] as [Kind, Json, Json][])('repairs an entry of %s that clients would refuse: %j', (kind, entry, repaired) => {
    const { items, problems } = one(kind, entry);
    expect(items.map(({ definition }) => definition)).toEqual([repaired]);
    expect(problems).toHaveLength(1);
  });

  it('tells one kind from another when it compares', () => {
    const heard = (kind: Kind) => withHeard(emptyListing, new Map([[kind, one('prompts', prompt)]]));
    for (const a of kinds) for (const b of kinds) expect(sameListing(heard(a), heard(b))).toBe(a === b);
  });
});
