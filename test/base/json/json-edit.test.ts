import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type Edits, editText, editValue } from '../../../src/base/json/json-edit.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';

const toEdits = (tree: object): Edits =>
  new Map(
    Object.entries(tree).map(([key, below]) => [
      /^\d+$/.test(key) ? Number(key) : key,
      typeof below === 'string' ? below : toEdits(below as object),
    ]),
  );

describe('an edited JSON text', () => {
  it.each([
    ['{"a":"x"}', { a: 'y' }, '{"a":"y"}'],
    ['{ "n" : 9007199254740993 , "a" : "x" }', { a: 'y' }, '{ "n" : 9007199254740993 , "a" : "y" }'],
    ['{"a":[1.0,{"b":"x"},"c"]}', { a: { 1: { b: 'y' }, 2: 'z' } }, '{"a":[1.0,{"b":"y"},"z"]}'],
    ['{"a":{"deep":["}","\\"]",{"x":1e-7}]},"b":"x"}', { b: 'y' }, '{"a":{"deep":["}","\\"]",{"x":1e-7}]},"b":"y"}'],
    ['{"a\\u0062":"x"}', { ab: 'y' }, '{"a\\u0062":"y"}'],
    ['{"a":"\\\\","b":"x"}', { b: '"\n' }, '{"a":"\\\\","b":"\\"\\n"}'],
    ['{"a":7,"b":null}', { a: 'y', b: 'z', c: 'n' }, '{"a":7,"b":null}'],
    ['{"a":[],"b":{}}', { a: { 0: 'x' }, b: { c: 'x' } }, '{"a":[],"b":{}}'],
    ['{"__proto__":{"a":"x"}}', JSON.parse('{"__proto__":{"a":"y"}}'), '{"__proto__":{"a":"y"}}'],
    ['{"a":"x","a":"z"}', { a: 'y' }, '{"a":"y","a":"y"}'],
    ['{"a":["x"]}', { a: { b: 'y' } }, '{"a":["x"]}'],
  ])('%s with %j is %s', (text, tree, expected) => {
    const edits = toEdits(tree as object);
    expect(editText(text, edits)).toBe(expected);
    expect(editValue(JSON.parse(text) as JsonObject, edits)).toEqual(JSON.parse(expected));
  });

  it('has the value that belongs to it', () => {
    const text = '{"big":9007199254740993,"uri":"x"}';
    const payload = RawJson.ofText(text, JSON.parse(text) as JsonObject).edit(new Map([['uri', 'y']]));
    expect(payload.text).toBe('{"big":9007199254740993,"uri":"y"}');
    expect(payload.value.uri).toBe('y');
    expect(payload.edit(new Map())).toBe(payload);
  });
});
