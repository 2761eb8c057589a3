import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/base/call/call.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { createSubscriptions } from '../../../src/downstream/link/subscriptions.ts';

function fakeConnection(answer: (uri: string) => Outcome = () => ({ result: RawJson.of({}) })) {
  const asked: string[] = [];
  return {
    asked,
    async subscribe(uri: string, all: readonly string[]) {
      asked.push(`+${uri} of ${all.join(' ')}`);
      return answer(uri);
    },
    unsubscribe(uri: string, all: readonly string[]) {
      asked.push(`-${uri} of ${all.join(' ')}`);
    },
  };
}

describe('resources that are watched', () => {
  it('are asked for once, however many watch, and given up with the last', async () => {
    const subscriptions = createSubscriptions();
    const connection = fakeConnection();
    const heard: string[] = [];
    const first = await subscriptions.add('a:1', (uri) => heard.push(`first ${uri}`), connection);
    const second = await subscriptions.add('a:1', (uri) => heard.push(`second ${uri}`), connection);
    subscriptions.updated('a:1');
    subscriptions.updated('a:2');
    if ('stop' in first) first.stop();
    subscriptions.updated('a:1');
    expect(connection.asked).toEqual(['+a:1 of a:1']);
    if ('stop' in second) {
      second.stop();
      second.stop();
    }
    subscriptions.updated('a:1');
    expect(heard).toEqual(['first a:1', 'second a:1', 'second a:1']);
    expect(connection.asked).toEqual(['+a:1 of a:1', '-a:1 of ']);
    expect(subscriptions.size).toBe(0);
  });

  it('hear of parts of themselves, and of nothing that only begins alike', async () => {
    const subscriptions = createSubscriptions();
    const heard: string[] = [];
    await subscriptions.add('file:///a', (uri) => heard.push(uri), fakeConnection());
    for (const uri of ['file:///a/b', 'file:///a#x', 'file:///ab', 'file:///']) subscriptions.updated(uri);
    expect(heard).toEqual(['file:///a/b', 'file:///a#x']);
  });

  it('are not watched when the server says no, and can be tried again', async () => {
    const subscriptions = createSubscriptions();
    const error = { code: -32002, message: 'not there' };
    const refusing = fakeConnection(() => ({ error }));
    expect(await subscriptions.add('a:1', () => {}, refusing)).toEqual({ error });
    expect(subscriptions.size).toBe(0);
    expect('stop' in (await subscriptions.add('a:1', () => {}, fakeConnection()))).toBe(true);
  });

  it('are asked for again on a new connection', async () => {
    const subscriptions = createSubscriptions();
    await subscriptions.add('a:1', () => {}, fakeConnection());
    await subscriptions.add('a:2', () => {}, fakeConnection());
    const next = fakeConnection();
    subscriptions.renew(next);
    expect(next.asked).toEqual(['+a:1 of a:1 a:2', '+a:2 of a:1 a:2']);
  });
});
