import { describe, expect, it } from 'vitest';
import { type Comparison, type Expectation, findDisagreements, findReasons, findUnknown } from './expectations.ts';
import type { Cell, Measured, Verdict } from './measurement.ts';

const cell: Cell = { side: 'server', revision: '2026-07-28', era: 'legacy', via: 'stdio' };
const measuredAs = (scenarios: Record<string, Record<string, Verdict>>): Measured =>
  new Map(
    Object.entries(scenarios).map(([name, checks]) => [
      name,
      new Map(Object.entries(checks).map(([id, verdict]) => [id, { verdict }])),
    ]),
  );
const compare = (through: Record<string, Verdict>, direct?: Record<string, Verdict>): Comparison => ({
  cell,
  measured: measuredAs({ one: through }),
  direct: direct && measuredAs({ one: direct }),
});
const expecting = (scenarios: string[], where: Partial<Cell> = {}): Expectation[] => [
  { reason: 'It is not there yet.', where, scenarios },
];

describe('comparing a run through the Workbench with the direct one', () => {
  it.each([
    ['both pass', { a: 'pass' }, { a: 'pass' }],
    ['both warn', { a: 'warn' }, { a: 'warn' }],
    ['the direct one fails, so it says nothing', { a: 'fail' }, { a: 'fail', b: 'pass' }],
    ['the direct one judged nothing', { a: 'fail' }, {}],
    ['one of several checks was left out', { b: 'pass' }, { a: 'pass', b: 'pass' }],
  ] as [string, Record<string, Verdict>, Record<string, Verdict>][])('agrees when %s', (_, through, direct) => {
    expect(findDisagreements(compare(through, direct), [])).toEqual([]);
  });

  it.each([
    ['fails', { a: 'fail' }, { a: 'pass' }],
    ['only warns', { a: 'warn' }, { a: 'pass' }],
    ['fails where the direct one only warns', { a: 'fail' }, { a: 'warn' }],
    ['fails in a check that the direct one does not have', { a: 'fail' }, { b: 'pass' }],
    ['fails and there is no direct one', { a: 'fail' }, undefined],
  ] as [string, Record<string, Verdict>, Record<string, Verdict> | undefined][])(
    'disagrees when one that is not listed %s',
    (_, through, direct) => {
      expect(findDisagreements(compare(through, direct), [])).toEqual([expect.stringContaining('"one:a"')]);
    },
  );

  it('disagrees when nothing was judged that passes directly', () => {
    expect(findDisagreements(compare({}, { a: 'pass' }), [])).toEqual([expect.stringContaining('"one:nothing"')]);
    expect(findDisagreements(compare({}, { a: 'pass' }), expecting(['one']))).toEqual([]);
  });

  it('agrees when the scenario, or the very check, is listed', () => {
    const failing = compare({ a: 'fail', b: 'pass' }, { a: 'pass', b: 'pass' });
    expect(findDisagreements(failing, expecting(['one']))).toEqual([]);
    expect(findDisagreements(failing, expecting(['one:a']))).toEqual([]);
  });

  it('disagrees when another check fails than the one that is listed', () => {
    const failing = compare({ a: 'fail', b: 'fail' }, { a: 'pass', b: 'pass' });
    expect(findDisagreements(failing, expecting(['one:a']))).toEqual([expect.stringContaining('"one:b"')]);
  });

  it.each(['one', 'one:a'])('disagrees when %s is listed and passes', (item) => {
    const passing = compare({ a: 'pass' }, { a: 'pass' });
    expect(findDisagreements(passing, expecting([item]))).toEqual([expect.stringContaining(`"${item}" passes`)]);
  });

  it('takes a line of the file only where it holds', () => {
    const failing = compare({ a: 'fail' }, { a: 'pass' });
    expect(findDisagreements(failing, expecting(['one'], { era: 'legacy', via: 'stdio' }))).toEqual([]);
    expect(findDisagreements(failing, expecting(['one'], { era: 'modern' }))).toHaveLength(1);
  });
});

describe('the file of expectations', () => {
  it('may name only what is run', () => {
    const all = [compare({ a: 'fail' }, { a: 'pass' })];
    expect(findUnknown(all, expecting(['one', 'one:a']))).toEqual([]);
    expect(findUnknown(all, expecting(['two']))).toEqual([expect.stringContaining('"two"')]);
    expect(findUnknown(all, expecting(['one'], { side: 'client' }))).toHaveLength(1);
  });

  it('gives the reason of a scenario, also when it names only a check of it', () => {
    expect(findReasons(cell, 'one', expecting(['one:a']))).toEqual(['It is not there yet.']);
    expect(findReasons(cell, 'on', expecting(['one']))).toEqual([]);
  });
});
