import { describe, expect, it } from 'vitest';
import type { OnUpdated, Watch } from '../../../src/base/call/watch.ts';
import type { Link } from '../../../src/downstream/link/link.ts';
import { createWatches } from '../../../src/workbench/links/watches.ts';
import { createSession } from '../../downstream/fake-server.ts';

const place = { toolbox: 'box', server: 's' };
const client = createSession('ann');
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A server at which is watched; `agree` lets it answer what it was asked. */
function createFakeLink() {
  const listeners = new Set<OnUpdated>();
  const asked: (() => void)[] = [];
  const watch = (_client: unknown, _uri: string, listener: OnUpdated): Promise<Watch> =>
    new Promise((resolve) =>
      asked.push(() => {
        const own: OnUpdated = (uri) => listener(uri);
        listeners.add(own);
        resolve({ stop: () => void listeners.delete(own) });
      }),
    );
  const agree = async () => {
    for (const answer of asked.splice(0)) answer();
    await settle();
  };
  return { link: { watch } as unknown as Link, listeners, asked, agree };
}

function setUp() {
  const [old, next] = [createFakeLink(), createFakeLink()];
  const told: string[] = [];
  let current: Link | undefined = old.link;
  const watches = createWatches(() => {
    if (current === undefined) throw new Error('gone');
    return current;
  });
  const add = () => watches.add(place, 'file:///a', { client, listener: (uri) => void told.push(uri) });
  const move = (link: Link | undefined) => {
    current = link;
    watches.move();
  };
  return { old, next, told, add, move };
}

const stopOf = async (watch: Promise<Watch>) =>
  'stop' in (await watch) ? ((await watch) as { stop(): void }).stop : fail;
const fail = () => expect.fail('it is not watched');

describe('a resource that is watched', () => {
  it('a resource that is watched is watched at the server that takes the place of its own, and told once because it may have changed', async () => {
    const { old, next, told, add, move } = setUp();
    const watch = add();
    await old.agree();
    move(next.link);
    await next.agree();
    expect([old.listeners.size, next.listeners.size, told]).toEqual([0, 1, ['file:///a']]);
    (await stopOf(watch))();
    expect(next.listeners.size).toBe(0);
  });

  it('a resource that is watched stays as it is when its server does', async () => {
    const { old, told, add, move } = setUp();
    void add();
    await old.agree();
    move(old.link);
    await settle();
    expect([old.listeners.size, old.asked.length, told]).toEqual([1, 0, []]);
  });

  it('a resource that is watched is watched again when its server comes back', async () => {
    const { old, next, add, move } = setUp();
    void add();
    await old.agree();
    move(undefined);
    expect(old.listeners.size).toBe(0);
    move(next.link);
    await next.agree();
    expect(next.listeners.size).toBe(1);
  });

  it('a resource that is watched is watched once however often servers change before one has agreed', async () => {
    const { old, next, add, move } = setUp();
    const watch = add();
    for (const link of [next.link, undefined, next.link]) move(link);
    await old.agree();
    await next.agree();
    expect([old.listeners.size, next.listeners.size]).toEqual([0, 1]);
    (await stopOf(watch))();
    expect(next.listeners.size).toBe(0);
  });

  it('a resource that is watched is not watched any more when nobody wants it by the time the server agrees', async () => {
    const { old, next, told, add, move } = setUp();
    const watch = add();
    await old.agree();
    move(next.link);
    (await stopOf(watch))();
    await next.agree();
    expect([next.listeners.size, told]).toEqual([0, []]);
  });
});
