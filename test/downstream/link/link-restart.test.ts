import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { emptyListing } from '../../../src/catalog/listing.ts';
import { toRestartDelay } from '../../../src/downstream/link/restart-pace.ts';
import { buildCall } from '../fake-server.ts';
import { createWorld, type World } from './link-world.ts';

/** Every process is lost as soon as it is ready. */
function loseAlways({ link, server }: World): void {
  link.onStatus(() => {
    if (link.status.state === 'ready') queueMicrotask(() => server.last.exit());
  });
}

/** Deterministic numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('the states of a server', () => {
  it('go from configured over starting to ready, and through failing back when it was lost', async () => {
    const world = createWorld();
    expect(await world.start()).toBe('ready');
    world.server.last.exit();
    await world.settle();
    expect(world.link.status).toMatchObject({ state: 'failing', failure: { code: 'WB1025' }, retryAt: 500 });
    await world.clock.advance(500);
    expect(world.states).toEqual(['configured', 'starting', 'ready', 'failing', 'starting', 'ready']);
  });

  it('begin with known when it was heard in an earlier run, and its listing is there without a start', async () => {
    const listing = { ...emptyListing, tools: [{ name: 'old', shown: 'old', definition: { name: 'old' } }] };
    const world = createWorld({ known: { listing, hints: new Map(), about: {}, heardAt: 0 } });
    expect(world.link.status.state).toBe('known');
    expect(world.link.listing).toBe(listing);
    await world.start();
    expect(world.states).toEqual(['known', 'starting', 'ready']);
    expect(world.listings).toEqual([['read', 'put', 'write', 'plain']]);
  });

  it('stay at disabled, and nothing is ever started', async () => {
    const world = createWorld({ server: { disabled: true } });
    expect(await world.start()).toMatchObject({ code: 'WB1016' });
    expect(world.states).toEqual(['disabled']);
    expect(world.server.processes).toHaveLength(0);
  });

  it('end with needs-sign-in when a sign-in is what is missing', async () => {
    const world = createWorld();
    world.server.manner = new WorkbenchError('WB1201', 'wants a sign-in');
    expect(await world.start()).toMatchObject({ code: 'WB1201' });
    expect(world.states).toEqual(['configured', 'starting', 'needs-sign-in']);
    expect(world.link.status.failure).toMatchObject({ code: 'WB1201' });
  });

  it('ignore what an earlier process does late', async () => {
    const world = createWorld();
    await world.start();
    const first = world.server.last;
    first.fade();
    await world.start();
    expect(world.link.status.state).toBe('ready');
    first.exit();
    await world.clock.advance(100);
    expect(world.states).toEqual(['configured', 'starting', 'ready', 'starting', 'ready']);
    expect(world.server.processes).toHaveLength(2);
  });
});

describe('a server that was lost', () => {
  it.each([
    [0, 0, 500],
    [0, 0.999, 251],
    [1, 0, 1_000],
    [1, 0.5, 750],
    [4, 0, 8_000],
    [6, 0, 30_000],
    [50, 0.999, 15_015],
  ])('waits, after %i restarts and with the random number %d, %i ms', (earlier, random, delay) => {
    expect(toRestartDelay(earlier, random)).toBe(delay);
  });

  it('is started again with growing pauses until it is down, and then only when somebody wants it', async () => {
    const world = createWorld();
    loseAlways(world);
    await world.start();
    await world.clock.advance(600_000);
    expect(world.startTimes()).toEqual([0, 500, 1_500, 3_500, 7_500]);
    expect(world.link.status.state).toBe('down');
    expect(world.clock.pending).toBe(0);
  });

  it.each([1, 2, 3])('is started earlier by a random part, the same for the same seed (%i)', async (seed) => {
    const times = async () => {
      const world = createWorld({ random: seeded(seed) });
      loseAlways(world);
      await world.start();
      await world.clock.advance(60_000);
      return world.startTimes();
    };
    const first = await times();
    const pauses = first.slice(1).map((time, at) => time - (first[at] ?? 0));
    expect(await times()).toEqual(first);
    expect(first).not.toEqual([0, 500, 1_500, 3_500, 7_500]);
    expect(pauses.map((pause, at) => pause > 250 * 2 ** at && pause <= 500 * 2 ** at)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('begins with the shortest pause again after a minute of health', async () => {
    const world = createWorld();
    await world.start();
    for (const _ of [1, 2, 3]) {
      world.server.last.exit();
      await world.clock.advance(2_000);
    }
    await world.clock.advance(60_000);
    const lostAt = world.clock.now();
    world.server.last.exit();
    await world.clock.advance(5_000);
    expect(world.startTimes().at(-1)).toBe(lostAt + 500);
  });

  it('is started at once by a call, and not a second time by the timer', async () => {
    const world = createWorld();
    await world.start();
    world.server.last.exit();
    await world.clock.advance(100);
    const call = world.call(buildCall());
    await world.settle();
    world.server.last.answer();
    await world.settle();
    await world.clock.advance(10 * 60_000);
    expect(world.clock.pending).toBe(0);
    expect(call.outcome()).toHaveProperty('result');
    expect(world.startTimes()).toEqual([0, 100]);
  });

  it('goes on being started when the start for a call failed', async () => {
    const world = createWorld();
    await world.start();
    world.server.last.exit();
    world.server.manner = 'die';
    const call = world.call(buildCall());
    await world.clock.advance(10);
    expect(call.outcome()).toMatchObject({ code: 'WB1004' });
    world.server.manner = 'serve';
    await world.clock.advance(2_000);
    expect(world.link.status.state).toBe('ready');
  });

  it('is not started again when it turns out to need a sign-in', async () => {
    const world = createWorld();
    await world.start();
    world.server.manner = new WorkbenchError('WB1201', 'wants a sign-in');
    world.server.last.exit();
    await world.clock.advance(600_000);
    expect(world.server.processes).toHaveLength(2);
    expect(world.link.status.state).toBe('needs-sign-in');
    expect(world.clock.pending).toBe(0);
  });

  it('is not started again once the link is closed, and no timer is left', async () => {
    const world = createWorld();
    await world.start();
    world.server.last.exit();
    await world.settle();
    expect(world.clock.pending).toBe(1);
    await world.link.close();
    expect(world.clock.pending).toBe(0);
    await world.clock.advance(600_000);
    expect(world.server.processes).toHaveLength(1);
    expect(await world.start()).toMatchObject({ code: 'WB1010', message: 'The Workbench is shutting down.' });
  });
});

describe('a server that does not start', () => {
  it('is not tried again in the background, but by the next call', async () => {
    const world = createWorld();
    world.server.manner = 'mute';
    const start = world.start();
    await world.clock.advance(70_000);
    expect(await start).toMatchObject({ code: 'WB1005' });
    await world.clock.advance(600_000);
    expect(world.server.processes).toHaveLength(1);
    world.server.manner = 'serve';
    expect(await world.start()).toBe('ready');
  });

  it.each(['WB1001', 'WB1002', 'WB1201'] as const)(
    'for a reason that no waiting heals (%s) is tried by calls once a second at most, and never counts as down',
    async (code) => {
      const world = createWorld();
      world.server.manner = new WorkbenchError(code, 'no');
      const calls = [];
      for (let tenth = 0; tenth < 100; tenth++) {
        calls.push(world.call(buildCall()));
        await world.clock.advance(100);
      }
      await world.clock.advance(1_000);
      expect(calls.map(({ outcome }) => outcome())).toEqual(calls.map(() => expect.objectContaining({ code })));
      const times = world.startTimes();
      expect(times.length).toBeGreaterThan(5);
      expect(times.every((time, at) => at === 0 || time - (times[at - 1] ?? 0) >= 1_000)).toBe(true);
      world.server.manner = 'serve';
      await world.clock.advance(1_000);
      expect(await world.start()).toBe('ready');
    },
  );
});

describe('an eager server', () => {
  it.each([1, 2, 3, 4, 5])('is kept running, by at most five starts in any minute (seed %i)', async (seed) => {
    const world = createWorld({ server: { start: 'eager' }, random: seeded(seed) });
    loseAlways(world);
    await world.start();
    await world.clock.advance(1_800_000);
    const times = world.startTimes();
    expect(times.length).toBeGreaterThan(8);
    expect(times.filter((time, at) => time - (times[at - 5] ?? Number.NEGATIVE_INFINITY) < 60_000)).toEqual([]);
    await world.link.close();
    expect(world.clock.pending).toBe(0);
  });

  it('that does not start is tried again by itself', async () => {
    const world = createWorld({ server: { start: 'eager' } });
    world.server.manner = 'die';
    world.call(buildCall());
    await world.clock.advance(100);
    expect(world.link.status.state).toBe('failing');
    world.server.manner = 'serve';
    await world.clock.advance(1_000);
    expect(world.link.status.state).toBe('ready');
  });
});
