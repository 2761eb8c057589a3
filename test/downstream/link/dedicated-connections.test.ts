import { describe, expect, it } from 'vitest';
import { createEmitter } from '../../../src/base/async/emitter.ts';
import type { Call, Client } from '../../../src/base/call/call.ts';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import type { Connected } from '../../../src/downstream/connection/attempt.ts';
import type { ClientLane } from '../../../src/downstream/link/connect-dedicated.ts';
import { createDedicatedConnections } from '../../../src/downstream/link/dedicated-connections.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { buildCall } from '../fake-server.ts';

function setUp(most = 3) {
  const clock = createFakeClock();
  const opened: { client: Client; calls: string[]; stopped: boolean; lose(): void; fail: boolean }[] = [];
  let failNext = false;
  const lanes = createDedicatedConnections({
    server: 'asking',
    clock,
    most,
    idleMs: 1_000,
    onOwnListingChanged() {},
    connect(client, { onLost }): ClientLane {
      const own = { client, calls: [] as string[], stopped: false, lose: onLost, fail: failNext };
      opened.push(own);
      const number = opened.length;
      const connection = {
        async call({ params }: Call) {
          own.calls.push(String(params.name));
          await new Promise((resolve) => setImmediate(resolve));
          return { result: RawJson.of({ by: number }) };
        },
      };
      return {
        connected: failNext
          ? Promise.reject(new WorkbenchError('WB1004', 'no start'))
          : Promise.resolve({ connection, carrier: {} } as unknown as Connected),
        async stop() {
          own.stopped = true;
        },
        declared: {},
        stderrTail: () => [],
        listing: undefined,
        ready: () => undefined,
      };
    },
  });
  return {
    lanes,
    clock,
    opened,
    failNext(value: boolean) {
      failNext = value;
    },
  };
}

function lastingClient(name: string): Client & { close(): void } {
  const closed = createEmitter<void>();
  return {
    name,
    principal: '',
    session: {
      capabilities: { roots: {} },
      ask: async () => ({ result: {} }),
      tell() {},
      onRootsChanged: () => () => {},
      onClose: (listener) => closed.on(listener),
    },
    close: () => closed.emit(),
  };
}

function callOf(client: Client, given: Partial<Call> = {}): Call {
  return { ...buildCall({ params: { name: client.name }, client, ask: async () => ({ result: {} }) }), ...given };
}

const byOf = async (promise: ReturnType<ReturnType<typeof createDedicatedConnections>['call']>) => {
  const outcome = await promise;
  return 'result' in outcome ? outcome.result.value.by : outcome;
};

describe('connections that are not shared', () => {
  it('gives every client one of its own until it goes', async () => {
    const { lanes, opened } = setUp();
    const [a, b] = [lastingClient('a'), lastingClient('b')];
    const first = await Promise.all([a, b, a].map((client) => byOf(lanes.call('own', callOf(client)))));
    expect(first).toEqual([1, 2, 1]);
    expect(opened.map(({ client }) => client)).toEqual([a, b]);
    a.close();
    expect(opened.map(({ stopped }) => stopped)).toEqual([true, false]);
    expect(await byOf(lanes.call('own', callOf(b)))).toBe(2);
  });

  it('gives one to all calls of a client without a session, however many at once, and keeps it for a while', async () => {
    const { lanes, opened, clock } = setUp();
    const calls = Array.from({ length: 20 }, () => lanes.call('own', callOf({ name: 'x', principal: 'anna' })));
    expect(new Set(await Promise.all(calls.map(byOf)))).toEqual(new Set([1]));
    await clock.advance(999);
    expect(await byOf(lanes.call('own', callOf({ name: 'x', principal: 'anna' })))).toBe(1);
    expect(await byOf(lanes.call('own', callOf({ name: 'x', principal: 'ben' })))).toBe(2);
    await clock.advance(1_000);
    expect(opened.map(({ stopped }) => stopped)).toEqual([true, true]);
  });

  it('does not end one while a call is on it', async () => {
    const { lanes, opened, clock } = setUp();
    const client: Client = { name: 'x', principal: '' };
    await lanes.call('own', callOf(client));
    const running = lanes.call('own', callOf(client));
    await clock.advance(1_000);
    expect(opened[0]?.stopped).toBe(false);
    await running;
  });

  it('gives another one to the same client when it can do something else', async () => {
    const { lanes } = setUp();
    const client: Client = { name: 'x', principal: 'anna' };
    expect(await byOf(lanes.call('own', callOf({ ...client, capabilities: { sampling: {} } })))).toBe(1);
    expect(await byOf(lanes.call('own', callOf({ ...client, capabilities: {} })))).toBe(2);
  });

  it('ends one that was made for a single call with that call', async () => {
    const { lanes, opened } = setUp();
    const client = lastingClient('a');
    expect(await byOf(lanes.call('call', callOf(client)))).toBe(1);
    expect(await byOf(lanes.call('call', callOf(client)))).toBe(2);
    expect(opened.map(({ stopped }) => stopped)).toEqual([true, true]);
  });

  it('refuses what is over the limit, and ends one that nobody uses to make room', async () => {
    const { lanes, opened } = setUp(2);
    await lanes.call('own', callOf({ name: 'x', principal: 'idle' }));
    await lanes.call('own', callOf(lastingClient('a')));
    await lanes.call('own', callOf(lastingClient('b')));
    expect(opened.map(({ stopped }) => stopped)).toEqual([true, false, false]);
    await expect(lanes.call('own', callOf(lastingClient('c')))).rejects.toMatchObject({ code: 'WB1017' });
  });

  it('makes another one after one was lost or did not start', async () => {
    const { lanes, opened, failNext } = setUp();
    const client = lastingClient('a');
    failNext(true);
    await expect(lanes.call('own', callOf(client))).rejects.toMatchObject({ code: 'WB1004' });
    failNext(false);
    expect(await byOf(lanes.call('own', callOf(client)))).toBe(2);
    opened[1]?.lose();
    expect(await byOf(lanes.call('own', callOf(client)))).toBe(3);
    client.close();
    expect(opened[2]?.stopped).toBe(true);
  });

  it('ends all when it is closed', async () => {
    const { lanes, opened } = setUp();
    await lanes.call('own', callOf(lastingClient('a')));
    await lanes.call('own', callOf({ name: 'x', principal: '' }));
    await lanes.close();
    expect(opened.map(({ stopped }) => stopped)).toEqual([true, true]);
  });
});
