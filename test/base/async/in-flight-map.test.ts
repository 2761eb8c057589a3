import { describe, expect, it } from 'vitest';
import { InFlightMap } from '../../../src/base/async/in-flight-map.ts';

const named = (name: string) => ({ name });

describe('a map of what is open', () => {
  it('gives what was set, in the order in which it came', () => {
    const open = new InFlightMap<number, { name: string }>();
    open.set(2, named('two'));
    open.set(1, named('one'));
    open.set(2, named('zwei'));
    expect([open.size, open.has(1), open.has(3), open.get(2)?.name, open.get(3)]).toEqual([
      2,
      true,
      false,
      'zwei',
      undefined,
    ]);
    expect([...open]).toEqual([
      [2, named('zwei')],
      [1, named('one')],
    ]);
    expect([...open.values()]).toEqual([named('zwei'), named('one')]);
  });

  it('gives an entry away once, and then knows nothing of it', () => {
    const open = new InFlightMap<string, { name: string }>();
    open.set('__proto__', named('one'));
    expect(open.delete('__proto__')).toEqual(named('one'));
    expect([open.delete('__proto__'), open.get('__proto__'), open.has('__proto__'), open.size]).toEqual([
      undefined,
      undefined,
      false,
      0,
    ]);
  });

  it('takes what comes again for new, behind all others', () => {
    const open = new InFlightMap<number, { name: string }>();
    open.set(1, named('one'));
    open.set(2, named('two'));
    open.delete(1);
    open.set(1, named('eins'));
    expect([open.size, [...open.values()]]).toEqual([2, [named('two'), named('eins')]]);
  });

  it('takes a number and the text of it for two keys', () => {
    const open = new InFlightMap<string | number, { name: string }>();
    open.set(1, named('number'));
    open.set('1', named('text'));
    expect([open.get(1)?.name, open.get('1')?.name]).toEqual(['number', 'text']);
  });

  it('can be changed while it is read', () => {
    const open = new InFlightMap<number, { name: string }>();
    for (const key of [1, 2, 3]) open.set(key, named(String(key)));
    const seen: string[] = [];
    for (const [key, { name }] of open) {
      seen.push(name);
      open.delete(key);
      open.delete(2);
    }
    expect(seen).toEqual(['1', '3']);
    expect(open.size).toBe(0);
  });

  it('is empty when it was cleared', () => {
    const open = new InFlightMap<number, { name: string }>();
    for (const key of [1, 2, 3]) open.set(key, named(String(key)));
    open.clear();
    expect([open.size, [...open.values()]]).toEqual([0, []]);
  });

  it.each<[string, (at: number) => number | string]>([
    ['counted', (at) => at],
    ['counted from far away', (at) => 2 ** 40 + at],
    ['below zero', (at) => -at],
    ['far apart, all with the same last digits', (at) => at * 4_096],
    ['texts', (at) => `id ${at}`],
    ['numbers and texts', (at) => (at % 2 === 0 ? at : String(at))],
  ])('holds any number of entries whose keys are %s', (_case, toKey) => {
    const open = new InFlightMap<number | string, { name: string }>();
    const keys = Array.from({ length: 3_000 }, (_, at) => toKey(at));
    for (const key of keys) open.set(key, named(String(key)));
    expect([open.size, [...open].map(([key]) => key)]).toEqual([keys.length, keys]);
    for (const key of keys.filter((_, at) => at % 3 > 0)) expect(open.delete(key)).toEqual(named(String(key)));
    const left = keys.filter((_, at) => at % 3 === 0);
    expect([open.size, [...open.values()].map(({ name }) => name)]).toEqual([left.length, left.map(String)]);
    expect(keys.filter((key) => open.has(key))).toEqual(left);
  });

  it('finds room for an old entry among many later ones', () => {
    const open = new InFlightMap<number, { name: string }>();
    open.set(1, named('old'));
    for (let key = 2; key < 10_000; key++) {
      open.set(key, named('new'));
      expect(open.delete(key)?.name).toBe('new');
    }
    expect([open.size, open.delete(1)?.name, open.size]).toEqual([1, 'old', 0]);
  });
});
