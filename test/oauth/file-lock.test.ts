import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFileLock } from '../../src/downstream/oauth/file-lock.ts';
import { tempDir } from '../support/processes.ts';

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
    await Promise.all(Array.from({ length: 8 }, () => withFileLock(file, patient, task)));
    expect(existsSync(file)).toBe(false);
  });

  it('is given back when the task fails', async () => {
    const file = join(tempDir(), 'x.lock');
    await expect(withFileLock(file, patient, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a process that is gone', async () => {
    const file = join(tempDir(), 'x.lock');
    // No system has a process of this number.
    writeFileSync(file, '2147483646 left');
    expect(await withFileLock(file, patient, async () => 'ran')).toBe('ran');
  });

  it('is taken over when it was held for too long', async () => {
    const file = join(tempDir(), 'x.lock');
    writeFileSync(file, `${process.pid} forgotten`);
    const old = new Date(Date.now() - 120_000);
    utimesSync(file, old, old);
    expect(await withFileLock(file, patient, async () => 'ran')).toBe('ran');
  });

  it('is waited for while its holder lives, until the one who waits is stopped', async () => {
    const file = join(tempDir(), 'x.lock');
    writeFileSync(file, `${process.pid} working`);
    const stop = new AbortController();
    let waited = 0;
    const onWait = () => {
      waited++;
      stop.abort(new Error('stopped'));
    };
    const done = withFileLock(file, { ...patient, onWait, signal: stop.signal }, async () => 'ran');
    await expect(done).rejects.toThrow('stopped');
    expect(waited).toBe(1);
  });

  it('does not stand in the way where nothing can be written', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'file'), '');
    expect(await withFileLock(join(dir, 'file', 'x.lock'), patient, async () => 'ran')).toBe('ran');
  });
});
