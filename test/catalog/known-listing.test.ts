import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type KnownListing, parseKnownText, saysTheSame, toKnownText } from '../../src/catalog/known-listing.ts';
import { buildItemList, emptyListing, type Listing } from '../../src/catalog/listing.ts';
import { defaultLimits as limits } from '../../src/config/model/schema-limits.ts';

const inputSchema = { type: 'object' };
const listOf = (kind: keyof Listing, ...entries: JsonObject[]) => buildItemList(kind, entries, { limits }).items;
const known = (listing: Partial<Listing>, more: Partial<KnownListing> = {}): KnownListing => ({
  listing: { ...emptyListing, ...listing },
  hints: new Map([
    ['tools', { ttlMs: 5_000, cacheScope: 'public' }],
    ['prompts', { ttlMs: 0, cacheScope: 'private' }],
    ['resources', { ttlMs: 0, cacheScope: 'private' }],
    ['resourceTemplates', { ttlMs: 0, cacheScope: 'private' }],
  ]),
  about: { era: 'legacy', instructions: 'Say please.' },
  heardAt: 12_345,
  ...more,
});
const one = known({ tools: listOf('tools', { name: 'one', inputSchema }) });
const [first = '', about = '', body = ''] = toKnownText(one).split('\n');
const head = `${first}\n${about}`;
const withBody = (value: unknown) => `${head}\n${JSON.stringify(value)}`;
const namesIn = (text: string) => parseKnownText(text, limits)?.listing.tools.map(({ name }) => name);

describe('what a server offered', () => {
  it('is read back as it was, with everything it said of its things', () => {
    const whole = known({
      tools: listOf('tools', { zeta: 1, name: 'one', inputSchema: { properties: { b: {}, a: {} } }, 'x-own': [null] }),
      prompts: listOf('prompts', { name: 'ask', arguments: [{ name: 'what', description: 'What' }] }),
      resources: listOf('resources', { uri: 'file:///a', size: 3 }),
      resourceTemplates: listOf('resourceTemplates', { uriTemplate: 'file:///{path}', name: 'files' }),
    });
    const read = parseKnownText(toKnownText(whole), limits);
    expect(read).toEqual(whole);
    expect(JSON.stringify(read?.listing)).toBe(JSON.stringify(whole.listing));
  });

  it('goes by its own name to its server, and by the one without hidden characters to clients, as before', () => {
    const hidden = known({ tools: listOf('tools', { name: 'o\u200bne', description: 'a\u202eb', inputSchema }) });
    const read = parseKnownText(toKnownText(hidden), limits);
    expect(read?.listing.tools).toEqual([
      { name: 'o\u200bne', shown: 'one', definition: { name: 'one', description: 'ab', inputSchema } },
    ]);
  });

  it('tells the same whenever it was heard, and something else when one word differs', () => {
    const text = toKnownText(one);
    expect(saysTheSame(text, toKnownText({ ...one, heardAt: 99 }))).toBe(true);
    expect(saysTheSame(text, toKnownText({ ...one, about: { era: 'modern' } }))).toBe(false);
  });
});

