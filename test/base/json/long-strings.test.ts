import { describe, expect, it } from 'vitest';
import { ChunkedText, chunkedFrom } from '../../../src/base/json/chunked-text.ts';
import { type Json, type JsonObject, withMembers } from '../../../src/base/json/json.ts';
import { noteLongStrings, objectText } from '../../../src/base/json/long-strings.ts';

/** Written in a way that no writer of JSON would, to see whether it is the text that is passed on. */
const unusual = '\\u0041'.repeat(chunkedFrom);
const value = 'A'.repeat(chunkedFrom);

/** The params of a message as they are passed on, under another name. */
function passOn(text: string): string {
  const message = JSON.parse(text) as JsonObject;
  noteLongStrings(text, message as Json);
  return String(objectText(withMembers(message.params as JsonObject, { name: 'other' })));
}

describe('a long string among the arguments of a call', () => {
  it('is passed on as the text it came in, and everything around it is written from its value', () => {
    const text = `{ "method":"tools/call", "params" : {"name":"x", "arguments":{ "a" : 1.0, "content" : "${unusual}", "b":[ 1 ] } } }`;
    expect(passOn(text) === `{"name":"other","arguments":{"a":1,"content":"${unusual}","b":[1]}}`).toBe(true);
  });

  it('is passed on as text also when it is given to a tool through a tool', () => {
    const text = `{"params":{"arguments":{"tool":"x","arguments":{"content":"${unusual}"}}}}`;
    const message = JSON.parse(text) as { params: { arguments: { arguments: JsonObject } } };
    noteLongStrings(text, message as unknown as Json);
    const params = { name: 'x', arguments: message.params.arguments.arguments };
    expect(String(objectText(params)) === `{"name":"x","arguments":{"content":"${unusual}"}}`).toBe(true);
  });

  it.each([
    ['params', `{"params":{"arguments":{"content":"${unusual}"}},"params":{"arguments":{"content":1}}}`, '1'],
    ['arguments', `{"params":{"arguments":{"content":"${unusual}"},"arguments":{"content":2}}}`, '2'],
    ['itself, the last being short', `{"params":{"arguments":{"content":"${unusual}","content":3}}}`, '3'],
    ['itself', `{"params":{"arguments":{"content":4,"content":"${unusual}"}}}`, `"${value}"`],
    ['a neighbour', `{"params":{"arguments":{"a":1,"a":2,"content":"${unusual}"}}}`, `"${value}"`],
  ])('is what was checked, whatever is named twice: %s', (_, text, expected) => {
    const { arguments: args } = JSON.parse(passOn(text)) as { arguments: JsonObject };
    expect(JSON.stringify(args.content) === expected).toBe(true);
    expect(passOn(text).includes('\\u0041')).toBe(false);
  });

  it.each([
    ['no arguments', '{"params":{"name":"x"}}', '{"name":"other"}'],
    ['arguments that are no object', '{"params":{"arguments":[1]}}', '{"arguments":[1],"name":"other"}'],
    [
      'names of the language',
      '{"params":{"arguments":{"__proto__":{"a":1}}}}',
      '{"arguments":{"__proto__":{"a":1}},"name":"other"}',
    ],
  ])('changes nothing where there is none: %s', (_, text, expected) => {
    expect(passOn(text)).toBe(expected);
  });

  it('is never copied to be put together with what is around it', () => {
    const text = `{"params":{"name":"x","arguments":{"content":"${unusual}"}}}`;
    const message = JSON.parse(text) as { params: JsonObject };
    noteLongStrings(text, message as unknown as Json);
    const written = objectText(message.params, 'before', 'behind');
    expect(written).toBeInstanceOf(ChunkedText);
    expect((written as ChunkedText).parts.includes(`"${unusual}"`)).toBe(true);
    expect(String(written) === `before{"name":"x","arguments":{"content":"${unusual}"}}behind`).toBe(true);
    expect(objectText({ a: 1 }, 'before', 'behind')).toBe('before{"a":1}behind');
  });

  it('keeps members with names of the language beside it', () => {
    const text = `{"params":{"arguments":{"__proto__":"${unusual}","constructor":1}}}`;
    expect(passOn(text) === `{"arguments":{"__proto__":"${unusual}","constructor":1},"name":"other"}`).toBe(true);
  });
});
