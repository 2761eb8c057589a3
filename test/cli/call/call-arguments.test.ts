import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArgumentObject, parsePairs, toArguments } from '../../../src/cli/call/call-arguments.ts';
import type { Json, JsonObject } from '../../../src/index.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    either: { type: ['string', 'number'] },
    deep: { $ref: '#/$defs/deep' },
    maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    level: { enum: [1, 2] },
    any: {},
    mixed: { anyOf: [{ type: 'number' }, {}] },
    loop: { $ref: '#/properties/loop' },
  },
  $defs: { deep: { type: 'object' } },
};

describe('an argument of a call', () => {
  it.each<[string, Json]>([
    ['text=12', '12'],
    ['text=', ''],
    ['text=a=b', 'a=b'],
    ['text:=12', 12],
    ['count=12', 12],
    ['either=12', '12'],
    ['deep={"a":1}', { a: 1 }],
    ['maybe=null', null],
    ['level=2', 2],
    ['any=12', '12'],
    ['mixed=1', '1'],
    ['loop=1', '1'],
    ['unknown=true', 'true'],
    ['constructor=1', '1'],
    ['any:=[1,"x"]', [1, 'x']],
  ])('%s becomes %j', (word, value) => {
    expect(Object.values(toArguments(parsePairs([word], '/'), schema))).toEqual([value]);
  });

  it('can have any name without touching the prototype', () => {
    const value = toArguments(parsePairs(['__proto__=x'], '/'), schema);
    expect([Object.keys(value), Object.getPrototypeOf(value)]).toEqual([['__proto__'], Object.prototype]);
  });

  it('can be the text of a file, read relative to the current folder', () => {
    const dir = mkdtempSync(join(tmpdir(), 'cli-'));
    writeFileSync(join(dir, 'n.txt'), '7\n');
    expect(toArguments(parsePairs(['text=@n.txt', 'count=@n.txt'], dir), schema)).toEqual({ text: '7\n', count: 7 });
  });

  it.each([
    ['a file that is not there', ['text=@missing.txt'], /for "text" cannot be read \(ENOENT\)/],
    ['a word without =', ['text'], /"text" is not a valid argument/],
    ['a word without key', ['=x'], /"=x" is not a valid argument/],
    ['a word with only :=', [':=1'], /":=1" is not a valid argument/],
    ['a key twice', ['a=1', 'a=2'], /"a" is given twice/],
    ['text where a number is wanted', ['count=many'], /"count" should be integer, but many is not/],
    ['broken JSON', ['text:={'], /"text" should be JSON/],
  ])('is refused when it is %s', (_, words, message) => {
    expect(() => toArguments(parsePairs(words, tmpdir()), schema)).toThrow(message);
  });

  it('can come in one JSON object', () => {
    expect(parseArgumentObject('{"a":[1]}')).toEqual({ a: [1] });
  });

  it.each(['[1]', '"x"', 'null', '{', ''])('is refused when --args is %j', (text) => {
    expect(() => parseArgumentObject(text)).toThrow('The value of --args is not a JSON object.');
  });
});
