import { describe, expect, it } from 'vitest';
import { toCheckSteps } from '../../../src/cli/output/check-steps.ts';
import type { ErrorCode } from '../../../src/index.ts';
import { failedStatus, fakeStatus } from '../fake-io.ts';

const marks = { passed: '+', failed: 'x', waiting: '.', untried: '-' };

describe('the steps to a working server', () => {
  it('are all taken by a server that is ready', () => {
    expect(toCheckSteps(fakeStatus('a'))).toEqual([
      { name: 'command found', state: 'passed' },
      { name: 'started', state: 'passed' },
      { name: 'handshake', state: 'passed', detail: 'legacy, 2025-11-25, a-server 1.2.3, 0.4 s' },
      { name: 'tools', state: 'passed', detail: '3' },
    ]);
  });

  it.each<[ErrorCode, string]>([
    ['WB1001', 'x---'],
    ['WB1002', '+x--'],
    ['WB1004', '++x-'],
    ['WB1005', '++x-'],
    ['WB1007', '++x-'],
    ['WB1014', '+++x'],
  ])('end where %s happens: %s', (code, expected) => {
    const stages = toCheckSteps(failedStatus('a', { code }));
    expect(stages.map(({ state }) => marks[state]).join('')).toBe(expected);
  });

  it.each([
    ['disabled', '----'],
    ['configured', '----'],
    ['starting', '++.-'],
  ] as const)('of a server that is %s are %s', (state, expected) => {
    expect(
      toCheckSteps(fakeStatus('a', { state }))
        .map((stage) => marks[stage.state])
        .join(''),
    ).toBe(expected);
  });

  it('begin with the address for a remote server', () => {
    const stages = toCheckSteps({ ...failedStatus('a', { code: 'WB1305' }), transport: 'http' });
    expect(stages.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'reached failed',
      'handshake untried',
      'tools untried',
    ]);
  });
});
