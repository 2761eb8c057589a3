import { describe, expect, it } from 'vitest';
import { type Findings, findReasons, percentile, toRows } from './report.ts';
import { createTally, type FaultName, faultNames } from './tally.ts';

const footprint = { megabytes: 100, descriptors: 60, children: 14 };

function findings(changed: Partial<Findings> = {}): Findings {
  return {
    minutes: 5,
    seed: 1,
    rate: 200,
    tally: createTally(),
    kills: 0,
    start: footprint,
    end: footprint,
    footprints: Array(300).fill(footprint),
    stalls: [12, 300],
    idleStalls: [],
    troubles: [],
    ...changed,
  };
}

const grown = [...Array(299).fill(footprint), { ...footprint, megabytes: 201 }];

describe('the verdict of a soak', () => {
  it('is good when nothing happened that must not', () => {
    expect(findReasons(findings())).toEqual([]);
  });

  it.each(Object.keys(faultNames) as FaultName[])('is bad after one fault of the kind "%s"', (name) => {
    const tally = createTally();
    tally.fault(name, 'this one');
    expect(findReasons(findings({ tally }))).toEqual([`${faultNames[name]}: 1`]);
    expect(tally.examples).toEqual([`${faultNames[name]}: this one`]);
  });

  it.each<[string, Partial<Findings>, string[]]>([
    ['something was left running', { troubles: ['left running: 7'] }, ['left running: 7']],
    ['descriptors stay', { end: { ...footprint, descriptors: 66 } }, ['descriptors did not come back: +6']],
    ['children stay', { end: { ...footprint, descriptors: 63, children: 15 } }, ['children did not go: +1']],
    ['memory doubles in a long run', { footprints: grown }, ['memory grew from 100 to 201 MB']],
  ])('is bad when %s', (_, changed, reasons) => {
    expect(findReasons(findings(changed))).toEqual(reasons);
  });

  it.each<[string, Partial<Findings>]>([
    ['a few descriptors more', { end: { ...footprint, descriptors: 65 } }],
    ['servers that are down at the end', { end: { ...footprint, descriptors: 51, children: 11 } }],
    ['memory that doubles in a short run', { footprints: grown, minutes: 2 }],
    ['a platform that shows nothing', { start: undefined, end: undefined, footprints: [] }],
  ])('is good in spite of %s', (_, changed) => {
    expect(findReasons(findings(changed))).toEqual([]);
  });
});

describe('the table of a soak', () => {
  it('has a row for every kind of fault, and for every turn of the bad servers', () => {
    const tally = createTally();
    tally.fault('lost', 'this one');
    tally.countBad('hang', 'WB1011');
    tally.countBad('hang', 'WB1011');
    tally.countBad('hang', 'result');
    const rows = new Map(toRows(findings({ tally })));
    for (const name of Object.values(faultNames)) expect(rows.get(name)).toBe(name === faultNames.lost ? '1' : '0');
    expect(rows.get('bad servers: hang')).toBe('WB1011 2, result 1');
    expect(rows.get('longest event-loop stall')).toContain('300 ms (over 200 ms in 1 of 2 s)');
  });

  it.each([
    [[], 50, '–'],
    [[7], 99, '7'],
    [[3, 1, 2, 4], 50, '3'],
  ])('gives of %j the percentile %i as %s', (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });
});
