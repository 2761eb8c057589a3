import { describe, expect, it } from 'vitest';
import { createRandom } from '../generator/random.ts';
import { createPlanner, pickSize } from './plan.ts';
import { badServers, healthyServers, soakServers } from './trouble/scenery.ts';

describe('the calls of the soak', () => {
  it('are the same again with the same seed', () => {
    const [one, other] = [createPlanner(createRandom(5)), createPlanner(createRandom(5))];
    for (let at = 0; at < 100; at++) expect(one()).toEqual(other());
  });

  it('reach every server, in every kind, each with a nonce of its own that names the server', () => {
    const next = createPlanner(createRandom(1));
    const plans = Array.from({ length: 5_000 }, next);
    const calls = plans.flatMap((plan) => (plan.kind === 'list' ? [] : [plan]));
    expect(new Set(plans.map(({ kind }) => kind))).toEqual(new Set(['list', 'call', 'progress', 'cancel', 'ask']));
    expect(new Set(calls.map(({ server }) => server.name)).size).toBe(20);
    expect(new Set(calls.map(({ nonce }) => nonce)).size).toBe(calls.length);
    expect(calls.filter(({ nonce, server }) => !nonce.startsWith(`${server.name}.`))).toEqual([]);
    expect(calls.filter(({ kind, server }) => kind !== 'call' && server.bad)).toEqual([]);
  });

  it('have three sizes, ninety, nine and one in a hundred', () => {
    const random = createRandom(1);
    const sizes = Array.from({ length: 20_000 }, () => pickSize(random));
    const share = (size: number) => Math.round((100 * sizes.filter((each) => each === size).length) / sizes.length);
    expect([1_000, 100_000, 2_000_000].map(share)).toEqual([90, 9, 1]);
  });
});

describe('the servers of the soak', () => {
  it('are twenty, fourteen of them on pipes, four of them bad, of both eras', () => {
    expect([soakServers.length, healthyServers.length, badServers.length]).toEqual([20, 16, 4]);
    expect(soakServers.filter(({ transport }) => transport === 'stdio').length).toBe(14);
    expect(new Set(soakServers.map(({ era, transport }) => `${era} ${transport}`)).size).toBe(4);
    expect(new Set(soakServers.map(({ name }) => name)).size).toBe(20);
  });
});
