import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json/json.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { buildItemList } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';

const limits = { ...defaultLimits, schemaBytes: 2_000, schemaDepth: 8 };
const build = (kind: Kind, ...entries: Json[]) => buildItemList(kind, entries, { limits });
const z = '\u200b';
const tool = (name: string, more: Record<string, Json> = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

describe('hidden characters in what a server lists', () => {
  it.each([
    ['tools', tool(`a${z}b`), tool('ab')],
    ['tools', tool('a', { title: `T${z}`, description: `x${z}\ny` }), tool('a', { title: 'T', description: 'x\ny' })],
    ['tools', tool('a', { annotations: { title: `T${z}` } }), tool('a', { annotations: { title: 'T' } })],
    ['prompts', { name: `p${z}`, description: z }, { name: 'p', description: '' }],
    [
      'prompts',
      { name: 'p', arguments: [{ name: `k${z}`, description: `d${z}` }] },
      { name: 'p', arguments: [{ name: `k${z}`, description: 'd' }] },
    ],
    ['resources', { uri: `x:${z}y`, name: `n${z}` }, { uri: 'x:y', name: 'n' }],
    ['resourceTemplates', { uriTemplate: `x:{y}${z}`, name: 'n' }, { uriTemplate: 'x:{y}', name: 'n' }],
  ] as [Kind, Json, Json][])('are taken out of %s: %j', (kind, entry, cleaned) => {
    const { items, problems } = build(kind, entry);
    expect(items.map(({ definition }) => definition)).toEqual([cleaned]);
    expect(problems.map(({ code }) => code)).toEqual(['WB1020']);
    expect(problems[0]?.message).not.toContain(z);
  });

  it('are taken out of descriptions and titles wherever a schema has them, and not out of names and values', () => {
    const schema = (mark: string) => ({
      type: 'object',
      description: `d${mark}`,
      properties: {
        [`key${z}`]: { title: `t${mark}`, anyOf: [{ description: `d${mark}` }, { $comment: `c${mark}` }] },
        description: { type: 'string', description: `d${mark}`, default: { description: z }, enum: [z] },
        default: { description: `d${mark}` },
      },
      $defs: { title: { items: [{ description: `d${mark}` }] } },
      required: [`key${z}`],
    });
    const [item] = build('tools', { ...tool('a'), inputSchema: schema(z), outputSchema: schema(z) }).items;
    expect(item?.definition).toEqual({ ...tool('a'), inputSchema: schema(''), outputSchema: schema('') });
  });

  it('leave the name as it is for calls', () => {
    expect(build('tools', tool(`a${z}b`)).items).toMatchObject([{ name: `a${z}b`, shown: 'ab' }]);
  });

  it('do not make two of one: what looks the same counts once', () => {
    const { items, problems } = build('tools', tool('ab'), tool(`a${z}b`));
    expect(items.map(({ name }) => name)).toEqual(['ab']);
    expect(problems.map(({ message }) => message).join()).toContain("'ab' is listed twice");
  });

  it('are no name of their own', () => {
    expect(build('tools', tool(z), tool('a')).items.map(({ name }) => name)).toEqual(['a']);
  });

  it('are told of in one note for each list, however many there are', () => {
    const { problems } = build('tools', ...Array.from({ length: 100 }, (_, index) => tool(`t${z}${index}`)));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(
      /^hidden characters were removed from 100 tools: 't0' \(name\), .* and 95 more$/,
    );
  });

  it('are not looked for in members that nobody reads', () => {
    const odd = tool('a', { _meta: { x: z }, vendor: z });
    expect(build('tools', odd).items[0]?.definition).toBe(odd);
  });
});

describe('a tool over a limit', () => {
  const deep = (levels: number): Json => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });

  it.each([
    ['inputSchema', 'bytes', { type: 'object', description: 'x'.repeat(2_000) }],
    ['outputSchema', 'bytes', { type: 'object', description: 'é'.repeat(1_000) }],
    ['inputSchema', 'nested more than 8 levels', deep(5)],
    ['outputSchema', 'nested more than 8 levels', deep(5)],
  ] as [string, string, Json][])(
    'in its %s (%s) is left out with a note, and the others are not',
    (key, why, schema) => {
      const { items, problems } = build('tools', tool('before'), tool('over', { [key]: schema }), tool('after'));
      expect(items.map(({ name }) => name)).toEqual(['before', 'after']);
      expect(problems).toMatchObject([{ code: 'WB1021' }]);
      expect(problems[0]?.message).toContain(why);
    },
  );

  it('is not one that just fits', () => {
    expect(build('tools', tool('a', { inputSchema: deep(3) })).items).toHaveLength(1);
  });
});

describe('many problems of one list', () => {
  it('are counted from the twentieth on', () => {
    const { problems } = build('tools', ...Array.from({ length: 1_000 }, () => null));
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)?.message).toBe('980 more tools have such problems');
  });
});
