import { describe, expect, it } from 'vitest';
import { toFirstSentence, toSignature } from '../../../src/cli/output/signature.ts';
import type { Json } from '../../../src/index.ts';
import { fakeEntry } from '../fake-io.ts';

describe('a signature', () => {
  it.each<[Json, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, '(string | number)[]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ enum: ['a', 'b', 3] }, '"a" | "b" | 3'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7] }, '1 | 2 | 3 | 4 | 5 | 6 | …'],
    [{ const: null }, 'null'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ $ref: '#/properties/other' }, 'boolean'],
    [{ $ref: '#/properties/constructor' }, 'unknown'],
    [{ $ref: 'https://example.com/schema' }, 'unknown'],
    [{ $ref: '#/properties/value' }, 'unknown'],
    [true, 'unknown'],
  ])('writes %j as %s', (schema, text) => {
    const entry = fakeEntry('box/files/find', { value: schema, other: { type: 'boolean' } }, ['value']);
    expect(toSignature(entry)).toBe(`files.find(value: ${text}, other?: boolean)`);
  });

  it('of a tool without arguments is empty between the parentheses', () => {
    expect(toSignature(fakeEntry('box/files/find'))).toBe('files.find()');
  });

  it.each([
    ['Does it. And more.', 'Does it.'],
    ['Reads e.g. files', 'Reads e.g.'],
    ['Version 1.5 of it\nMore', 'Version 1.5 of it'],
    ['', ''],
  ])('is followed by the first sentence of %j', (description, sentence) => {
    const entry = fakeEntry('box/files/find');
    expect(toFirstSentence({ ...entry, tool: { ...entry.tool, description } })).toBe(sentence);
  });
});
