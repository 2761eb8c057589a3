import { describe, expect, it } from 'vitest';
import { type Selectable, selectTests } from './select-tests.ts';
import { readExtent } from './selection.ts';

const eras = ['legacy', 'modern'];
const modes = ['meta', 'dynamic', 'flat'];
const ways = ['pipe', 'http', 'attach'];

function choose(tests: readonly Selectable[]): Selectable[] {
  const chosen = selectTests(tests);
  return tests.filter((_, index) => chosen.has(index));
}

describe('the selection of tests that npm test runs', () => {
  it('has every test of the source at least once, and every pair of suites that stand together', () => {
    const tests = ways.flatMap((way) =>
      modes.flatMap((mode) =>
        eras.flatMap((era) =>
          ['lists', 'calls', 'cancels'].map((title) => ({ place: title, suites: [way, mode, era], title })),
        ),
      ),
    );
    const chosen = choose(tests);
    expect(chosen.length).toBeLessThan(tests.length / 4);
    expect(new Set(chosen.map(({ title }) => title)).size).toBe(3);
    const has = (...pair: string[]) => chosen.some(({ suites }) => pair.every((each) => suites.includes(each)));
    for (const way of ways) for (const mode of modes) expect(has(way, mode)).toBe(true);
    for (const era of eras) for (const other of [...ways, ...modes]) expect(has(era, other)).toBe(true);
  });

  it('has each word of the titles of a table as long as four rows can hold them', () => {
    const titles = ways.flatMap((way) => modes.flatMap((mode) => eras.map((era) => `over ${way}, ${mode}, ${era}`)));
    const chosen = choose(titles.map((title) => ({ place: '1:1', suites: [], title }))).map(({ title }) => title);
    expect(chosen).toHaveLength(4);
    for (const word of [...ways, ...modes, ...eras]) expect(chosen.join('; ')).toContain(word);
  });

  it('has four rows of a table of different things, and all of a short one', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ place: '1:1', suites: ['one'], title: `thing${at}` }));
    expect(choose(rows(100))).toHaveLength(4);
    expect(choose(rows(3))).toHaveLength(3);
  });

  it('leaves nothing out of a file without tables, and is the same in every run', () => {
    const tests = Array.from({ length: 30 }, (_, at) => ({ place: `${at}:1`, suites: ['a'], title: `does ${at}` }));
    expect(choose(tests)).toEqual(tests);
    expect(selectTests(tests)).toEqual(selectTests(tests));
  });
});

describe('the variable WORKBENCH_TESTS', () => {
  it('says how much runs, and a wrong value is refused', () => {
    expect([readExtent('all'), readExtent('most'), readExtent('rest')]).toEqual(['all', 'most', 'rest']);
    expect(() => readExtent('some')).toThrow('WORKBENCH_TESTS is "some"');
  });
});
