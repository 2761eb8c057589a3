import { describe, expect, it } from 'vitest';
import { createListWatch } from '../../../src/front/lists/list-watch.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('the watch over a list', () => {
  const start = () => {
    const clock = createFakeClock();
    const state = { version: 'a', told: 0 };
    const watch = createListWatch(clock, new Map([['tools', () => ({ version: state.version })]]));
    return {
      clock,
      state,
      watch,
      listen: () =>
        watch.on(() => {
          state.told++;
        }),
    };
  };

  it('the watch over a list tells once about a burst of changes', async () => {
    const { clock, state, watch, listen } = start();
    listen();
    for (const version of ['b', 'c', 'd']) {
      state.version = version;
      watch.check();
    }
    await clock.advance(100);
    expect(state.told).toBe(1);
  });

  it('the watch over a list tells nothing when the list is the same again', async () => {
    const { clock, state, watch, listen } = start();
    listen();
    state.version = 'b';
    watch.check();
    state.version = 'a';
    await clock.advance(100);
    expect(state.told).toBe(0);
  });

  it('the watch over a list tells nothing about a list the client has been given meanwhile', async () => {
    const { clock, state, watch, listen } = start();
    listen();
    state.version = 'b';
    watch.check();
    watch.given('tools');
    await clock.advance(100);
    expect(state.told).toBe(0);
  });

  it('the watch over a list tells once about two lists that change together, and nothing about one that the client has not seen', async () => {
    const clock = createFakeClock();
    const versions = { a: '1', b: '1' };
    const watch = createListWatch(
      clock,
      new Map((['a', 'b'] as const).map((name) => [name, () => ({ version: versions[name] })] as const)),
    );
    let told = 0;
    watch.given('a');
    versions.b = '2';
    watch.check();
    await clock.advance(100);
    watch.on(() => told++);
    Object.assign(versions, { a: '3', b: '3' });
    watch.check();
    await clock.advance(100);
    expect(told).toBe(1);
  });

  it('the watch over a list waits for nothing any more once it is closed, also when a list is given to a client that has just left', () => {
    const { clock, watch } = start();
    watch.given('tools');
    watch.check();
    watch.close();
    expect(clock.pending).toBe(0);
    const left = start();
    left.watch.close();
    left.watch.given('tools');
    expect(left.clock.pending).toBe(0);
  });

  it('the watch over a list makes the version of a list that was given when nobody waits for it any more, and lets go of the list', async () => {
    const clock = createFakeClock();
    let made = 0;
    const list = {
      get version() {
        made++;
        return 'a';
      },
    };
    let current: { readonly version: string } = list;
    const watch = createListWatch(clock, new Map([['tools', () => current]]));
    watch.given('tools');
    expect(made).toBe(0);
    await clock.advance(100);
    expect(made).toBe(1);
    let told = 0;
    watch.on(() => told++);
    current = { version: 'b' };
    watch.check();
    await clock.advance(100);
    expect([made, told]).toEqual([1, 1]);
  });

  it('the watch over a list tells again about a later change, and nothing after the end', async () => {
    const { clock, state, watch, listen } = start();
    listen();
    for (const version of ['b', 'c']) {
      state.version = version;
      watch.check();
      await clock.advance(100);
    }
    expect(state.told).toBe(2);
    state.version = 'd';
    watch.check();
    watch.close();
    await clock.advance(100);
    expect(state.told).toBe(2);
  });
});
