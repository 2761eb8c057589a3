import { describe, expect, it } from 'vitest';
import { type Log, type LogFields, silentLog } from '../../../../src/base/text/log.ts';
import { createWrongTokens } from '../../../../src/serve/http/auth/wrong-tokens.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createFakeFront, modern, send, startService } from '../support.ts';

const listen = () => {
  const records: LogFields[] = [];
  const log: Log = { ...silentLog, warn: (event, fields = {}) => void records.push({ event, ...fields }) };
  return { records, log };
};

describe('wrong tokens', () => {
  it('are refused at once at first, then later and later, at each address by itself', async () => {
    const clock = createFakeClock();
    const { log } = listen();
    const tokens = createWrongTokens({ clock, log });
    const delayOf = async (address: string) => {
      let told = false;
      const begun = clock.now();
      void tokens.refused(address).then(() => {
        told = true;
      });
      while (!told) await clock.advance(50);
      return clock.now() - begun - 50;
    };
    const delays: number[] = [];
    for (let time = 0; time < 12; time++) delays.push(await delayOf('a'));
    expect(delays).toEqual([0, 0, 0, 0, 50, 150, 350, 750, 1_550, 1_950, 1_950, 1_950]);
    expect(await delayOf('b')).toBe(0);
    await clock.advance(60_000);
    expect(await delayOf('a')).toBe(0);
  });

  it('leave one line now and then, with their number and address and nothing of what was sent', async () => {
    const clock = createFakeClock();
    const { log, records } = listen();
    const tokens = createWrongTokens({ clock, log });
    for (let time = 0; time < 300; time++) void tokens.refused('10.0.0.7');
    await clock.advance(10_000);
    void tokens.refused('10.0.0.7');
    expect(records).toMatchObject([
      { code: 'WB1315', address: '10.0.0.7', count: 1 },
      { code: 'WB1315', address: '10.0.0.7', count: 300 },
    ]);
  });

  it('never hold up the right one', async () => {
    const { log, records } = listen();
    const service = await startService(createFakeFront(), { log });
    const wrong = modern('tools/list', {}, { headers: { authorization: 'Bearer a-wrong-token-canary' } });
    const refused = Array.from({ length: 60 }, () => send(service, wrong));
    let waiting = 60;
    for (const each of refused) void each.then(() => waiting--);
    await Promise.race(refused);
    expect((await send(service, modern('tools/list'))).status).toBe(200);
    expect(waiting).toBeGreaterThan(0);
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(refused.map(() => 401));
    expect(JSON.stringify(records)).not.toContain('canary');
    expect(records).toHaveLength(1);
  });
});
