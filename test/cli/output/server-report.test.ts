import { describe, expect, it } from 'vitest';
import { toCheckSteps } from '../../../src/cli/output/check-steps.ts';
import { hasFailed, isOutOfReach, toMark, toStateText } from '../../../src/cli/output/server-report.ts';
import { failedStatus, fakeStatus } from '../fake-io.ts';

describe('the state of a server in a report', () => {
  it.each([
    ['configured', '…', 'not started', false, true],
    ['known', '…', 'known', false, false],
    ['starting', '…', 'starting', false, true],
    ['ready', '✓', 'ready', false, false],
    ['sleeping', '✓', 'sleeping', false, false],
    ['disabled', '⊘', 'disabled', false, false],
  ] as const)('%s has its mark and its words', (state, mark, text, failed, unreachable) => {
    const status = fakeStatus('files', { state });
    expect([toMark(status), toStateText(status), hasFailed(status), isOutOfReach(status)]).toEqual([
      mark,
      text,
      failed,
      unreachable,
    ]);
  });

  it.each([
    ['failing', '✗'],
    ['down', '✗'],
    ['needs-sign-in', '!'],
  ] as const)('%s is a failure that is named', (state, mark) => {
    const status = { ...failedStatus('files'), state };
    expect([toMark(status), toStateText(status), hasFailed(status), isOutOfReach(status)]).toEqual([
      mark,
      'server exited before the handshake',
      true,
      true,
    ]);
    expect(toCheckSteps(status).map((stage) => stage.state)).toContain('failed');
  });
});
