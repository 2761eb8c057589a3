import { describe, expect, it } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from '../../../src/base/call/header-value.ts';

describe('a value in a header', () => {
  it.each(['echo', 'a b', 'a,b;c="d"', 'https://example.com/a?b#c', '=?utf-8?q?x?='])('stays %j', (text) => {
    expect([encodeHeaderValue(text), decodeHeaderValue(text)]).toEqual([text, text]);
  });

  it.each([
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    ['', '=?base64??='],
    [' a', '=?base64?IGE=?='],
    ['a\tb\n', '=?base64?YQliCg==?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ])('turns %j into %s and back', (text, encoded) => {
    expect([encodeHeaderValue(text), decodeHeaderValue(encoded)]).toEqual([encoded, text]);
  });

  it.each([
    '=?base64?YQ?=',
    '=?base64?Y Q==?=',
    '=?base64?YR==?=',
    '=?base64?Y_-=?=',
    '=?base64?/w==?=',
    '=?base64?=?=',
    'größe',
    'a\u0000b',
    'a\u007fb',
  ])('cannot be %j', (raw) => {
    expect(decodeHeaderValue(raw)).toBeUndefined();
  });

  it.each(['=?BASE64?YQ==?=', '=?base64?YQ==', 'x=?base64?YQ==?=', '=?base64?='])('is plain text in %j', (raw) => {
    expect(decodeHeaderValue(raw)).toBe(raw);
  });
});
