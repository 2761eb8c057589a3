import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildCall, createSession } from '../fake-server.ts';
import { createWorld, type World } from './link-world.ts';

const idleMs = 60_000;
const createSleeper = () => createWorld({ server: { idleMs } });

async function fallAsleep(world: World): Promise<void> {
  await world.start();
  await world.clock.advance(idleMs);
  expect(world.link.status.state).toBe('sleeping');
}

describe('a server with idleMs', () => {
  it('is ended when nobody used it for so long, and its tools stay known', async () => {
    const world = createSleeper();
    await world.start();
    await world.clock.advance(idleMs - 1);
    expect(world.link.status.state).toBe('ready');
    await world.clock.advance(1);
    expect(world.states).toEqual(['configured', 'starting', 'ready', 'sleeping']);
    expect(world.server.last.stopped).toBe(true);
    expect(world.link.listing?.tools).toHaveLength(4);
    expect(world.link.status).toMatchObject({ era: 'legacy', info: { name: 'fake' } });
    await world.clock.advance(600_000);
    expect(world.server.processes).toHaveLength(1);
    expect(world.clock.pending).toBe(0);
  });

  it('is woken by a call', async () => {
    const world = createSleeper();
    await fallAsleep(world);
    const call = world.call(buildCall());
    await world.settle();
    world.server.last.answer();
    await world.settle();
    expect(call.outcome()).toHaveProperty('result');
    expect(world.states.slice(-3)).toEqual(['sleeping', 'starting', 'ready']);
  });

  it('may be woken as often as it likes: that is no restart', async () => {
    const world = createWorld({ server: { idleMs: 1_000 } });
    for (let wake = 0; wake < 20; wake++) {
      await world.start();
      await world.clock.advance(1_000);
    }
    expect(world.server.processes).toHaveLength(20);
    await world.start();
    world.server.last.exit();
    await world.clock.advance(500);
    expect(world.link.status.state).toBe('ready');
  });

  it.each<[string, (world: World) => () => void]>([
    [
      'a call is under way',
      (world) => {
        world.call(buildCall());
        return () => world.server.last.answer();
      },
    ],
    ['somebody holds it', (world) => world.link.hold()],
  ])('does not sleep while %s, and counts anew after it', async (_what, use) => {
    const world = createSleeper();
    await world.start();
    await world.clock.advance(30_000);
    const end = use(world);
    await world.clock.advance(10 * idleMs);
    expect(world.link.status.state).toBe('ready');
    end();
    await world.clock.advance(idleMs - 1);
    expect(world.link.status.state).toBe('ready');
    await world.clock.advance(1);
    expect(world.link.status.state).toBe('sleeping');
  });

  it('does not sleep when one of two calls has ended', async () => {
    const world = createSleeper();
    await world.start();
    world.call(buildCall());
    await world.settle();
    world.call(buildCall());
    await world.settle();
    world.server.last.answer();
    await world.clock.advance(10 * idleMs);
    expect(world.link.status.state).toBe('ready');
  });

  it('does not sleep while it asks its client something outside of a call', async () => {
    const asked: ((answer: { result: JsonObject }) => void)[] = [];
    const { session, ...client } = createSession('host');
    if (session === undefined) throw new Error('a session');
    const host = {
      ...client,
      session: { ...session, ask: () => new Promise<{ result: JsonObject }>((r) => asked.push(r)) },
    };
    const world = createWorld({ server: { idleMs }, audience: { sole: true, connected: [host] } });
    await world.start();
    world.server.last.say({ id: 'q', method: 'roots/list' });
    await world.clock.advance(10 * idleMs);
    expect(world.link.status.state).toBe('ready');
    asked[0]?.({ result: { roots: [] } });
    await world.clock.advance(idleMs);
    expect(world.link.status.state).toBe('sleeping');
  });

  it('reads its lists anew when it wakes, and announces what changed meanwhile', async () => {
    const world = createSleeper();
    await fallAsleep(world);
    world.server.tools = [...world.server.tools, { name: 'new', inputSchema: { type: 'object' } }];
    await world.start();
    expect(world.listings).toEqual([
      ['read', 'put', 'write', 'plain'],
      ['read', 'put', 'write', 'plain', 'new'],
    ]);
  });

  it('announces nothing when it wakes with the same lists', async () => {
    const world = createSleeper();
    await fallAsleep(world);
    await world.start();
    expect(world.listings).toHaveLength(1);
  });

  it('is not started twice at a time: a call waits for the end of the process that falls asleep', async () => {
    const world = createSleeper();
    await world.start();
    let end = () => {};
    world.server.stopDelay = new Promise<void>((resolve) => {
      end = resolve;
    });
    await world.clock.advance(idleMs);
    expect(world.link.status.state).toBe('sleeping');
    world.call(buildCall());
    await world.settle();
    expect(world.server.processes).toHaveLength(1);
    end();
    await world.settle();
    expect(world.server.processes).toHaveLength(2);
  });

  it('that was lost while it was idle is started again, and then sleeps', async () => {
    const world = createSleeper();
    await world.start();
    world.server.last.exit();
    await world.clock.advance(500);
    expect(world.link.status.state).toBe('ready');
    await world.clock.advance(idleMs);
    expect(world.link.status.state).toBe('sleeping');
  });

  it('is kept when it is eager', async () => {
    const world = createWorld({ server: { idleMs, start: 'eager' } });
    await world.start();
    await world.clock.advance(10 * idleMs);
    expect(world.link.status.state).toBe('ready');
  });

  it('leaves no timer behind when the link is closed', async () => {
    const world = createSleeper();
    await world.start();
    world.server.last.say({ method: 'notifications/tools/list_changed' });
    await world.link.close();
    expect(world.clock.pending).toBe(0);
  });

  it('lets the processes of single clients sleep too, each by itself', async () => {
    const world = createWorld({
      server: { idleMs, sharing: 'perSession' },
      audience: { sole: false, connected: [] },
    });
    const client = createSession('ann');
    const use = async () => {
      const call = world.call(buildCall({ client }));
      await world.settle();
      world.server.last.answer();
      await world.settle();
      expect(call.outcome()).toHaveProperty('result');
    };
    await use();
    expect(world.server.processes.map(({ stopped }) => stopped)).toEqual([false, false]);
    await world.clock.advance(idleMs);
    expect(world.server.processes.map(({ stopped }) => stopped)).toEqual([true, true]);
    await use();
    expect(world.server.processes.map(({ stopped }) => stopped)).toEqual([true, true, false, false]);
    world.call(buildCall({ client }));
    await world.settle();
    await world.link.close();
    await world.settle();
    expect(world.clock.pending).toBe(0);
  });
});

