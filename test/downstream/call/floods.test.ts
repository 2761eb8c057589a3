import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildCall, createSession, startFake as startAny } from '../fake-server.ts';

const burst = 1_000;
const perSecond = 200;
const message = (n: number) => ({ level: 'info', data: n });
const kinds = [
  ['log messages', 'notifications/message', message],
  ['changes of resources', 'notifications/resources/updated', (n: number) => ({ uri: `file:///${n}` })],
] as const;

describe('a server that floods', () => {
  /** With one client, who wants to hear everything. */
  const startFake = () => {
    const ann = createSession('ann', 'debug');
    return { ...startAny({ company: { connected: () => [ann] } }), logged: ann.told };
  };
  type Fake = ReturnType<typeof startFake>;
  const heardBy = ({ logged, updated }: Fake) => logged.length + updated.length;
  const flood = ({ say }: Fake, method: string, toParams: (n: number) => JsonObject, count: number) => {
    for (let n = 1; n <= count; n++) say(method, toParams(n));
  };

  it.each(kinds)('with %s is heard to 1,000 at once, then to 200 a second', async (_, method, toParams) => {
    const fake = startFake();
    flood(fake, method, toParams, 5_000);
    expect(heardBy(fake)).toBe(burst);
    await fake.clock.advance(1_000);
    flood(fake, method, toParams, 5_000);
    expect(heardBy(fake)).toBe(burst + perSecond);
  });

  it.each(kinds)('with %s gets one note with the count, at most once a minute', async (kind, method, toParams) => {
    const fake = startFake();
    flood(fake, method, toParams, burst);
    await fake.clock.advance(120_000);
    expect(fake.leftOut).toEqual([]);
    flood(fake, method, toParams, burst + 500);
    flood(fake, 'notifications/odd', () => ({}), burst + 7);
    await fake.clock.advance(1_000);
    const first = `sent more than 200 notifications of one kind a second; 507 were left out so far (${kind} 500, others 7)`;
    expect(fake.leftOut).toEqual([first]);
    for (let second = 1; second < 59; second++) {
      flood(fake, method, toParams, burst + perSecond);
      await fake.clock.advance(1_000);
    }
    expect(fake.leftOut).toEqual([first]);
    await fake.clock.advance(60_000);
    expect(fake.leftOut).toHaveLength(2);
    await fake.clock.advance(600_000);
    expect(fake.leftOut).toHaveLength(2);
  });

  it('and ends has what was left out told at its end, and no timer stays', () => {
    const fake = startFake();
    flood(fake, 'notifications/message', message, burst + 3);
    fake.peer.fail(new Error('gone'));
    expect(fake.leftOut).toHaveLength(1);
    expect(fake.leftOut[0]).toContain('3 were left out');
    expect(fake.clock.pending).toBe(0);
  });

  it('with one kind loses nothing of another, and no answer', async () => {
    const fake = startFake();
    const answered = fake.connection.call(buildCall());
    await fake.settle();
    flood(fake, 'notifications/odd', () => ({}), 5_000);
    flood(fake, 'notifications/message', message, 5_000);
    fake.say('notifications/resources/updated', { uri: 'file:///a' });
    fake.answer(fake.requests().at(-1)?.id, { content: [] });
    expect(await answered).toMatchObject({ result: expect.anything() });
    expect(fake.updated).toEqual(['file:///a']);
  });

  it('is heard 100 messages more with every call, so that honest calls lose none however many they are', async () => {
    const fake = startFake();
    for (let call = 1; call <= 200; call++) {
      void fake.connection.call(buildCall());
      await fake.settle();
      flood(fake, 'notifications/message', message, 90);
    }
    await fake.clock.advance(1_000);
    expect([fake.leftOut, fake.connection.refuses('notifications/message')]).toEqual([[], false]);
  });

  it('is not heard for ever what calls that said nothing have left', async () => {
    const fake = startFake();
    for (let call = 1; call <= 1_000; call++) void fake.connection.call(buildCall());
    await fake.settle();
    flood(fake, 'notifications/odd', () => ({}), 60_000);
    await fake.clock.advance(1_000);
    expect(fake.leftOut).toEqual([expect.stringContaining('(others 10000)')]);
  });

  it.each(['notifications/message', 'notifications/odd'])(
    'with %s has it left out before it is parsed',
    async (method) => {
      const fake = startFake();
      flood(fake, method, message, burst);
      const broken = `{"jsonrpc":"2.0","method":"${method}","params":{`;
      fake.peer.receive(broken);
      expect(fake.noise).toEqual([]);
      await fake.clock.advance(1_000);
      expect(fake.leftOut).toHaveLength(1);
      fake.peer.receive(broken);
      expect(fake.noise).toEqual([broken]);
    },
  );

  const startCall = async (fake: Fake, signal = new AbortController().signal) => {
    const events: unknown[] = [];
    const notify = (_: string, params: JsonObject) => events.push(params.progress);
    const ended = fake.connection.call(buildCall({ wantsProgress: true, notify, signal })).then(
      () => events.push('answer'),
      () => events.push('failure'),
    );
    await fake.settle();
    const id = fake.requests().at(-1)?.id;
    const tell = (from: number, to: number) => {
      for (let progress = from; progress <= to; progress++)
        fake.say('notifications/progress', { progressToken: id as number, progress });
    };
    return { events, ended, tell, id };
  };

  it('with progress has its last told before the answer', async () => {
    const fake = startFake();
    const { events, ended, tell, id } = await startCall(fake);
    tell(1, 5_000);
    fake.answer(id, { content: [] });
    await ended;
    expect(events).toHaveLength(burst + 2);
    expect(events.slice(-3)).toEqual([burst, 5_000, 'answer']);
    await fake.clock.advance(60_000);
    expect(events).toHaveLength(burst + 2);
    expect(fake.leftOut).toEqual([expect.stringContaining('(progress 3999)')]);
  });

  it('with progress and then says nothing has its newest told soon', async () => {
    const fake = startFake();
    const { events, tell } = await startCall(fake);
    tell(1, 5_000);
    expect(events.at(-1)).toBe(burst);
    await fake.clock.advance(5);
    expect(events.slice(-2)).toEqual([burst, 5_000]);
    tell(5_001, 6_000);
    expect(events.at(-1)).toBe(5_000);
    await fake.clock.advance(1_000);
    expect(events.at(-1)).toBe(6_000);
  });

  it('with the progress of one call costs another call none of its own', async () => {
    const fake = startFake();
    const [first, second] = [await startCall(fake), await startCall(fake)];
    first.tell(1, 5_000);
    second.tell(1, 3);
    expect(second.events).toEqual([1, 2, 3]);
  });

  it.each(['cancelled', 'out of time'])('tells nothing after a call that is %s', async (how) => {
    const fake = startFake();
    const stopper = new AbortController();
    const { events, ended, tell } = await startCall(fake, stopper.signal);
    tell(1, 5_000);
    if (how === 'cancelled') stopper.abort();
    else await fake.clock.advance(600_000);
    await ended;
    const before = [...events];
    await fake.clock.advance(60_000);
    expect(events).toEqual(before);
    expect(events.at(-1)).toBe(how === 'cancelled' ? 'answer' : 'failure');
    expect(events.at(-2)).toBe(how === 'cancelled' ? burst : 5_000);
  });
});
