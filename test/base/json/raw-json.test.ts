import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';

const ofText = (text: string) => RawJson.ofText(text, JSON.parse(text) as JsonObject);

describe('a payload', () => {
  it('keeps the text it came in, numbers beyond 2^53 and white space included', () => {
    const text = '{ "big": 9007199254740993, "one": 1.0 }';
    expect(ofText(text).text).toBe(text);
  });

  it('is serialised once when it was made from a value', () => {
    const payload = RawJson.of({ a: 1 });
    expect(payload.text).toBe('{"a":1}');
    payload.value.a = 2;
    expect(payload.text).toBe('{"a":1}');
  });

  it.each([
    ['{"a":1,"b":2}', { b: 3 }, '{"a":1,"b":3}'],
    ['{"a":1,"b":2}', { a: undefined }, '{"b":2}'],
    ['{"a":1}', { c: { d: [] } }, '{"a":1,"c":{"d":[]}}'],
    ['{}', { a: null }, '{"a":null}'],
    ['{"a":1}', { a: undefined, b: undefined }, '{}'],
    ['{ "a" : 1.0 , "b" : [1, 2] }', { c: 1 }, '{"a":1.0,"b":[1, 2],"c":1}'],
    ['{"x":"}]\\"{,:","y":{"z":"\\\\"},"w":9007199254740993}', { y: 1 }, '{"x":"}]\\"{,:","y":1,"w":9007199254740993}'],
    ['{"\\u0061":1,"b":2}', { a: 5 }, '{"a":5,"b":2}'],
    ['{"a":1,"a":2}', { a: 3 }, '{"a":3}'],
    ['{"__proto__":{"x":1},"b":1}', { b: 2 }, '{"__proto__":{"x":1},"b":2}'],
  ])('%s with %j set is %s', (text, members, expected) => {
    const changed = ofText(text).with(members);
    expect(changed.text).toBe(expected);
    expect(JSON.stringify(changed.value)).toBe(JSON.stringify(JSON.parse(expected)));
  });

  it('gives a member with its own text, the last of equal names', () => {
    expect(ofText('{"_meta":{"n":1.0}}').find('_meta')?.text).toBe('{"n":1.0}');
    expect(ofText('{"_meta":{"n":1.0},"_meta":{"n":2.0}}').find('_meta')?.text).toBe('{"n":2.0}');
    expect(ofText('{"_meta":7}').find('_meta')).toBeUndefined();
    expect(ofText('{}').find('toString')).toBeUndefined();
  });

  it('takes a payload as a member, with its text', () => {
    const meta = ofText('{"n":1.0}').with({ own: true });
    expect(ofText('{"a":1,"_meta":{"n":1.0}}').with({ _meta: meta }).text).toBe('{"a":1,"_meta":{"n":1.0,"own":true}}');
  });
});
