import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { isMadeAgain, isRepeatable } from '../../../src/downstream/link/replay.ts';
import { buildAskedCall, buildCall } from '../fake-server.ts';
import { createWorld } from './link-world.ts';

const toolCall = (name: string) => ({ method: 'tools/call', params: { name } });
const table: [string, { method: string; params: JsonObject }, boolean][] = [
  ['a tool that only reads', toolCall('read'), true],
  ['a tool that may be called twice', toolCall('put'), true],
  ['a tool that says it writes', toolCall('write'), false],
  ['a tool that says nothing', toolCall('plain'), false],
  ['a tool that is not listed', toolCall('unheard-of'), false],
  ['a tool with the name of a built-in', toolCall('__proto__'), false],
  ['a prompt', { method: 'prompts/get', params: { name: 'write' } }, true],
  ['a resource', { method: 'resources/read', params: { uri: 'a:b' } }, true],
  ['a completion', { method: 'completion/complete', params: {} }, true],
  ['anything else', { method: 'tasks/cancel', params: { name: 'read' } }, false],
];

describe('a call whose server was lost', () => {
  it.each(table)('for %s is made again only if that cannot do harm', async (_what, parts, repeated) => {
    const world = createWorld();
    await world.start();
    const call = world.call(buildCall(parts));
    await world.settle();
    expect(world.server.last.calls).toMatchObject([parts]);
    world.server.last.exit();
    await world.settle();
    if (!repeated) {
      expect(call.outcome()).toMatchObject({ code: 'WB1010', message: expect.stringContaining('is unknown') });
      expect(world.server.processes).toHaveLength(1);
      return;
    }
    expect(call.outcome()).toBeUndefined();
    expect(world.server.processes).toHaveLength(2);
    expect(world.server.last.calls).toMatchObject([parts]);
    world.server.last.answer();
    await world.settle();
    expect(call.outcome()).toHaveProperty('result');
  });

  it('is made again once, not twice', async () => {
    const world = createWorld();
    const call = world.call(buildCall(toolCall('read')));
    for (let process = 0; process < 2; process++) {
      await world.settle();
      world.server.last.exit();
    }
    await world.settle();
    expect(call.outcome()).toMatchObject({ code: 'WB1010' });
    expect(world.server.processes.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  it('is not made again when it was cancelled meanwhile', async () => {
    const world = createWorld();
    const control = new AbortController();
    world.call(buildCall({ ...toolCall('read'), signal: control.signal }));
    await world.settle();
    control.abort();
    world.server.last.exit();
    await world.settle();
    expect(world.server.processes).toHaveLength(1);
  });

  it('is not made again when something had been asked for it', async () => {
    const world = createWorld();
    const { call, asked } = buildAskedCall(toolCall('read'));
    const running = world.call(call);
    await world.settle();
    world.server.last.say({ id: 'q', method: 'elicitation/create', params: { message: 'Sure?' } });
    await world.settle();
    expect(asked).toHaveLength(1);
    world.server.last.exit();
    await world.settle();
    expect(running.outcome()).toMatchObject({ code: 'WB1010' });
    expect(world.server.processes).toHaveLength(1);
  });

  it('is not made again when the link was closed', async () => {
    const world = createWorld();
    const call = world.call(buildCall(toolCall('read')));
    await world.settle();
    await world.link.close();
    await world.settle();
    expect(call.outcome()).toMatchObject({ code: 'WB1010', message: expect.stringContaining("'files'") });
    expect(world.server.processes).toHaveLength(1);
  });

  it('tells why the server could not be started again for it', async () => {
    const world = createWorld();
    const call = world.call(buildCall(toolCall('read')));
    await world.settle();
    world.server.manner = 'die';
    world.server.last.exit();
    await world.clock.advance(10);
    expect(call.outcome()).toMatchObject({ code: 'WB1004' });
  });

  it('never goes back in its progress', async () => {
    const world = createWorld();
    const told: unknown[] = [];
    const notify = (_method: string, params: JsonObject) => told.push(params.progress);
    world.call(buildCall({ ...toolCall('read'), wantsProgress: true, notify }));
    await world.settle();
    const progress = (value: number) => {
      const progressToken = world.server.last.calls[0]?.id ?? null;
      world.server.last.say({ method: 'notifications/progress', params: { progressToken, progress: value } });
    };
    progress(1);
    progress(2);
    world.server.last.exit();
    await world.settle();
    for (const value of [1, 2, 3]) progress(value);
    expect(told).toEqual([1, 2, 3]);
  });
});

it('a call that was cancelled is not made again, in whatever way it ended', () => {
  const lost = new WorkbenchError('WB1010', 'lost');
  const read = { method: 'resources/read', params: { uri: 'a:b' } };
  const isMade = (signal: AbortSignal) =>
    isMadeAgain(lost, { call: buildCall({ ...read, signal }), asked: false, listing: undefined });
  expect(isMade(new AbortController().signal)).toBe(true);
  expect(isMade(AbortSignal.abort())).toBe(false);
});

it('a call that was never sent because its server was lost on the way up is not made again', async () => {
  const world = createWorld();
  const lost = new WorkbenchError('WB1010', 'lost');
  world.server.manner = lost;
  const call = world.call(buildCall({ method: 'resources/read', params: { uri: 'a:b' } }));
  await world.settle();
  expect(call.outcome()).toMatchObject({ code: 'WB1010', message: 'lost' });
  expect(world.startTimes()).toHaveLength(1);
});

it('a call to a server that was never heard is not taken for repeatable', () => {
  expect(isRepeatable(toolCall('read'), undefined)).toBe(false);
});
