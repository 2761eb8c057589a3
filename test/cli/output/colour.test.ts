import { describe, expect, it } from 'vitest';
import { createPaint, wantsColour } from '../../../src/cli/output/colour.ts';

describe('colours', () => {
  it.each([
    ['appear in a terminal', { isTTY: true }, true],
    ['do not appear in a pipe', { isTTY: false }, false],
    ['obey NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }, false],
    ['ignore an empty NO_COLOR', { isTTY: true, env: { NO_COLOR: '' } }, true],
    ['obey FORCE_COLOR in a pipe', { isTTY: false, env: { FORCE_COLOR: '1' } }, true],
    ['obey FORCE_COLOR=0 in a terminal', { isTTY: true, env: { FORCE_COLOR: '0' } }, false],
    ['obey NO_COLOR before FORCE_COLOR', { isTTY: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['stay away in CI', { isTTY: true, env: { CI: 'true' } }, false],
    ['come back in CI with FORCE_COLOR', { isTTY: false, env: { CI: 'true', FORCE_COLOR: '1' } }, true],
    ['stay away from a dumb terminal', { isTTY: true, env: { TERM: 'dumb' } }, false],
    ['obey --no-color before everything', { isTTY: true, env: { FORCE_COLOR: '1' }, refused: true }, false],
  ])('%s', (_, facts, wanted) => {
    expect(wantsColour({ env: {}, refused: false, ...facts })).toBe(wanted);
  });

  it('leave a text as it is when they are off', () => {
    expect([createPaint(false).red('x'), createPaint(true).red('x'), createPaint(true).red('')]).toEqual([
      'x',
      '\u001b[31mx\u001b[39m',
      '',
    ]);
  });
});
