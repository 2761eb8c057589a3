import { describe, expect, it } from 'vitest';
import { CancelToken } from '../../../src/base/async/cancel-token.ts';
import type { Call, CallOutcome } from '../../../src/base/call/call.ts';
import { Busy } from '../../../src/base/errors/busy.ts';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { type CallRecord, observeCall } from '../../../src/workbench/calls/observer.ts';

const client = { name: 'a client', principal: '' };
const place = { toolbox: 'box', server: 'one', name: 'tool' };

async function observe(send: () => Promise<CallOutcome>, signal = new CancelToken()) {
  const records: CallRecord[] = [];
  const call = { method: 'tools/call', client, signal } as unknown as Call;
  const observer = { onCall: (record: CallRecord) => void records.push(record), onClient() {} };
  const outcome = await observeCall(observer, place, call, send()).then(
    (value) => value,
    (error: unknown) => error,
  );
  return { outcome, records };
}

const result = (value: object): CallOutcome => ({ result: RawJson.of(value as never) });

describe('an observer of calls', () => {
  it.each<[string, () => Promise<CallOutcome>]>([
    ['ok', () => Promise.resolve(result({ content: [] }))],
    ['tool-error', () => Promise.resolve(result({ isError: true }))],
    ['error -32602', () => Promise.resolve<CallOutcome>({ error: { code: -32602, message: 'no' } })],
    ['input-required', () => Promise.resolve<CallOutcome>({ inputRequired: RawJson.of({}) })],
    ['WB1011', () => Promise.reject(new WorkbenchError('WB1011', 'late'))],
    ['busy', () => Promise.reject(new Busy('too much'))],
    ['failed', () => Promise.reject(new TypeError('x'))],
  ])(
    'an observer of calls is told that a call ended as %s, once, and its outcome is left as it is',
    async (outcome, send) => {
      const seen = await observe(send);
      expect(seen.records).toMatchObject([{ client, ...place, method: 'tools/call', outcome }]);
      expect(seen.records[0]?.ms).toBeGreaterThanOrEqual(0);
      const expected = await send().then(
        (value) => value,
        (error: unknown) => error,
      );
      expect(seen.outcome).toEqual(expected);
    },
  );

  it('an observer of calls is told of a call that was taken back as such', async () => {
    const signal = new CancelToken();
    signal.abort();
    const { records } = await observe(() => Promise.reject(new WorkbenchError('WB1010', 'gone')), signal);
    expect(records.map(({ outcome }) => outcome)).toEqual(['cancelled']);
  });
});
