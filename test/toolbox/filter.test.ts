import { describe, expect, it } from 'vitest';
import { buildFilter, findIdleFilters } from '../../src/toolbox/filter.ts';

describe('tool filters', () => {
  const names = ['read_file', 'read_dir', 'write_file', 'delete'];
  it.each([
    [['*'], names],
    [['read_file'], ['read_file']],
    [['read_*'], ['read_file', 'read_dir']],
    [['*_file', '!write_*'], ['read_file']],
    [['!delete'], ['read_file', 'read_dir', 'write_file']],
    [['*', '!*'], []],
    [['nothing'], []],
    [[], []],
    [['READ_FILE'], []],
  ])('%j keep %j', (filters, kept) => {
    expect(names.filter(buildFilter(filters))).toEqual(kept);
  });

  it.each([
    ['abc', 'a*c', true],
    ['ac', 'a*c', true],
    ['a', 'a*a', false],
    ['aXbYc', 'a*b*c', true],
    ['abab', '*ab', true],
    ['abcd', '*b*d*', true],
    ['a.c', 'a?c', false],
    ['', '*', true],
    ['a*b', 'a*b', true],
  ])('%s against %s is %s', (text, pattern, matches) => {
    expect(buildFilter([pattern])(text)).toBe(matches);
  });

  it('answers at once for a pattern made to be slow', () => {
    expect(buildFilter([`${'*a'.repeat(200)}b`])('a'.repeat(50_000))).toBe(false);
  });
});

describe('filters that match nothing', () => {
  it.each([
    [['read', 'raed'], ['raed']],
    [['*', '!wirte'], ['!wirte']],
    [['re*', 'x*', '!w*'], ['x*']],
    [['*'], []],
    [['!write'], []],
  ])('of %j are %j', (filters, idle) => {
    expect(findIdleFilters(filters, ['read', 'write'])).toEqual(idle);
  });
});
