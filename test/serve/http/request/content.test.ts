import { describe, expect, it } from 'vitest';
import { acceptsBoth, acceptsEvents, isJson } from '../../../../src/serve/http/request/content.ts';
import { memoizeHeader } from '../../../../src/serve/http/request/memoize-header.ts';

describe('what a request says of its body and of the answers it takes', () => {
  it.each([
    ['application/json', true],
    ['Application/JSON; charset=UTF-8', true],
    ['application/json; charset=latin1', false],
    ['text/plain', false],
    [undefined, false],
  ])('means the same each time it is asked: the type %s is JSON: %s', (type, expected) => {
    expect([isJson(type), isJson(type)]).toEqual([expected, expected]);
  });

  it.each([
    ['application/json, text/event-stream', true, true],
    ['*/*', true, true],
    ['application/*;q=0.5, text/event-stream', true, true],
    ['application/json;q=0, text/event-stream', false, true],
    ['application/json', false, false],
    [undefined, false, false],
  ])('means the same each time it is asked: %s takes both: %s, streams: %s', (accept, both, events) => {
    expect([acceptsBoth(accept), acceptsBoth(accept)]).toEqual([both, both]);
    expect([acceptsEvents(accept), acceptsEvents(accept)]).toEqual([events, events]);
  });
});

describe('an answer that is remembered', () => {
  it('is worked out once for a text, and again for another', () => {
    const asked: (string | undefined)[] = [];
    const isLong = memoizeHeader((text) => {
      asked.push(text);
      return (text?.length ?? 0) > 1;
    });
    expect(['a', 'ab', 'a', undefined, 'ab', undefined].map(isLong)).toEqual([false, true, false, false, true, false]);
    expect(asked).toEqual(['a', 'ab', undefined]);
  });

  it('is forgotten before clients can fill the memory with texts', () => {
    let asked = 0;
    const count = memoizeHeader(() => ++asked);
    for (let at = 0; at < 100; at++) count(`text ${at}`);
    count('text 0');
    expect(asked).toBe(101);
    const long = 'x'.repeat(10_000);
    count(long);
    count(long);
    expect(asked).toBe(103);
  });
});
