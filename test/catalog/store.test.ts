import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStore, planPrune } from '../../src/catalog/store.ts';
import { canBeTwoUsers, giveAway } from '../support/other-user.ts';
import { tempDir } from '../support/processes.ts';

const mib = 1_024 * 1_024;
const day = 24 * 60 * 60 * 1_000;
const newDir = () => join(tempDir(), 'state', 'catalog');

describe('a store', () => {
  it('gives in the next run what was saved, and nothing for what was not', async () => {
    const dir = newDir();
    expect(createStore(dir).find('a')).toBeUndefined();
    expect(await createStore(dir).save('a', 'täxt\n')).toBe(true);
    expect(createStore(dir).find('a')).toBe('täxt\n');
    expect(createStore(dir).find('b')).toBeUndefined();
    expect(readdirSync(dir)).toEqual(['a.jsonl']);
  });

  it.skipIf(process.platform === 'win32')('is for the eyes of its owner only', async () => {
    const dir = newDir();
    const store = createStore(dir);
    await store.save('a', 'text');
    store.findKey({ create: true });
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(dir)).toBe(0o700);
    expect(readdirSync(dir).map((name) => modeOf(join(dir, name)))).toEqual([0o600, 0o600]);
  });

  it.runIf(canBeTwoUsers)('believes nothing that another user has put there', async () => {
    const dir = newDir();
    const store = createStore(dir);
    await store.save('a', 'text');
    const key = store.findKey({ create: true });
    giveAway(join(dir, 'a.jsonl'), join(dir, 'key'));
    expect(store.find('a')).toBeUndefined();
    expect(store.findKey({ create: true })).not.toBe(key);
  });

  it('ignores what is no file or too large to be one of its own', async () => {
    const dir = newDir();
    const store = createStore(dir);
    await store.save('large', 'text');
    truncateSync(join(dir, 'large.jsonl'), 16 * mib + 1);
    mkdirSync(join(dir, 'folder.jsonl'));
    expect(store.find('large')).toBeUndefined();
    expect(store.find('folder')).toBeUndefined();
    expect(await store.save('huge', 'x'.repeat(16 * mib + 1))).toBe(false);
  });

  it('is whole whoever writes at the same time, and leaves no drafts', async () => {
    const dir = newDir();
    const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));
    await Promise.all(texts.map((text) => createStore(dir).save('a', text)));
    expect(texts).toContain(createStore(dir).find('a'));
    expect(readdirSync(dir)).toEqual(['a.jsonl']);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'says so when nothing can be written',
    async () => {
      const dir = tempDir();
      chmodSync(dir, 0o500);
      const store = createStore(join(dir, 'catalog'));
      expect(await store.save('a', 'text')).toBe(false);
      expect(store.findKey({ create: true })).toBeUndefined();
    },
  );

  it('says so when its folder is a file', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const store = createStore(file);
    expect(await store.save('a', 'text')).toBe(false);
    expect(store.find('a')).toBeUndefined();
    expect(store.findKey({ create: true })).toBeUndefined();
    await store.prune(0);
  });

  it('has one key, made when it is first needed and again when it was damaged', () => {
    const dir = newDir();
    expect(createStore(dir).findKey({ create: false })).toBeUndefined();
    const key = createStore(dir).findKey({ create: true });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(createStore(dir).findKey({ create: true })).toBe(key);
    writeFileSync(join(dir, 'key'), 'half');
    expect(createStore(dir).findKey({ create: true })).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(join(dir, 'key'), 'utf8')).not.toBe(key);
  });

  it('removes what was not written for thirty days, and nothing that is not its own', async () => {
    const dir = newDir();
    const store = createStore(dir);
    await store.save('old', 'text');
    await store.save('new', 'text');
    writeFileSync(join(dir, 'notes.txt'), '');
    store.findKey({ create: true });
    const now = Date.now();
    for (const name of ['old.jsonl', 'notes.txt', 'key']) utimesSync(join(dir, name), 0, (now - 31 * day) / 1_000);
    await store.prune(now);
    expect(readdirSync(dir).sort()).toEqual(['key', 'new.jsonl', 'notes.txt']);
  });
});

describe('what is removed', () => {
  const now = 100 * day;
  const file = (path: string, age: number, bytes = 1) => ({ path, bytes, at: now - age });

  it.each([
    ['nothing of what is young', [file('a.jsonl', day), file('b.tmp', 1)], []],
    ['what is older than thirty days', [file('a.jsonl', 31 * day), file('b.jsonl', 29 * day)], ['a.jsonl']],
    ['a draft that is an hour old', [file('a.1.tmp', 2 * 60 * 60 * 1_000)], ['a.1.tmp']],
    ['nothing that is dated in the future', [file('a.jsonl', -day)], []],
    [
      'the oldest of more than 64 MiB',
      [file('a.jsonl', 3, 30 * mib), file('b.jsonl', 1, 30 * mib), file('c.jsonl', 2, 30 * mib)],
      ['a.jsonl'],
    ],
  ])('is %s', (_, files, removed) => {
    expect(planPrune(files, now)).toEqual(removed);
  });
});
