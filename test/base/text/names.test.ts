import { describe, expect, it } from 'vitest';
import { editDistance, nearestNames } from '../../../src/base/text/nearest.ts';
import { toPrintable } from '../../../src/base/text/printable.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';

describe('the nearest names', () => {
  it.each([
    ['ecoh', ['echo', 'add', 'each'], ['echo']],
    ['zz', ['a', 'zx'], ['zx']],
    ['read', ['read_file', 'write_file', 'readme'], ['read_file', 'readme']],
    ['zzz', ['echo', 'add'], []],
    ['ECHO', ['echo'], ['echo']],
  ])('to %s among %j are %j', (name, candidates, expected) => {
    expect(nearestNames(name, candidates)).toEqual(expected);
  });

  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['kitten', 'sitting', 3],
  ])('are measured by changes: %s to %s is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });
});

describe('printable text', () => {
  it.each([
    ['plain', 'plain'],
    ['two\nlines\tand tab', 'two lines and tab'],
    ['\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
    ['zero\u200bwidth \u202eflip', 'zero\\u{200b}width \\u{202e}flip'],
    ['tag \u{e0041}', 'tag \\u{e0041}'],
    ['lone \ud800 half', 'lone \\u{d800} half'],
    ['nul\u0000', 'nul\\u{0}'],
    ['emoji 🎉 stays', 'emoji 🎉 stays'],
  ])('%j becomes %j', (text, printed) => {
    expect(toPrintable(text)).toBe(printed);
  });

  it('is cut to the length asked for', () => {
    expect(toPrintable('abcdef', 4)).toBe('abc…');
  });
});

describe('a redactor', () => {
  it('shows the name instead of the value, everywhere it occurs', () => {
    const redactor = createRedactor();
    redactor.learn('TOKEN', 's3cr3t-value');
    expect(redactor.hide('a s3cr3t-value b s3cr3t-value')).toBe('a ‹TOKEN› b ‹TOKEN›');
  });

  it('hides the longer of two values first when one contains the other', () => {
    const redactor = createRedactor();
    redactor.learn('SHORT', 'abcdef');
    redactor.learn('LONG', 'abcdefghij');
    expect(redactor.hide('abcdefghij')).toBe('‹LONG›');
  });

  it('leaves values alone that are too short to be secrets', () => {
    const redactor = createRedactor();
    redactor.learn('FLAG', 'true');
    expect(redactor.hide('true')).toBe('true');
  });
});
