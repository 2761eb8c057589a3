import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPrivateGroup } from '../../src/state/private-group.ts';
import { type FolderView, findStateFault, lookAtWay } from '../../src/state/state-folder.ts';
import { canBeTwoUsers, giveAway } from '../support/other-user.ts';
import { tempDir } from '../support/processes.ts';

const me = { platform: 'linux', uid: 1000 } as const;

interface Entry {
  readonly uid?: number;
  readonly gid?: number;
  readonly mode?: number;
  readonly link?: string;
  readonly file?: true;
}

/** Folders of root, mode 0755, unless told otherwise. Group 1000 is our own. */
const view = (entries: Record<string, Entry>): FolderView => ({
  lstat(path) {
    if (path !== '/' && !Object.hasOwn(entries, path)) return undefined;
    const { uid = 0, gid = uid, mode = 0o755, link, file } = entries[path] ?? {};
    const isSymbolicLink = () => link !== undefined;
    return { uid, gid, mode, isSymbolicLink, isDirectory: () => link === undefined && file !== true };
  },
  readlink: (path) => entries[path]?.link ?? '',
  isPrivate: (gid) => gid === 0 || gid === 1000,
});

const mine = { uid: 1000 };
const home = { '/home': {}, '/home/me': mine };

describe('the folder for the state', () => {
  it.each<[string, string, Record<string, Entry>, string | undefined]>([
    ['can be used in a home', '/home/me/state', { ...home, '/home/me/state': { ...mine, mode: 0o700 } }, undefined],
    ['can be used before it is there', '/home/me/a/state', home, undefined],
    [
      'can be used where the user has a group of his own that may write',
      '/home/me/state',
      { ...home, '/home/me': { ...mine, mode: 0o775 }, '/home/me/state': { ...mine, mode: 0o775 } },
      undefined,
    ],
    [
      'can be used in a folder for everybody where nobody can touch what is another’s',
      '/tmp/state',
      { '/tmp': { mode: 0o1777 }, '/tmp/state': mine },
      undefined,
    ],
    [
      'cannot be used where everybody can replace it',
      '/shared/state',
      { '/shared': { mode: 0o777 }, '/shared/state': mine },
      '/shared can be changed by other users',
    ],
    [
      'cannot be used where a group can replace it',
      '/shared/state',
      { '/shared': { mode: 0o775, gid: 50 }, '/shared/state': mine },
      '/shared can be changed by other users',
    ],
    [
      'cannot be used when somebody else was there first',
      '/tmp/state',
      { '/tmp': { mode: 0o1777 }, '/tmp/state': { uid: 1001, mode: 0o777 } },
      '/tmp/state belongs to another user',
    ],
    [
      'cannot be used below a folder of somebody else',
      '/home/you/state',
      { '/home': {}, '/home/you': { uid: 1001 }, '/home/you/state': mine },
      '/home/you belongs to another user',
    ],
    [
      'cannot be used when it is root’s',
      '/var/state',
      { '/var': {}, '/var/state': {} },
      '/var/state belongs to another user',
    ],
    [
      'cannot be used when everybody may write to it',
      '/home/me/state',
      { ...home, '/home/me/state': { ...mine, mode: 0o1777 } },
      '/home/me/state can be changed by other users',
    ],
    [
      'can be used through links of root and of its own',
      '/var/me/state',
      {
        '/var': { link: 'private/var' },
        '/private': {},
        '/private/var': {},
        '/private/var/me': { link: '/home/me', uid: 1000 },
        ...home,
        '/home/me/state': mine,
      },
      undefined,
    ],
    [
      'cannot be used through a link of somebody else',
      '/tmp/me/state',
      { '/tmp': { mode: 0o1777 }, '/tmp/me': { link: '/home/me', uid: 1001 }, ...home, '/home/me/state': mine },
      '/tmp/me is a link of another user',
    ],
    [
      'cannot be used through links without an end',
      '/a/state',
      { '/a': { link: 'b' }, '/b': { link: 'a' } },
      '/a is a link that leads nowhere',
    ],
    [
      'cannot be used where a file stands',
      '/home/me/state',
      { ...home, '/home/me/state': { ...mine, file: true } },
      '/home/me/state is not a folder',
    ],
  ])('%s', (_what, dir, entries, fault) => {
    const found = lookAtWay(dir, me, view(entries));
    if (fault?.includes('leads nowhere')) expect(found).toContain('leads nowhere');
    else expect(found).toBe(fault);
  });

  it('of root is root’s alone', () => {
    const root = { platform: 'linux', uid: 0 } as const;
    expect(lookAtWay('/home/me/state', root, view({ ...home, '/home/me/state': mine }))).toBe(
      '/home/me belongs to another user',
    );
  });

  it('is not looked at on Windows, where the profile is closed to others', () => {
    const there = { platform: 'win32', uid: undefined } as const;
    expect(lookAtWay('/x', there, view({ '/x': { uid: 7, mode: 0o777 } }))).toBeUndefined();
  });

  it.runIf(process.platform !== 'win32')('is looked at on this machine', () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'open', 'state'), { recursive: true });
    chmodSync(join(dir, 'open'), 0o777);
    symlinkSync(join(dir, 'open'), join(dir, 'link'));
    expect(findStateFault(join(dir, 'state'))).toBeUndefined();
    expect(findStateFault(join(dir, 'open', 'state'))).toBe(`${join(dir, 'open')} can be changed by other users`);
    expect(findStateFault(join(dir, 'link', 'state'))).toBe(`${join(dir, 'open')} can be changed by other users`);
  });

  it.runIf(canBeTwoUsers)('is not used when another user has made it', () => {
    const dir = join(tempDir(), 'state');
    mkdirSync(dir);
    giveAway(dir);
    expect(findStateFault(dir)).toBe(`${dir} belongs to another user`);
  });
});

describe('a group', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\nyou:x:1001:100::/home/you:/bin/sh\n';
  const accounts = (group: string) => ({ passwd, group });

  it.each<[string, boolean, number, number, string]>([
    ['of the same number, with nobody in it', true, 1000, 1000, 'me:x:1000:\n'],
    ['of the same number, with the user in it', true, 1000, 1000, 'me:x:1000:me\n'],
    ['of the same number, with somebody else in it', false, 1000, 1000, 'me:x:1000:you\n'],
    ['of the same number in a directory service', true, 4711, 4711, ''],
    ['of another number in a directory service', false, 5000, 4711, ''],
    ['that others have as their own', false, 100, 1000, 'users:x:100:\n'],
    ['that only this user has as its own', true, 100, 1001, 'users:x:100:\n'],
    ['with nobody in it that is not the user’s own', false, 27, 1000, 'sudo:x:27:\n'],
    ['of the system', true, 0, 1000, 'root:x:0:\n'],
  ])('%s is nobody but the user: %s', (_what, expected, gid, uid, group) => {
    expect(isPrivateGroup(gid, uid, accounts(group))).toBe(expected);
  });
});
