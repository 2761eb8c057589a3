import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeFolder } from '../../src/state/remove-folder.ts';
import { tempDir } from '../support/processes.ts';

const names = /^secret$|\.old$/;

function makeFolder(...files: string[]): string {
  const folder = join(tempDir(), 'folder');
  mkdirSync(folder, { mode: 0o700 });
  for (const file of files) writeFileSync(join(folder, file), '');
  return folder;
}

describe('a folder that is not used any more', () => {
  it('is removed with the files whose names are known', () => {
    const folder = makeFolder('a.old', 'b.old', 'secret');
    removeFolder(folder, names);
    expect(existsSync(folder)).toBe(false);
  });

  it('stays with what nobody knows, folders included', () => {
    const folder = makeFolder('a.old', 'mine.txt');
    mkdirSync(join(folder, 'c.old'));
    removeFolder(folder, names);
    removeFolder(folder, names);
    expect(readdirSync(folder)).toContain('mine.txt');
    expect(readdirSync(folder)).toContain('c.old');
  });

  it('may be missing', () => {
    expect(() => removeFolder(join(tempDir(), 'missing'), names)).not.toThrow();
  });

  it.runIf(process.platform !== 'win32')('stays untouched behind a link, and files behind links stay', () => {
    const folder = makeFolder('a.old');
    const link = join(tempDir(), 'link');
    symlinkSync(folder, link);
    removeFolder(link, names);
    expect(readdirSync(folder)).toEqual(['a.old']);

    const other = makeFolder();
    symlinkSync(join(folder, 'a.old'), join(other, 'b.old'));
    removeFolder(other, names);
    expect(existsSync(other)).toBe(false);
    expect(readdirSync(folder)).toEqual(['a.old']);
  });

  it.runIf(process.platform !== 'win32')('stays untouched when it belongs to another user', () => {
    const folder = makeFolder('a.old');
    removeFolder(folder, names, { platform: process.platform, uid: (process.getuid?.() ?? 0) + 1 });
    expect(readdirSync(folder)).toEqual(['a.old']);
  });
});
