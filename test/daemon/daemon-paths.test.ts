import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canHalfClose, type DaemonPathsOptions, planDaemonPaths } from '../../src/daemon/daemon-paths.ts';
import { findFault, hasModes } from '../../src/state/owner.ts';

const usual: DaemonPathsOptions = {
  platform: 'linux',
  env: {},
  stateDir: '/home/me/.local/state/mcp-workbench',
  tempDir: '/tmp',
  uid: 1000,
  config: '/home/me/workbench.jsonc',
  version: '1.2.3',
};
const plan = (change: Partial<DaemonPathsOptions> = {}) => planDaemonPaths({ ...usual, ...change });
const deep = `/home/${'deep/'.repeat(20)}state`;

describe('the place of a daemon', () => {
  it('is a socket in a folder of the state folder, with everything beside it', () => {
    const place = plan();
    const folder = `${usual.stateDir}/daemon`;
    expect(place).toMatchObject({ folders: [folder], isFile: true, secretFile: `${folder}/secret` });
    expect(place.address).toMatch(/^\/home\/me\/\.local\/state\/mcp-workbench\/daemon\/[0-9a-f]{20}$/);
    for (const path of [place.logFile, place.startLock, place.bindLock]) expect(path).toContain(place.address);
  });

  it('is a pipe with a name on Windows', () => {
    const place = plan({ platform: 'win32', stateDir: 'C:\\Users\\me\\AppData\\Local\\mcp-workbench', uid: undefined });
    expect(place.address).toMatch(/^\\\\\.\\pipe\\mcp-workbench-[0-9a-f]{20}$/);
    expect(place).toMatchObject({
      isFile: false,
      folders: ['C:\\Users\\me\\AppData\\Local\\mcp-workbench\\daemon'],
      secretFile: 'C:\\Users\\me\\AppData\\Local\\mcp-workbench\\daemon\\secret',
    });
  });

  it.each([
    ['configuration', { config: '/home/me/other.jsonc' }],
    ['version of the program', { version: '1.2.4' }],
    ['state folder', { stateDir: '/home/me/state' }],
  ])('is another one for another %s', (_what, change) => {
    expect(posix.basename(plan(change).address)).not.toBe(posix.basename(plan().address));
    expect(plan(change)).toEqual(plan(change));
  });

  it.each([
    ['the folder for sockets', { env: { XDG_RUNTIME_DIR: '/run/user/1000' } }, '/run/user/1000/mcp-workbench'],
    ['a temporary folder of this user', {}, '/tmp/mcp-workbench-1000'],
    ['a temporary folder, when the other is relative', { env: { XDG_RUNTIME_DIR: 'run' } }, '/tmp/mcp-workbench-1000'],
    ['/tmp, when the temporary folder is too deep as well', { tempDir: deep }, '/tmp/mcp-workbench-1000'],
  ])('has its socket in %s when the state folder is too deep for one', (_what, change, folder) => {
    const place = plan({ stateDir: deep, ...change });
    expect(posix.dirname(place.address)).toBe(folder);
    expect(place.folders).toEqual([`${deep}/daemon`, folder]);
    expect(place.secretFile).toBe(`${deep}/daemon/secret`);
  });

  it.each([plan(), plan({ stateDir: deep }), plan({ stateDir: `/${'x'.repeat(60)}` })])(
    'never has a path that is too long for a socket, also with the number of a process behind it',
    ({ address }) => {
      expect(Buffer.byteLength(`${address}.4194304`)).toBeLessThanOrEqual(100);
    },
  );

  it.each([
    ['linux', true],
    ['darwin', true],
    ['win32', false],
  ] as const)('on %s has files with modes and connections that close by half: %s', (platform, expected) => {
    expect([hasModes(platform), canHalfClose(platform)]).toEqual([expected, expected]);
  });
});

const facts = (change: { uid?: number; mode?: number; kind?: 'folder' | 'file' | 'link' } = {}) => ({
  uid: change.uid ?? 1000,
  mode: change.mode ?? 0o700,
  isDirectory: () => (change.kind ?? 'folder') === 'folder',
  isFile: () => change.kind === 'file',
  isSymbolicLink: () => change.kind === 'link',
});

describe('a folder of the daemon', () => {
  const owner = { platform: 'linux', uid: 1000 } as const;

  it.each([
    ['is trusted when it is closed to others', {}, undefined],
    ['is not when it is a link', { kind: 'link' }, 'is a symbolic link'],
    ['is not when it is a file', { kind: 'file' }, 'is not a folder'],
    ['is not when it belongs to somebody else', { uid: 0 }, 'belongs to another user'],
    ['is not when a group may read it', { mode: 0o750 }, 'can be used by other users'],
    ['is not when everybody may write to it', { mode: 0o1777 }, 'can be used by other users'],
  ] as const)('%s', (_what, change, fault) => {
    expect(findFault(facts(change), 'folder', owner)).toBe(fault);
  });

  it('is judged by its kind alone on Windows, where the profile folder is closed to others', () => {
    const windows = { platform: 'win32', uid: undefined } as const;
    expect(findFault(facts({ mode: 0o777, uid: 0 }), 'folder', windows)).toBeUndefined();
    expect(findFault(facts({ kind: 'link' }), 'folder', windows)).toBe('is a symbolic link');
  });

  it('may be a file where a file is wanted', () => {
    expect(findFault(facts({ kind: 'file', mode: 0o600 }), 'file', owner)).toBeUndefined();
    expect(findFault(facts({ kind: 'file', mode: 0o644 }), 'file', owner)).toBe('can be used by other users');
  });
});
