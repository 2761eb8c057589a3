import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmitter } from '../../src/base/async/emitter.ts';
import type { Client, ClientSession } from '../../src/base/call/call.ts';
import { silentLog } from '../../src/base/text/log.ts';
import { createResultStore, type StoreLimits, storeLimits } from '../../src/results/result-store.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { tempDir } from '../support/processes.ts';

const part = (text: string) => ({ text, name: 'tool', mimeType: 'text/plain' });
const stateless = (principal: string, name = 'client'): Client => ({ name, principal });

function connected(): { client: Client; close: () => void } {
  const closed = createEmitter<void>();
  const session = { onClose: closed.on } as unknown as ClientSession;
  return { client: { name: 'client', principal: '', session }, close: () => closed.emit() };
}

function open(limits: Partial<StoreLimits> = {}, stateDir?: string) {
  const clock = createFakeClock();
  const warned: string[] = [];
  const log = { ...silentLog, warn: (message: string) => warned.push(message) };
  const store = createResultStore({ clock, log, stateDir, limits: { ...storeLimits, ...limits } });
  return {
    clock,
    store,
    warned,
    read: async (client: Client, handle = '') => (await store.find(client, handle))?.held.text,
  };
}

describe('a held result', () => {
  it('is for the session that got it only, and goes when the session ends', async () => {
    const { store, read } = open();
    const [one, other] = [connected(), connected()];
    const { handle } = store.hold(one.client, part('secret')) ?? {};
    expect(handle).toMatch(/^[0-9a-f]{24}$/);
    expect(await read(one.client, handle)).toBe('secret');
    expect(await read(other.client, handle)).toBeUndefined();
    expect(await read(stateless(''), handle)).toBeUndefined();
    one.close();
    expect(await read(one.client, handle)).toBeUndefined();
  });

  it('of a client without a session is for the same identity and name, over any number of requests', async () => {
    const { store, read } = open();
    const { handle } = store.hold(stateless('alice'), part('secret')) ?? {};
    expect(await read(stateless('alice'), handle)).toBe('secret');
    expect(await read(stateless('bob'), handle)).toBeUndefined();
    expect(await read(stateless('alice', 'other'), handle)).toBeUndefined();
  });

  it('is kept for an hour after it was read last', async () => {
    const { store, read, clock } = open();
    const client = stateless('a');
    const { handle } = store.hold(client, part('text')) ?? {};
    await clock.advance(50 * 60_000);
    expect(await read(client, handle)).toBe('text');
    await clock.advance(59 * 60_000);
    expect(await read(client, handle)).toBe('text');
    await clock.advance(60 * 60_000);
    expect(await read(client, handle)).toBeUndefined();
    // No timer is left when nothing is held.
    expect(clock.pending).toBe(0);
  });

  it('makes room for a newer one of the same client when it has not been read for a while, and never before', async () => {
    const { store, read, clock } = open({ resultsPerClient: 2 });
    const [client, other] = [stateless('a'), stateless('b')];
    const kept = store.hold(other, part('of another client'))?.handle;
    const [first, second] = [store.hold(client, part('1'))?.handle, store.hold(client, part('2'))?.handle];
    expect(store.hold(client, part('3'))).toBeUndefined();
    await clock.advance(storeLimits.freshMs);
    expect(await read(client, first)).toBe('1');
    const third = store.hold(client, part('3'))?.handle;
    expect([await read(client, first), await read(client, second), await read(client, third)]).toEqual([
      '1',
      undefined,
      '3',
    ]);
    expect(await read(other, kept)).toBe('of another client');
  });
});

describe('results that are too much for the memory', () => {
  const small = { memoryBytes: 4_000 };

  it('go to disk, sealed and for their user only, come back, and are removed at the end', async () => {
    const dir = tempDir();
    const { store, read } = open(small, dir);
    const client = stateless('a');
    const texts = Array.from({ length: 3 }, (_, index) => `${index} secret 🚀 \ud83d ${'x'.repeat(1_000)}`);
    const handles = texts.map((text) => store.hold(client, part(text))?.handle);
    const folder = join(dir, 'results');
    await eventually(() => expect(readdirSync(folder).filter((name) => name.endsWith('.sealed'))).toHaveLength(2));
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name)).includes('secret')).toBe(false);
      if (process.platform !== 'win32') expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    for (const [index, handle] of handles.entries()) expect(await read(client, handle)).toBe(texts[index]);
    expect(await read(stateless('b'), handles[0])).toBeUndefined();
    store.close();
    await eventually(() => expect(readdirSync(folder)).toEqual([]));
  });

  it('are unknown when their file was changed or removed, and nothing else is harmed', async () => {
    const dir = tempDir();
    const { store, read } = open(small, dir);
    const client = stateless('a');
    const handles = Array.from(
      { length: 3 },
      (_, index) => store.hold(client, part(`${index}${'x'.repeat(1_000)}`))?.handle,
    );
    const folder = join(dir, 'results');
    await eventually(() => expect(readdirSync(folder).filter((name) => name.endsWith('.sealed'))).toHaveLength(2));
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'x'.repeat(200));
    const found = await Promise.all(handles.map((handle) => read(client, handle)));
    // The second may not have left the memory yet.
    expect([found[0], found[2]?.[0]]).toEqual([undefined, '2']);
  });

  it('are not held when the disk cannot be written: the memory keeps what it has, and the next result stays whole', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'results'), 'a file in the way');
    const { store, read, warned, clock } = open(small, dir);
    const client = stateless('a');
    const hold = () => store.hold(client, part('x'.repeat(900)))?.handle;
    const handles = [hold(), hold(), hold()];
    await eventually(() => expect(warned).toHaveLength(1));
    for (const handle of handles) expect(await read(client, handle)).toHaveLength(900);
    expect(hold()).toBeUndefined();
    await clock.advance(storeLimits.freshMs);
    expect(hold()).toBeDefined();
  });

  it('that a crash has left behind are removed by a later run, and files of others are not', async () => {
    const dir = tempDir();
    const folder = join(dir, 'results');
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
    const old = `${'a'.repeat(32)}.sealed`;
    for (const name of [old, 'mine.txt']) {
      writeFileSync(join(folder, name), '', { mode: 0o600 });
      utimesSync(join(folder, name), 1_000_000, 1_000_000);
    }
    const { store, clock } = open({ memoryBytes: 100 }, dir);
    await clock.advance(Date.now());
    store.hold(stateless('a'), part('x'.repeat(60)));
    await eventually(() => expect(readdirSync(folder)).not.toContain(old));
    expect(readdirSync(folder)).toContain('mine.txt');
    store.close();
  });
});