describe('a text that was kept', () => {
  it.each<[string, string]>([
    ['is empty', ''],
    ['is no JSON', 'hello'],
    ['is cut off', `${head}\n${body.slice(0, -5)}`],
    ['has no second line', first],
    ['has no third line', head],
    ['has lost its head', `\n${body}`],
    ['does not say who spoke', `${first}\n${body}`],
    ['has words of its server that are none', `${first}\n[]\n${body}`],
    ['has a head that does not end', `${' '.repeat(10_000)}${head}\n${body}`],
    ['is of another format', `${JSON.stringify({ format: 1, heardAt: 1 })}\n${about}\n${body}`],
    ['says no time', `${JSON.stringify({ format: 2 })}\n${about}\n${body}`],
    ['says a time that is none', `{"format":2,"heardAt":1e999}\n${about}\n${body}`],
    ['holds a list', `${head}\n[]`],
    ['lists nothing', withBody({ tools: [], prompts: [] })],
    ['has a list that is none', withBody({ tools: { length: 1, 0: { name: 'one', inputSchema } } })],
    ['lists nothing that can be used', withBody({ tools: [null, 7, {}, { name: 'x' }] })],
    ['has its format in a prototype', `{"__proto__":{"format":2,"heardAt":1}}\n${about}\n${body}`],
    ['has its lists in a prototype', `${head}\n{"__proto__":${body}}`],
  ])('is ignored when it %s', (_, text) => {
    expect(parseKnownText(text, limits)).toBeUndefined();
  });

  it('goes through the checks and limits of a list that a server gives', () => {
    const entries = [
      { name: 'good', inputSchema },
      { name: 'bad', inputSchema: 'none' },
      { name: 'good', inputSchema },
      { name: 'repaired', inputSchema: {}, description: 7 },
      { name: 'zero\u200b', title: 'x\u{e0041}', inputSchema },
    ];
    const read = parseKnownText(withBody({ tools: entries }), limits)?.listing.tools;
    expect(read?.map(({ definition }) => definition)).toEqual([
      { name: 'good', inputSchema },
      { name: 'repaired', inputSchema },
      { name: 'zero', title: 'x', inputSchema },
    ]);
  });

  it.each([
    ['as they are', '\u200b\u202e'],
    ['in escapes', '\\u200b\\u202e\\b'],
  ])('has hidden characters taken out that are written %s, and keeps line breaks and tabs', (_, hidden) => {
    const words = (text: string) =>
      `{"name":"one","title":"t${text}","description":"a${text}\\n\\tb","inputSchema":{"type":"object","description":"c${text}"}}`;
    const read = parseKnownText(`${head}\n{"tools":[${words(hidden)}]}`, limits)?.listing.tools[0];
    expect(read?.definition).toEqual(JSON.parse(words('')));
  });

  it('shows names on one line', () => {
    const read = parseKnownText(withBody({ tools: [{ name: 'o\nne', title: 'T\to', inputSchema }] }), limits);
    expect(read?.listing.tools).toEqual([
      { name: 'o\nne', shown: 'one', definition: { name: 'one', title: 'To', inputSchema } },
    ]);
  });

  it('is read no further than the limits of now allow', () => {
    const tools = ['a', 'b', 'c'].map((name) => ({
      name,
      inputSchema: { type: 'object', description: 'x'.repeat(300) },
    }));
    const text = withBody({ tools: [...tools, { name: 'small', inputSchema }] });
    expect(parseKnownText(text, { ...limits, listItems: 2 })?.listing.tools).toHaveLength(2);
    const strict = parseKnownText(text, { ...limits, schemaBytes: 100 });
    expect(strict?.listing.tools.map(({ name }) => name)).toEqual(['small']);
    const flat = { name: 'deep', inputSchema: { type: 'object', a: { b: { c: {} } } } };
    expect(parseKnownText(withBody({ tools: [flat] }), { ...limits, schemaDepth: 2 })).toBeUndefined();
  });

  it('may name things and members as prototypes do, and changes nothing by that', () => {
    const text = `${first}\n{"__proto__":{"era":"modern"}}\n{"tools":[{"name":"__proto__","__proto__":{"polluted":1},"inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}},{"name":"constructor","inputSchema":{}}],"hints":{"__proto__":{"tools":{"ttlMs":5}}}}`;
    expect(namesIn(text)).toEqual(['__proto__', 'constructor']);
    const read = parseKnownText(text, limits);
    expect(JSON.stringify(read?.listing.tools[0]?.definition)).toContain(
      '"properties":{"__proto__":{"type":"string"}}',
    );
    expect(read?.hints.get('tools')).toEqual({ ttlMs: 0, cacheScope: 'private' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['of another kind', 'long'],
    ['without end', { tools: { ttlMs: 1e300, cacheScope: 'everybody' } }],
    ['in the past', { tools: { ttlMs: -1 } }],
  ])('promises nothing when its promise is %s', (_, hints) => {
    const read = parseKnownText(withBody({ tools: [{ name: 'one', inputSchema }], hints }), limits);
    expect(read?.hints.get('tools')).toEqual({ ttlMs: 0, cacheScope: 'private' });
  });
});
