// @module-tag chance
import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../src/base/json/json.ts';
import { type PathSegment, parsePath, selectPath } from '../../src/results/json-path.ts';
import { compactJson, ScanLimit } from '../../src/results/json-scan.ts';
import { type Random, withSeeds } from './chance.ts';

const limits = { maxScanned: 10_000_000, maxValues: 100_000 };

function selectTexts(text: string, path: string): string[] {
  const places = selectPath(text, parsePath(path) ?? expect.fail(path), limits) ?? expect.fail('too many');
  return places.map(({ start, end }) => compactJson(text.slice(start, end)));
}

/** The same on the parsed value, step by step as RFC 9535 says it. */
function reference(root: Json, path: readonly PathSegment[]): Json[] {
  const childrenOf = (value: Json): Json[] =>
    Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  const withBelow = (value: Json): Json[] => [value, ...childrenOf(value).flatMap(withBelow)];
  let values = [root];
  for (const { selectors, deep } of path) {
    values = values
      .flatMap((value) => (deep ? withBelow(value) : [value]))
      .flatMap((value) =>
        selectors.flatMap((selector): Json[] => {
          if (selector.kind === 'all') return childrenOf(value);
          if (selector.kind === 'name')
            return isObject(value) && Object.hasOwn(value, selector.name) ? [value[selector.name] as Json] : [];
          if (!Array.isArray(value)) return [];
          if (selector.kind === 'index')
            return value.at(selector.index) === undefined ? [] : [value.at(selector.index) as Json];
          if (selector.step === 0) return [];
          const indexes = value.map((_, index) => index);
          const { start, end, step } = selector;
          if (step > 0)
            return indexes
              .slice(start ?? 0, end ?? value.length)
              .filter((_, at) => at % step === 0)
              .map((index) => value[index] as Json);
          const top =
            start === undefined
              ? value.length - 1
              : start < 0
                ? value.length + start
                : Math.min(start, value.length - 1);
          const bottom = end === undefined ? -1 : end < 0 ? Math.max(-1, value.length + end) : end;
          return indexes
            .filter((index) => index <= top && index > bottom)
            .reverse()
            .filter((_, at) => at % -step === 0)
            .map((index) => value[index] as Json);
        }),
      );
  }
  return values;
}

function randomJson(random: Random, depth = 4): Json {
  const kind = depth === 0 ? random.int(4) : random.int(8);
  if (kind === 0) return random.pick([null, true, false, 0, -1.5, 1e21, '', 'a "quote" \\ \n', '🚀', ']}', '{"a":1}']);
  if (kind < 4) return random.int(1_000);
  if (kind < 6) return Array.from({ length: random.int(5) }, () => randomJson(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: random.int(5) }, () => [random.pick(names), randomJson(random, depth - 1)]),
  );
}

const names = ['a', 'b', 'items', 'a key', 'it"s', "it's", '__proto__2', 'é', ''];

function randomPath(random: Random): string {
  const number = () => random.pick(['', '0', '1', '2', '-1', '-2', '5']);
  const quoted = () => {
    const name = JSON.stringify(random.pick(names));
    return random.oneIn(2) || /['"\\]/.test(name.slice(1, -1)) ? name : `'${name.slice(1, -1)}'`;
  };
  const selector = (): string =>
    random.pick([
      quoted,
      () => '*',
      () => random.pick(['0', '1', '-1']),
      () => `${number()}:${number()}`,
      () => `${number()}:${number()}:${random.pick(['', '1', '2', '-1', '-2', '0'])}`,
    ])();
  const segment = () => {
    const dots = random.oneIn(5) ? '..' : '';
    if (random.oneIn(2)) return `${dots || '.'}${random.pick(['a', 'b', 'items', 'é', '*'])}`;
    return `${dots}[${Array.from({ length: 1 + (random.oneIn(4) ? 1 : 0) }, selector).join(', ')}]`;
  };
  return `$${Array.from({ length: random.int(4) }, segment).join('')}`;
}

describe('a JSON path', () => {
  it('selects what a plain reading of the value selects, in the same order', () =>
    withSeeds(5_000, (random) => {
      const value = randomJson(random);
      const text = JSON.stringify(value, null, random.pick([0, 1, '\t', 2]));
      const path = randomPath(random);
      const wanted = reference(value, parsePath(path) ?? expect.fail(path)).map((each) => JSON.stringify(each));
      expect(selectTexts(text, path), JSON.stringify([path, value])).toEqual(wanted);
    }));

  it('gives back the text of a value as it is, numbers beyond 2^53 and spelled otherwise included', () => {
    const text = '{"a": {"big": 12345678901234567890, "one": 1.0, "text": "\\u0041 \\n"}, "a2": 1e2}';
    expect(selectTexts(text, '$.a.big')).toEqual(['12345678901234567890']);
    expect(selectTexts(text, '$.a')).toEqual(['{"big":12345678901234567890,"one":1.0,"text":"\\u0041 \\n"}']);
    expect(selectTexts(text, '$.a2')).toEqual(['1e2']);
  });

  it('takes the last of several members of one name, as everything else does', () => {
    expect(selectTexts('{"a":1,"b":2,"a":3}', '$.a')).toEqual(['3']);
    expect(selectTexts('{"a":1,"b":2,"a":3}', '$.*')).toEqual(['2', '3']);
  });

  it('may be written without its first sign', () => {
    expect(selectTexts('{"items":[{"name":"x"}]}', 'items[0].name')).toEqual(['"x"']);
    expect(selectTexts('[1,2]', '[1]')).toEqual(['2']);
  });

  it.each(['$.', '$[', '$[]', '$["a]', '$.a[?(@.b)]', '$ a', '$.a b', '$..', '$[1,]', '$[a]', 'a..', '$a'])(
    'is refused: %s',
    (path) => {
      expect(parsePath(path)).toBeUndefined();
    },
  );

  it('is given up when it selects or scans too much', () => {
    const text = JSON.stringify(Array.from({ length: 1_000 }, () => [1]));
    const path = parsePath('$..*') ?? expect.fail();
    expect(selectPath(text, path, { ...limits, maxValues: 100 })).toBeUndefined();
    expect(() => selectPath(text, path, { ...limits, maxScanned: 100 })).toThrow(ScanLimit);
  });

  it('survives a text that is nested very deeply', () => {
    const text = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(() => selectPath(text, parsePath('$..*') ?? [], limits)).toThrow(ScanLimit);
    expect(selectTexts(text, '$[0][0]')[0]).toHaveLength(39_996);
  });
});