describe('a call that waits for a server to start', () => {
  const waiting = (wantsProgress: boolean) => {
    const world = createWorld();
    world.server.manner = 'mute';
    const told: JsonObject[] = [];
    const control = new AbortController();
    world.call(buildCall({ wantsProgress, signal: control.signal, notify: (_method, params) => told.push(params) }));
    return { world, told, control };
  };

  it('tells its client so after one second and then every two, with progress that grows below one', async () => {
    const { world, told } = waiting(true);
    await world.clock.advance(999);
    expect(told).toEqual([]);
    await world.clock.advance(6_001);
    const message = "Server 'files' is starting …";
    expect(told).toEqual([1, 2, 3, 4].map((times) => ({ progress: times * 1e-6, message })));
    await world.clock.advance(120_000);
    expect(told.length).toBeLessThan(40);
    expect(world.clock.pending).toBe(0);
  });

  it('tells nothing to a client that did not ask for progress', async () => {
    const { world, told } = waiting(false);
    await world.clock.advance(120_000);
    expect(told).toEqual([]);
  });

  it('tells nothing more once it was cancelled', async () => {
    const { world, told, control } = waiting(true);
    await world.clock.advance(1_000);
    control.abort();
    await world.clock.advance(20_000);
    expect(told).toHaveLength(1);
  });

  it('goes on with the progress of the server itself, as far as that is more', async () => {
    const world = createWorld({ server: { startTimeoutMs: 5_000 } });
    const told: JsonObject[] = [];
    world.server.manner = 'slow';
    world.call(buildCall({ wantsProgress: true, notify: (_method, params) => told.push(params) }));
    await world.clock.advance(1_500);
    expect(told).toHaveLength(1);
    expect(world.link.status.state).toBe('ready');
    const progressToken = world.server.last.calls[0]?.id ?? null;
    for (const progress of [0, 0.1, 0.5])
      world.server.last.say({ method: 'notifications/progress', params: { progressToken, progress } });
    expect(told.map(({ progress }) => progress)).toEqual([1e-6, 0.1, 0.5]);
  });

  it.each([
    ['wakes', 'sleeping'],
    ['is started again', 'failing'],
  ])('hears of it also when the server %s', async (_how, state) => {
    const world = createSleeper();
    await world.start();
    if (state === 'sleeping') await world.clock.advance(idleMs);
    else world.server.last.exit();
    await world.settle();
    expect(world.link.status.state).toBe(state);
    world.server.manner = 'slow';
    const told: JsonObject[] = [];
    world.call(buildCall({ wantsProgress: true, notify: (_method, params) => told.push(params) }));
    await world.clock.advance(1_500);
    expect(told).toHaveLength(1);
    expect(world.link.status.state).toBe('ready');
  });

  it('hears of it also when nothing was known of the server before', async () => {
    const world = createWorld();
    world.server.manner = 'slow';
    const told: JsonObject[] = [];
    world.call(buildCall({ wantsProgress: true, notify: (_method, params) => told.push(params) }));
    await world.clock.advance(1_500);
    expect(told).toHaveLength(1);
    expect(world.server.last.calls).toHaveLength(1);
  });
});
