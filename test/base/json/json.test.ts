import { describe, expect, it } from 'vitest';
import { type JsonObject, parseObject, withMembers } from '../../../src/base/json/json.ts';

describe('an object with some members set', () => {
  it.each([
    [{ a: 1, b: 2 }, { a: 3 }, '{"a":3,"b":2}'],
    [{ a: 1, b: 2 }, { c: 3, a: 4 }, '{"a":4,"b":2,"c":3}'],
    [{ a: 1, b: 2 }, { a: undefined }, '{"b":2}'],
    [{ a: 1, b: 2 }, { a: undefined, c: undefined, b: null }, '{"b":null}'],
    [{}, {}, '{}'],
  ])('%j and %j is %s: what was there keeps its place', (object, members, text) => {
    const changed = withMembers(object as JsonObject, members);
    expect(JSON.stringify(changed)).toBe(text);
    expect(Object.values(changed)).not.toContain(undefined);
  });

  it('is another object, and the one before stays as it was', () => {
    const before: JsonObject = { a: 1 };
    expect(withMembers(before, { b: 2 })).not.toBe(before);
    expect(before).toEqual({ a: 1 });
  });

  it.each([{ a: 2 }, { a: undefined }])('takes __proto__ for a name like any other when %j is set', (members) => {
    const hostile = parseObject('{"__proto__":{"polluted":true},"a":1}') as JsonObject;
    const copy = withMembers(hostile, members);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
    expect('polluted' in copy).toBe(false);
  });
});
