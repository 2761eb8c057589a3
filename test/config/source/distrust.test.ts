import { describe, expect, it } from 'vitest';
import { isTrusting } from '../../../src/config/source/disk.ts';
import { findDistrust, toDistrustFix } from '../../../src/config/source/distrust.ts';

const me = { platform: 'linux', uid: 1000 } as const;
const file = '/p/workbench.jsonc';

interface Parts {
  readonly facts?: Partial<Facts>;
  readonly link?: Partial<Facts>;
  readonly folder?: Partial<Facts>;
}

interface Facts {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

const facts = (change: Partial<Facts> = {}, mode = 0o644): Facts => ({ uid: 1000, gid: 1000, mode, ...change });

/** The group 1000 is our own. */
const judge = (parts: Parts, owner: Parameters<typeof findDistrust>[1] = me) =>
  findDistrust(
    {
      path: file,
      facts: facts(parts.facts),
      link: parts.link && facts(parts.link, 0o777),
      folders: [{ path: '/p', facts: facts(parts.folder, 0o755) }],
    },
    owner,
    (gid) => gid === 0 || gid === 1000,
  );

describe('a file that says what is run', () => {
  it.each<[string, Parts]>([
    ['it is the user’s', {}],
    ['it is root’s', { facts: { uid: 0, gid: 0 }, folder: { uid: 0, gid: 0 } }],
    ['everybody may read it', { facts: { mode: 0o444 } }],
    ['a group may write that has only the user in it', { facts: { mode: 0o664 }, folder: { mode: 0o775 } }],
    ['it is in a sticky folder for everybody and the user’s own', { folder: { uid: 0, mode: 0o1777 } }],
    ['it is reached through a link of the user', { link: {} }],
  ])('is used when %s', (_what, parts) => {
    expect(judge(parts)).toBeUndefined();
  });

  it.each<[string, Parts, object]>([
    ['another user’s', { facts: { uid: 1001 } }, { part: 'file', why: 'belongs to user 1001', foreign: true }],
    [
      'open to everybody',
      { facts: { mode: 0o646 } },
      { part: 'file', why: 'can be changed by other users', foreign: false },
    ],
    ['open to a group', { facts: { mode: 0o664, gid: 50 } }, { part: 'file', why: 'can be changed by other users' }],
    [
      'reached through a link of another user',
      { link: { uid: 1001 } },
      { part: 'file', why: 'is a link of user 1001' },
    ],
    [
      'in a folder of another user',
      { folder: { uid: 1001 } },
      { part: 'folder', path: '/p', why: 'belongs to user 1001' },
    ],
    ['in a sticky folder of another user', { folder: { uid: 1001, mode: 0o1777 } }, { part: 'folder' }],
    [
      'in a folder for everybody',
      { folder: { mode: 0o777 } },
      { part: 'folder', why: 'can be changed by other users' },
    ],
    ['in a folder for a group', { folder: { mode: 0o775, gid: 50 } }, { part: 'folder' }],
  ])('is not used when it is %s', (_what, parts, distrust) => {
    expect(judge(parts)).toMatchObject(distrust);
    expect(judge(parts, { ...me, platform: 'darwin' })).toMatchObject(distrust);
  });

  it('is used on Windows whatever the modes say: they say nothing there', () => {
    const windows = { platform: 'win32', uid: undefined } as const;
    expect(judge({ facts: { uid: 7, mode: 0o666 }, folder: { mode: 0o777 } }, windows)).toBeUndefined();
  });

  it('of another user is not used by root either', () => {
    expect(judge({}, { platform: 'linux', uid: 0 })).toMatchObject({ why: 'belongs to user 1000' });
  });

  it('comes with commands that can be pasted, whatever its name is', () => {
    const open = { part: 'file', path: "/p/it's $(x)", why: '', foreign: false } as const;
    expect(toDistrustFix(open, open.path, 1000)).toContain(String.raw`chmod go-w '/p/it'\''s $(x)' If you know`);
    const foreign = { ...open, foreign: true };
    expect(toDistrustFix(foreign, '/p/x', 1000)).toContain(`sudo chown "$(id -un)" /p/x If`);
    expect(toDistrustFix(foreign, '/p/x', 0)).toContain('chown root /p/x If');
  });

  it('is trusted by a flag or a variable that says so, and by no other word', () => {
    const by = (value: string) => isTrusting({ env: { WORKBENCH_TRUST_CONFIG: value } });
    expect([isTrusting({ trust: true, env: {} }), by('1'), by('true')]).toEqual([true, true, true]);
    expect([isTrusting({ env: {} }), by(''), by('0'), by('no')]).toEqual([false, false, false, false]);
  });
});
