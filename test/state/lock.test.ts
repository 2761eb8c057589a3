import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock, withLock } from '../../src/state/lock.ts';
import { tempDir } from '../support/processes.ts';

const own = { mode: 0o600 };
const patient = { staleMs: 60_000 };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a lock between processes', () => {
  it('lets one task run at a time and leaves nothing behind', async () => {
    const file = join(tempDir(), 'x.lock');
    let running = 0;
    const task = async () => {
      expect(++running).toBe(1);
      await turn();
      running--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(file, patient, task)));
    expect(existsSync(file)).toBe(false);
  });

  it('is given back when the task fails', async () => {
    const file = join(tempDir(), 'x.lock');
    await expect(withLock(file, patient, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a process that is gone', async () => {
    const file = join(tempDir(), 'x.lock');
    // No system has a process of this number.
    writeFileSync(file, '2147483646 left', own);
    expect(await withLock(file, patient, async () => 'ran')).toBe('ran');
  });

  it('is taken over when it was held for too long', async () => {
    const file = join(tempDir(), 'x.lock');
    writeFileSync(file, `${process.pid} forgotten`, own);
    const old = new Date(Date.now() - 120_000);
    utimesSync(file, old, old);
    expect(await withLock(file, patient, async () => 'ran')).toBe('ran');
  });

  it('is waited for while its holder lives, until the one who waits is stopped', async () => {
    const file = join(tempDir(), 'x.lock');
    writeFileSync(file, `${process.pid} working`, own);
    const stop = new AbortController();
    let waited = 0;
    const onWait = () => {
      waited++;
      stop.abort(new Error('stopped'));
    };
    const done = withLock(file, { ...patient, onWait, signal: stop.signal }, async () => 'ran');
    await expect(done).rejects.toThrow('stopped');
    expect(waited).toBe(1);
  });

  it('does not stand in the way where nothing can be written', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'file'), '');
    expect(await withLock(join(dir, 'file', 'x.lock'), patient, async () => 'ran')).toBe('ran');
  });
});

describe('a lock that is not waited for', () => {
  it('is held by one until it lets go', () => {
    const dir = tempDir();
    const path = join(dir, 'lock');
    const letGo = takeLock(path);
    expect(letGo).toBeDefined();
    expect(takeLock(path)).toBeUndefined();
    letGo?.();
    expect(readdirSync(dir)).toEqual([]);
    expect(takeLock(path)).toBeDefined();
  });

  it('of a process that is gone is free', () => {
    const path = join(tempDir(), 'lock');
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    writeFileSync(path, `${pid} gone`, own);
    expect(takeLock(path)).toBeDefined();
  });

  it('that is older than anything it is held for is free, and is not taken away by who held it', () => {
    const path = join(tempDir(), 'lock');
    const first = takeLock(path);
    const old = new Date(Date.now() - 120_000);
    utimesSync(path, old, old);
    expect(takeLock(path)).toBeDefined();
    first?.();
    expect(existsSync(path)).toBe(true);
  });

  it('is an error where nothing can be made', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'file'), '');
    expect(() => takeLock(join(dir, 'file', 'lock'))).toThrow('ENOTDIR');
  });
});
