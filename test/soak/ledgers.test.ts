import { describe, expect, it } from 'vitest';
import { judgeLedgers, startedBy, toEntries } from './ledgers.ts';
import { createTally } from './tally.ts';

function judge(server: string, lines: readonly string[], kills: Readonly<Record<string, number>> = {}) {
  const tally = createTally();
  judgeLedgers(toEntries(server, lines.join('\n')), new Map(Object.entries(kills)), tally);
  return Object.fromEntries(tally.faults);
}

describe('what servers have written down', () => {
  it.each([
    ['a call that ran once', ['ran web-old1.1.', 'ran web-old1.2.'], {}],
    ['a call that ran twice', ['ran web-old1.1.', 'ran web-old1.1.'], { duplicated: 1 }],
    ['a call of another server', ['ran web-old2.1.'], { misrouted: 1 }],
    ['a look that was taken twice, as it may be', ['looked web-old1.1.', 'looked web-old1.1.'], {}],
    ['a call that was cancelled', ['waits web-old1.1.', 'cancelled web-old1.1.'], {}],
    ['a call whose cancellation never came', ['waits web-old1.1.', 'ran web-old1.2.'], { uncancelled: 1 }],
    ['a call that ended with its process', ['waits web-old1.1.', 'started 7'], {}],
  ])('shows %s', (_, lines, faults) => {
    expect(judge('web-old1', lines)).toEqual(faults);
  });

  it.each([
    [1, {}, {}],
    [2, {}, { restarted: 1 }],
    [2, { 'pipe-old1': 1 }, {}],
    [3, { 'pipe-old1': 1 }, { restarted: 1 }],
  ])('shows whether %i starts of a healthy server were asked for by these kills: %j', (starts, kills, faults) => {
    expect(judge('pipe-old1', Array(starts).fill('started 1'), kills)).toEqual(faults);
  });

  it('names every process that was started', () => {
    expect(startedBy(toEntries('pipe-old1', 'started 12\nran pipe-old1.1.\nstarted 34\n'))).toEqual([12, 34]);
  });
});
