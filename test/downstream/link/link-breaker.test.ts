import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { createBreaker } from '../../../src/downstream/link/breaker.ts';
import { toDownError } from '../../../src/downstream/link/link-status.ts';
import { describeFailure } from '../../../src/front/calls/tool-result.ts';
import { buildCall } from '../fake-server.ts';
import { createWorld, type World } from './link-world.ts';

/** Lets five starts fail, one call after the other. */
async function breakDown(world: World): Promise<void> {
  world.server.manner = new WorkbenchError('WB1007', "Server 'files' refused the handshake");
  for (let start = 0; start < 5; start++) expect(await world.start()).toMatchObject({ code: 'WB1007' });
}

describe('a server that fails five times in a row', () => {
  it('is down, and calls are answered at once with its name, the cause and the time of the next try', async () => {
    const world = createWorld();
    await breakDown(world);
    expect(world.link.status).toMatchObject({ state: 'down', retryAt: 30_000, failure: { code: 'WB1007' } });
    await world.clock.advance(3_500);
    const call = world.call(buildCall());
    await world.settle();
    expect(call.outcome()).toMatchObject({
      code: 'WB1018',
      message:
        "Server 'files' is down after repeated failures. It is tried again in 27 s at the earliest. Last failure: Server 'files' refused the handshake",
    });
    expect(world.server.processes).toHaveLength(5);
    expect(world.clock.pending).toBe(0);
  });

  it('is down as well when it was lost five times soon after its start', async () => {
    const world = createWorld();
    for (let start = 0; start < 5; start++) {
      await world.start();
      world.server.last.exit();
      await world.settle();
    }
    expect(world.states.slice(-2)).toEqual(['ready', 'down']);
    expect(await world.start()).toMatchObject({ code: 'WB1018' });
  });

  it('is tried by one call after 30 s, while all others are answered at once, and serves all when that succeeds', async () => {
    const world = createWorld();
    await breakDown(world);
    await world.clock.advance(29_999);
    expect(await world.start()).toMatchObject({ code: 'WB1018' });
    world.server.manner = 'mute';
    await world.clock.advance(1);
    const probe = world.call(buildCall());
    const other = world.call(buildCall());
    await world.settle();
    expect(world.server.processes).toHaveLength(6);
    expect(world.link.status.state).toBe('starting');
    expect(probe.outcome()).toBeUndefined();
    expect(other.outcome()).toMatchObject({
      code: 'WB1018',
      message: expect.stringContaining('It is being tried again right now. Last failure: '),
    });
  });

  it('serves all again when the one try succeeds', async () => {
    const world = createWorld();
    await breakDown(world);
    world.server.manner = 'serve';
    await world.clock.advance(30_000);
    const calls = [world.call(buildCall())];
    await world.settle();
    calls.push(world.call(buildCall()));
    await world.settle();
    expect(world.link.status.state).toBe('ready');
    expect(world.server.last.calls).toHaveLength(2);
  });

  it('is left alone twice as long after every try that failed, up to five minutes', async () => {
    const world = createWorld();
    await breakDown(world);
    const pauses: number[] = [];
    for (let probe = 0; probe < 6; probe++) {
      pauses.push((world.link.status.retryAt ?? 0) - world.clock.now());
      await world.clock.advance(pauses.at(-1) ?? 0);
      expect(await world.start()).toMatchObject({ code: 'WB1007' });
    }
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it.each([
    ['59 s, is down again at once', 59_000, 'down'],
    ['a minute, is forgiven', 60_000, 'failing'],
  ])('and came back, when it is lost after %s', async (_case, healthMs, state) => {
    const world = createWorld();
    await breakDown(world);
    world.server.manner = 'serve';
    await world.clock.advance(30_000);
    await world.start();
    await world.clock.advance(healthMs);
    world.server.last.exit();
    await world.settle();
    expect(world.link.status.state).toBe(state);
    if (state === 'down') return;
    await world.clock.advance(500);
    world.server.last.exit();
    await world.settle();
    expect(world.link.status.state).toBe('failing');
  });

  it('counts health before and after a sleep together', async () => {
    const world = createWorld({ server: { idleMs: 40_000 } });
    await breakDown(world);
    world.server.manner = 'serve';
    await world.clock.advance(30_000);
    await world.start();
    await world.clock.advance(40_000);
    expect(world.link.status.state).toBe('sleeping');
    await world.start();
    await world.clock.advance(20_000);
    world.server.last.exit();
    await world.settle();
    expect(world.link.status.state).toBe('failing');
  });

  it('is not down but needs a sign-in when the try shows that', async () => {
    const world = createWorld();
    await breakDown(world);
    world.server.manner = new WorkbenchError('WB1201', 'wants a sign-in');
    await world.clock.advance(30_000);
    expect(await world.start()).toMatchObject({ code: 'WB1201' });
    expect(world.link.status.state).toBe('needs-sign-in');
    world.server.manner = 'serve';
    const call = world.call(buildCall());
    await world.clock.advance(1_000);
    world.server.last.answer();
    await world.settle();
    expect(call.outcome()).toHaveProperty('result');
  });
});

describe('the breaker', () => {
  it('stays closed as long as a success of a closed one does not hide the failures before it', () => {
    const breaker = createBreaker();
    for (let failure = 1; failure < 5; failure++) {
      breaker.failed(failure);
      breaker.began();
      breaker.succeeded();
      expect(breaker.openUntil).toBeUndefined();
    }
    breaker.failed(5);
    expect(breaker.openUntil).toBe(30_005);
    expect(breaker.probing).toBe(false);
  });
});

describe('what is said of a server that is down', () => {
  it('stays within 500 characters whatever the cause and the names are', () => {
    const name = 'n'.repeat(60);
    const error = toDownError(name, { waitMs: 300_000, cause: 'c'.repeat(5_000) });
    const text = describeFailure(error, { toolbox: 'toolbox', server: name });
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toContain(name);
    expect(text).toContain('in 300 s');
    expect(text).toContain('[WB1018]');
  });
});
