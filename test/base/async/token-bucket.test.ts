import { describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../../src/base/async/token-bucket.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('a bucket', () => {
  const takeAll = (bucket: { take(): boolean }) => {
    let taken = 0;
    while (taken < 100 && bucket.take()) taken++;
    return taken;
  };

  it.each([
    { restMs: 0, again: 0 },
    { restMs: 99, again: 0 },
    { restMs: 100, again: 1 },
    { restMs: 500, again: 5 },
    { restMs: 60_000, again: 8 },
  ])('gives 8 at once, and $again more after $restMs ms at 10 a second', async ({ restMs, again }) => {
    const clock = createFakeClock();
    const bucket = createTokenBucket(clock, { burst: 8, perSecond: 10 });
    expect(takeAll(bucket)).toBe(8);
    await clock.advance(restMs);
    expect(takeAll(bucket)).toBe(again);
  });

  it('holds no more than a burst after a long rest', async () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket(clock, { burst: 8, perSecond: 10 });
    await clock.advance(60_000);
    expect([takeAll(bucket), takeAll(bucket)]).toEqual([8, 0]);
  });

  it('can be given more than a burst, up to what it holds, and time adds nothing to that', async () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket(clock, { burst: 8, perSecond: 10, most: 20 });
    bucket.give(3);
    await clock.advance(60_000);
    expect(takeAll(bucket)).toBe(11);
    for (let n = 0; n < 10; n++) bucket.give(7);
    expect(takeAll(bucket)).toBe(20);
    await clock.advance(60_000);
    expect(takeAll(bucket)).toBe(8);
  });

  it('says how long to wait for the next', async () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket(clock, { burst: 1, perSecond: 200 });
    expect(bucket.waitMs).toBe(0);
    bucket.take();
    expect(bucket.waitMs).toBe(5);
    await clock.advance(5);
    expect([bucket.waitMs, bucket.take()]).toEqual([0, true]);
  });

  it('neither gives nor takes when the clock is set back', () => {
    let now = 1_000;
    const bucket = createTokenBucket({ now: () => now, after: () => () => {} }, { burst: 2, perSecond: 10 });
    bucket.take();
    now = 0;
    expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  });
});
