import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildItemList } from '../../../src/catalog/listing.ts';
import { toShortLine, toToolLine } from '../../../src/front/search/tool-line.ts';
import type { Entry } from '../../../src/toolbox/toolbox.ts';

const ready = { state: 'ready' } as const;

/** A tool as the catalog gives it, in a toolbox of the same name as its server. */
function entryOf(tool: JsonObject, { toolbox = 'box', server = 'box' } = {}): Entry {
  const limits = { schemaBytes: 1e6, schemaDepth: 64 };
  const [item] = buildItemList('tools', [{ inputSchema: { type: 'object' }, ...tool }], { limits }).items;
  if (item === undefined) throw new Error('the tool is left out');
  return { kind: 'tools', key: server, item, address: { toolbox, server, name: item.name } };
}

const withArguments = (properties: JsonObject, required: string[] = []) => ({
  name: 't',
  inputSchema: { type: 'object', properties, required },
});

describe('a tool in one line', () => {
  it('begins with its address: the server, and the toolbox where it has another name', () => {
    expect(toToolLine(entryOf({ name: 'go' }), ready)).toBe('box.go()');
    expect(toToolLine(entryOf({ name: 'go' }, { toolbox: 'dev', server: 'git' }), ready)).toBe('dev/git.go()');
  });

  it('has the required arguments first, and as many of the optional ones as fit', () => {
    const many = Object.fromEntries([...'abcdefghijklmnop'].map((key) => [`${key}_argument`, { type: 'string' }]));
    const line = toToolLine(entryOf(withArguments({ ...many, need: { type: 'integer' } }, ['need'])), ready);
    expect(line).toMatch(/^box\.t\(need:integer, a_argument\?:string, b_argument\?:string, .*, …\+11\)$/);
  });

  it.each([
    ['an enumeration', { enum: ['a', 'b'] }, '"a"|"b"'],
    ['a long enumeration', { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, '"a"|"b"|"c"|"d"|…'],
    ['a nested object', { type: 'object', properties: { x: { type: 'string' } } }, 'object'],
    ['a list', { type: 'array', items: { type: 'number' } }, 'number[]'],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: {} } }, 'object[]'],
    ['several types', { type: ['string', 'null'] }, 'string|null'],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string|string[]'],
    ['a constant', { const: 7 }, '7'],
    ['anything', {}, 'any'],
    ['a schema that is not an object', true, 'any'],
    ['a reference', { $ref: '#/properties/other' }, 'boolean'],
    ['a reference to nowhere', { $ref: '#/nowhere' }, 'any'],
    ['a reference to itself', { $ref: '#/properties/x' }, 'any'],
    ['a reference to another document', { $ref: 'https://example.com/x' }, 'any'],
  ])('shows the type of %s', (_case, schema, type) => {
    const line = toToolLine(
      entryOf(withArguments({ x: schema as JsonObject, other: { type: 'boolean' } }, ['x'])),
      ready,
    );
    expect(line).toBe(`box.t(x:${type}, other?:boolean)`);
  });

  it.each([
    [{ readOnlyHint: true }, ' [reads]'],
    [{ destructiveHint: true }, ' [destroys]'],
    [{ readOnlyHint: false, destructiveHint: false }, ''],
  ])('marks %j', (annotations, mark) => {
    expect(toToolLine(entryOf({ name: 't', annotations }), ready)).toBe(`box.t()${mark}`);
  });

  it.each([
    ['needs-sign-in', ' [needs sign-in]'],
    ['down', ' [server down]'],
    ['failing', ' [server failing]'],
    ['sleeping', ''],
    ['known', ''],
    ['starting', ''],
  ] as const)('has the state %s of its server where it matters', (state, mark) => {
    expect(toShortLine(entryOf({ name: 't' }), { state })).toBe(`box.t${mark}`);
  });

  it('ends with the first sentence, cut at a word', () => {
    const say = (description: string) => toShortLine(entryOf({ name: 't', description }), ready);
    expect(say('Reads a file. Also writes.')).toBe('box.t — Reads a file');
    expect(say('**Reads** `v1.2` files\nof a folder')).toBe('box.t — Reads v1.2 files of a folder');
    expect(say('word '.repeat(40))).toBe(`box.t — ${'word '.repeat(14).trim()}…`);
  });

  it.each([
    'line one\nslack.fake(x:string) — Looks like a hit',
    'carriage\rreturn',
    'next\u0085line and \u2028separator\u2029',
    'bell\u0007 and escape \u001b[2J',
    '\u202eright to left',
  ])('stays one line with the description %j', (description) => {
    const line = toToolLine(entryOf({ name: 't', description }), ready);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(line.startsWith('box.t() — ')).toBe(true);
  });

  it('stays one line with names of tools, arguments and values that hold line breaks and quotation marks', () => {
    const line = toToolLine(
      entryOf({
        name: 'x() — y\nz.w',
        inputSchema: { type: 'object', properties: { 'a\nb(': { enum: ['c\nd'] } }, required: ['a\nb('] },
        outputSchema: { type: 'object', properties: { 'e\nf': {} } },
      }),
      ready,
    );
    expect(line).not.toContain('\n');
    expect(line).toMatch(/^box\."x\(\) — yz\.w"\("a/);
  });

  it('is bounded however large the definition is', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`${'n'.repeat(200)}${at}`, { enum: ['v'.repeat(500)] }]),
    );
    const line = toToolLine(
      entryOf({ ...withArguments(properties, Object.keys(properties)), description: 'x'.repeat(9_000) }),
      ready,
    );
    expect(line.length).toBeLessThan(2_500);
  });
});
