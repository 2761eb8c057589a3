import { describe, expect, it } from 'vitest';
import { createFairShare } from '../../../src/base/async/fair-share.ts';
import { createByteBudget } from '../../../src/base/rpc/byte-budget.ts';
import { HeldBytes } from '../../../src/base/rpc/held-bytes.ts';

describe('what all have sent by halves', () => {
  const open = () => {
    const budget = createByteBudget(100);
    const lost: string[] = [];
    return { budget, lost, hold: (owner: string, name: string) => budget.hold(owner, () => lost.push(name)) };
  };

  it('over the bound costs the largest owner the part on which nothing has come for the longest time', () => {
    const { hold, lost } = open();
    const [first, second, other] = [hold('a', 'first'), hold('a', 'second'), hold('b', 'other')];
    first.grow(30);
    second.grow(30);
    first.grow(10);
    other.grow(31);
    expect(lost).toEqual(['second']);
    other.grow(10);
    expect(lost).toEqual(['second']);
  });

  it('never costs what has come whole, and counts it until it is closed', () => {
    const { hold, lost } = open();
    const [whole, half] = [hold('a', 'whole'), hold('b', 'half')];
    whole.grow(90);
    whole.complete();
    half.grow(20);
    expect(lost).toEqual(['half']);
    whole.close();
    const later = hold('b', 'later');
    later.grow(100);
    expect(lost).toEqual(['half']);
  });

  it('has room for some parts of the largest size', () => {
    const { budget, hold, lost } = open();
    budget.makeRoom(100);
    for (const name of ['a', 'b', 'c']) hold(name, name).grow(100);
    expect(lost).toEqual([]);
  });
});

describe('bytes that come in pieces', () => {
  it.each([1, 7, 5_000])('are the same text however they are cut: %i at once', (size) => {
    const bytes = Buffer.from('é→𝄞'.repeat(3_000));
    const held = new HeldBytes();
    for (let at = 0; at < bytes.length; at += size) held.add(bytes.subarray(at, at + size));
    expect([held.bytes, held.text()]).toEqual([bytes.length, bytes.toString()]);
    expect([held.head(9), held.tail(9)]).toEqual(['é→𝄞', 'é→𝄞']);
  });

  it('cost no more than their size when they come one by one', () => {
    const held = new HeldBytes();
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 1_000_000; count++) held.add(Buffer.from([120]));
    expect(held.text()).toHaveLength(1_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('shares', () => {
  const takeAll = (shares: ReturnType<typeof createFairShare>, owner: string) => {
    let count = 0;
    while (shares.take(owner)) count++;
    return count;
  };

  it('leave something for others, however much one owner takes', () => {
    const shares = createFairShare(512);
    expect([takeAll(shares, 'a'), takeAll(shares, 'b'), takeAll(shares, 'c')]).toEqual([448, 56, 7]);
    shares.give('a', 100);
    expect(takeAll(shares, 'd')).toBeGreaterThan(80);
  });

  it.each([1, 2, 7])('are all for one owner where there are only %i', (most) => {
    expect(takeAll(createFairShare(most), 'a')).toBe(most);
  });

  it('come back', () => {
    const shares = createFairShare(2);
    expect([shares.take('a', 2), shares.take('b')]).toEqual([true, false]);
    shares.give('a', 2);
    expect([shares.take('b', 3), shares.take('b', 2)]).toEqual([false, true]);
  });
});
