import { describe, expect, it } from 'vitest';
import { findConfigFile, planSearch, stateDir } from '../../../src/config/source/paths.ts';

const linux = { env: {}, cwd: '/home/ann/repo/sub', platform: 'linux', home: '/home/ann' } as const;

function find(files: readonly string[], more: Partial<Parameters<typeof findConfigFile>[0]> = {}) {
  return findConfigFile({ ...linux, exists: (path) => files.includes(path), isOurs: () => true, ...more });
}

describe('the configuration file', () => {
  const git = '/home/ann/repo/.git';

  it.each([
    ['--config first', { flag: 'x.json', env: { WORKBENCH_CONFIG: '/y.json' } }, '/home/ann/repo/sub/x.json'],
    ['--config with ~/', { flag: '~/x.json' }, '/home/ann/x.json'],
    ['then WORKBENCH_CONFIG', { env: { WORKBENCH_CONFIG: '/y.json' } }, '/y.json'],
    [
      'then the nearest file, when the variable is empty',
      { env: { WORKBENCH_CONFIG: '' } },
      '/home/ann/repo/sub/workbench.json',
    ],
  ])('is named by %s, whether it exists or not', (_, more, expected) => {
    expect(find([git, '/home/ann/repo/sub/workbench.json'], more)).toBe(expected);
  });

  it('is the first of three names in the nearest folder up to the root of the repository', () => {
    const above = '/home/ann/repo/workbench-config.json';
    expect(find([git, above])).toBe(above);
    expect(find([git, above, '/home/ann/repo/workbench.json'])).toBe('/home/ann/repo/workbench.json');
    expect(find([git, above, '/home/ann/repo/workbench.jsonc', '/home/ann/repo/workbench.json'])).toBe(
      '/home/ann/repo/workbench.jsonc',
    );
    expect(find([git, above, '/home/ann/repo/sub/workbench-config.json'])).toBe(
      '/home/ann/repo/sub/workbench-config.json',
    );
  });

  it('is not looked for above the repository, nor above the folder outside of one', () => {
    expect(find([git, '/home/ann/workbench.json'])).toBeUndefined();
    expect(find(['/home/ann/repo/workbench.json'])).toBeUndefined();
    expect(find(['/home/ann/repo/sub/workbench.json'])).toBe('/home/ann/repo/sub/workbench.json');
  });

  it.each([
    ['a folder on the way', '/home/ann/repo'],
    ['the repository itself', git],
    ['the folder it begins in', '/home/ann/repo/sub'],
  ])('is looked for in its own folder only when others have a hand in %s', (_what, theirs) => {
    const isOurs = (path: string) => path !== theirs;
    expect(find([git, '/home/ann/repo/workbench.json'], { isOurs })).toBeUndefined();
    expect(find([git, '/home/ann/repo/sub/workbench.json'], { isOurs })).toBe('/home/ann/repo/sub/workbench.json');
  });

  it('is looked for up to the repository when others have a hand in what is above that only', () => {
    const isOurs = (path: string) => path.startsWith('/home/ann/repo');
    expect(find([git, '/home/ann/repo/workbench.json'], { isOurs })).toBe('/home/ann/repo/workbench.json');
  });

  it('is looked for from the project of Claude Code too', () => {
    const env = { CLAUDE_PROJECT_DIR: '/p/x' };
    expect(find(['/p/.git', '/p/workbench.json'], { env })).toBe('/p/workbench.json');
    expect(find(['x/workbench.json'], { env: { CLAUDE_PROJECT_DIR: 'x' } })).toBeUndefined();
  });

  it.each([
    ['linux', {}, '/home/ann', '/home/ann/.config/mcp-workbench/workbench.jsonc'],
    ['darwin', {}, '/Users/ann', '/Users/ann/.config/mcp-workbench/workbench.jsonc'],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/home/ann', '/xdg/mcp-workbench/workbench.jsonc'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ann', '/home/ann/.config/mcp-workbench/workbench.jsonc'],
    ['win32', { APPDATA: 'C:\\A' }, 'C:\\Users\\ann', 'C:\\A\\mcp-workbench\\workbench.jsonc'],
    ['win32', {}, 'C:\\Users\\ann', 'C:\\Users\\ann\\AppData\\Roaming\\mcp-workbench\\workbench.jsonc'],
  ] as const)('is at last that of the user on %s with %j', (platform, env, home, expected) => {
    const cwd = platform === 'win32' ? 'D:\\work' : '/work';
    expect(find([expected], { platform, env, home, cwd })).toBe(expected);
  });

  it('has its places listed in order, for whoever does not find it', () => {
    const { places } = planSearch({ ...linux, exists: () => false, isOurs: () => true });
    expect(places).toEqual([
      '/home/ann/repo/sub/workbench.jsonc',
      '/home/ann/repo/sub/workbench.json',
      '/home/ann/repo/sub/workbench-config.json',
      '/home/ann/.config/mcp-workbench/workbench.jsonc',
      '/home/ann/.config/mcp-workbench/workbench.json',
      '/home/ann/.config/mcp-workbench/workbench-config.json',
    ]);
  });
});

describe('the folder for state', () => {
  it.each([
    ['linux', { WORKBENCH_STATE: '/s', XDG_STATE_HOME: '/x' }, '/s'],
    ['linux', { XDG_STATE_HOME: '/x' }, '/x/mcp-workbench'],
    ['darwin', {}, '/home/ann/.local/state/mcp-workbench'],
    ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\L\\mcp-workbench'],
  ] as const)('on %s with %j is %s', (platform, env, expected) => {
    expect(stateDir({ env, platform, home: '/home/ann' })).toBe(expected);
  });
});
