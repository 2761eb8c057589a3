import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/state/file-fault.ts';
import { findOwn, openOwnToAppend, readOwn } from '../../src/state/open-own.ts';
import { createOwn, replaceOwn, replaceOwnLater } from '../../src/state/write-own.ts';
import { canBeTwoUsers, giveAway } from '../support/other-user.ts';
import { tempDir } from '../support/processes.ts';

const mostBytes = 1_000;
const hasModes = process.platform !== 'win32';

function ownFile(text = 'text'): string {
  const path = join(tempDir(), 'file');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const faultOf = (path: string): string => {
  try {
    readOwn(path, { maxBytes: mostBytes });
  } catch (error) {
    return error instanceof FileFault ? error.fault : String(error);
  }
  return 'none';
};

describe('a file of our own', () => {
  it('is read whole when it is ours, also when it is empty or as large as it may be', () => {
    for (const text of ['', 'text', 'x'.repeat(mostBytes)])
      expect(readOwn(ownFile(text), { maxBytes: mostBytes }).toString()).toBe(text);
  });

  it('is not read when it is larger than it can be', () => {
    expect(faultOf(ownFile('x'.repeat(mostBytes + 1)))).toBe('is larger than 1000 bytes');
  });

  it.runIf(hasModes)('is not read through a link, nor when others may read or write it', () => {
    const path = ownFile();
    const link = join(tempDir(), 'link');
    symlinkSync(path, link);
    expect(faultOf(link)).toBe('is a symbolic link');
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(path, mode);
      expect(faultOf(path)).toBe('can be used by other users');
    }
  });

  it.runIf(hasModes)('is not read, and keeps nobody waiting, when it is a pipe, a device or a folder', () => {
    const dir = tempDir();
    execFileSync('mkfifo', ['-m', '600', join(dir, 'pipe')]);
    mkdirSync(join(dir, 'folder'), { mode: 0o700 });
    expect(['pipe', 'folder'].map((name) => faultOf(join(dir, name)))).toEqual(['is not a file', 'is not a file']);
    expect(faultOf('/dev/zero')).toBe('is not a file');
    expect(findOwn(join(dir, 'pipe'), { maxBytes: mostBytes })).toBeUndefined();
  });

  it.runIf(canBeTwoUsers)('is not read when it belongs to another user', () => {
    const path = ownFile();
    giveAway(path);
    expect(faultOf(path)).toBe('belongs to another user');
    expect(() => openOwnToAppend(path)).toThrow('belongs to another user');
  });

  it.runIf(hasModes)('is not appended to through a link', () => {
    const victim = ownFile('private');
    const link = join(tempDir(), 'log');
    symlinkSync(victim, link);
    expect(() => openOwnToAppend(link)).toThrow('is a symbolic link');
    expect(readFileSync(victim, 'utf8')).toBe('private');
  });

  it('that is appended to is made closed to others', () => {
    const path = join(tempDir(), 'log');
    for (const text of ['a', 'b']) {
      const descriptor = openOwnToAppend(path);
      writeSync(descriptor, text);
      closeSync(descriptor);
    }
    expect(readFileSync(path, 'utf8')).toBe('ab');
    if (hasModes) expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('replacing a file of our own', () => {
  const ways = [
    ['at once', async (path: string, text: string) => replaceOwn(path, text)],
    ['later', replaceOwnLater],
  ] as const;

  it.each(ways)('%s leaves one whole file, closed to others, and no draft', async (_name, replace) => {
    const dir = tempDir();
    const path = join(dir, 'file');
    await replace(path, 'old');
    await replace(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(dir)).toEqual(['file']);
    if (hasModes) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(ways)('%s replaces a link and leaves alone what it leads to', async (_name, replace) => {
    const dir = tempDir();
    const victim = ownFile('private');
    symlinkSync(victim, join(dir, 'file'));
    await replace(join(dir, 'file'), 'new');
    expect(readFileSync(victim, 'utf8')).toBe('private');
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('new');
  });

  it.each(ways)('%s leaves no draft when it fails', async (_name, replace) => {
    const dir = tempDir();
    mkdirSync(join(dir, 'folder', 'in'), { recursive: true });
    await expect(replace(join(dir, 'folder'), 'new')).rejects.toThrow();
    expect(readdirSync(dir)).toEqual(['folder']);
  });
});

describe('making a file of our own', () => {
  it('is done by the first, and changes nothing for who comes later', () => {
    const dir = tempDir();
    const path = join(dir, 'file');
    expect([createOwn(path, 'first'), createOwn(path, 'second')]).toEqual([true, false]);
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(readdirSync(dir)).toEqual(['file']);
  });

  it('writes to nothing that a link of that name leads to', () => {
    const dir = tempDir();
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'file'));
    expect(createOwn(join(dir, 'file'), 'text')).toBe(false);
    linkSync(ownFile('private'), join(dir, 'second'));
    expect(createOwn(join(dir, 'second'), 'text')).toBe(false);
    expect(readFileSync(join(dir, 'second'), 'utf8')).toBe('private');
    expect(readdirSync(dir).sort()).toEqual(['file', 'second']);
  });
});
