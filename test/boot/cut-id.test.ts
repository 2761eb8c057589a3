import { describe, expect, it } from 'vitest';
import { cutId } from '../../src/boot/cut-id.ts';

const around = (before: string, after: string) => ({ before, after, with: (id: string) => `${before}${id}${after}` });

/** Where clients put their ids. */
const places = [
  around('{"jsonrpc":"2.0","id":', ',"method":"tools/list","params":{"id":9,"cursor":"x"}}'),
  around('{"id":', ',"jsonrpc":"2.0","method":"tools/list"}'),
  around('{"jsonrpc":"2.0","method":"tools/list","id":', ',"params":{"a":[1,2,{"id":3}]}}'),
  around('{"method":"tools/list","params":{"id":7},"jsonrpc":"2.0","id":', '}'),
  around('{"method":"tools/list","params":{"text":",\\"id\\":5}"},"id":', '}'),
  around(' { "jsonrpc" : "2.0" , "id" : ', ' , "method" : "tools/list" } '),
  around('{"method":"tools/list","params":{"a":1} , "id" :  ', ' } '),
];
const ids = ['0', '1', '42', '999999999999999', '"a"', '"1"', '"6f1c-α-\u{1F600}"', '"}\'{,"'];

describe('a request without its id', () => {
  it.each(places)('is the text around it: $before…$after', ({ before, after, with: withId }) => {
    for (const id of ids) expect(cutId(withId(id))).toEqual({ id, method: 'tools/list', rest: `${before}${after}` });
  });

  it('is not cut inside the params where they hold the same id', () => {
    const before = '{"method":"tools/list","params":{"a":0,"id":5},"id":';
    expect(cutId(`${before}5}`)).toEqual({ id: '5', method: 'tools/list', rest: `${before}}` });
    expect(cutId(`${before}6}`)?.rest).toBe(`${before}}`);
  });

  it('is the same for two requests only when they differ in nothing but the id', () => {
    const requests = places.flatMap(({ with: withId }) => ids.map(withId));
    const rests = new Map<string, Set<string>>();
    for (const line of requests) {
      const { rest } = cutId(line) ?? { rest: '' };
      const { id: _, ...others } = JSON.parse(line);
      rests.set(rest, (rests.get(rest) ?? new Set()).add(JSON.stringify(others)));
    }
    expect(rests.size).toBe(places.length);
    for (const meanings of rests.values()) expect(meanings.size).toBe(1);
  });

  it.each([
    ['null', '{"jsonrpc":"2.0","id":null,"method":"m"}'],
    ['a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"m"}'],
    ['a whole number written as a fraction', '{"jsonrpc":"2.0","id":1.0,"method":"m"}'],
    ['below zero', '{"jsonrpc":"2.0","id":-1,"method":"m"}'],
    ['below zero at the end', '{"jsonrpc":"2.0","method":"m","id":-1}'],
    ['written with an exponent', '{"jsonrpc":"2.0","id":1e3,"method":"m"}'],
    ['more than can be told apart', '{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}'],
    ['with leading zeros', '{"jsonrpc":"2.0","id":007,"method":"m"}'],
    ['true', '{"jsonrpc":"2.0","id":true,"method":"m"}'],
    ['a list', '{"jsonrpc":"2.0","id":[1],"method":"m"}'],
    ['an empty text', '{"jsonrpc":"2.0","id":"","method":"m"}'],
    ['a text with an escape', '{"jsonrpc":"2.0","id":"\\u0061","method":"m"}'],
    ['a text with an escaped quote', '{"jsonrpc":"2.0","id":"a\\"b","method":"m"}'],
    ['a long text', `{"jsonrpc":"2.0","id":"${'x'.repeat(101)}","method":"m"}`],
    ['given twice, differently', '{"id":1,"method":"m","params":{},"id":2}'],
    ['given twice, once in disguise', '{"id":1,"method":"m","\\u0069d":2}'],
    ['given twice, as a number and as a text', '{"id":1,"method":"m","params":{},"id":"1"}'],
    ['only inside the params', '{"jsonrpc":"2.0","method":"m","params":{"id":1}}'],
    ['only inside the params, which end the text', '{"jsonrpc":"2.0","method":"m","params":{"a":0,"id":1}}'],
    ['only inside a text', '{"jsonrpc":"2.0","method":"m","params":{"a":",\\"id\\":1}"}}'],
    ['in the middle', '{"params":{},"id":1,"method":"m"}'],
    ['behind a method that is no text', '{"id":1,"method":5}'],
    ['without a method', '{"jsonrpc":"2.0","id":1}'],
    ['that of a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['that of a response with an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"method"}}'],
    ['nowhere, for it is a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ['inside a batch', '[{"jsonrpc":"2.0","id":1,"method":"m"}]'],
    ['in front of a second message', '{"id":1,"method":"m"}{"id":2,"method":"m"}'],
    ['in a message that is cut', '{"jsonrpc":"2.0","id":1,"method":"m"'],
    ['behind a byte order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"m"}'],
    ['of the prototype', '{"__proto__":{"id":1,"method":"m"}}'],
    ['in no message at all', ''],
  ])('is not there when the id is %s', (_, line) => {
    expect(cutId(line)).toBeUndefined();
  });

  it('is not there for a line that is too long for a first question, however it is made', () => {
    const long = (filler: string) => `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"${filler}"}}`;
    expect(cutId(long('x'.repeat(10_000)))).toBeDefined();
    expect(cutId(long('x'.repeat(20_000)))).toBeUndefined();
    for (const filler of [',', ' ', ',"id":', '{"id":1}', '\\"'])
      expect(cutId(`{"method":"m",${filler.repeat(2_000_000 / filler.length)}`)).toBeUndefined();
  });

  it('does not lose its way in a line of the greatest length that asks for much searching', () => {
    for (const filler of [',', ', ', ',\t\t\t\t', ',"id":', ',"id":1', ',"id":1}', '}'])
      expect(cutId(`{"method":"m"${filler.repeat(16_000 / filler.length)}`)).toBeUndefined();
  });
});
