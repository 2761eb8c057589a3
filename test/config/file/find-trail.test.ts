import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findIds, parseTrailText, toTrailText, trailKey, trailVariable } from '../../../src/base/call/trail.ts';
import { findTrail, toConfigId, withTrail } from '../../../src/config/file/find-trail.ts';
import { tempDir } from '../../support/processes.ts';

const first = { id: '0123456789abcdef', pid: 10 };
const second = { id: 'fedcba9876543210', pid: 20 };
const steps = [first, second];
const platforms = ['linux', 'darwin', 'win32'] as const;

function find(env: Record<string, string>, options: Partial<Parameters<typeof findTrail>[0]> = {}) {
  return findTrail({ env, platform: 'linux', environmentsAbove: () => [], isAlive: () => true, ...options });
}

describe('the trail', () => {
  it('is read as it was written, and what is none is left out', () => {
    expect(parseTrailText(toTrailText(steps))).toEqual(steps);
    for (const text of ['', '_', 'x.1', '0123456789abcdef', '0123456789abcdef.0', '0123456789abcdef.-1'])
      expect(parseTrailText(text)).toEqual([]);
    expect(
      parseTrailText(
        Array(1_000)
          .fill(toTrailText([first]))
          .join('_'),
      ),
    ).toHaveLength(32);
  });

  it.each(platforms)('reaches a process on %s by its variable', (platform) => {
    const env = withTrail({ PATH: '/bin' }, steps, { platform, node: '/opt/node' });
    expect(find(env, { platform })).toEqual(steps);
  });

  it.each(['darwin', 'win32'] as const)('reaches a process on %s that was given the PATH only', (platform) => {
    const isWindows = platform === 'win32';
    const node = isWindows ? 'C:\\node\\node.exe' : '/opt/node';
    const name = isWindows ? 'Path' : 'PATH';
    const before = isWindows ? 'C:\\Windows;C:\\node' : '/usr/bin:/bin';
    const once = withTrail({ [name]: before }, [first], { platform, node });
    const twice = withTrail({ [name]: once[name] ?? '' }, steps, { platform, node });
    expect(twice[name]?.startsWith(before)).toBe(true);
    expect(twice[name]?.split('mcp-workbench-trail')).toHaveLength(2);
    expect(find({ [name]: twice[name] ?? '' }, { platform })).toEqual(steps);
  });

  it('leaves the PATH alone where the environment of the processes above can be read', () => {
    expect(withTrail({ PATH: '/bin' }, steps, { platform: 'linux', node: '/opt/node' }).PATH).toBe('/bin');
  });

  it('is found in what a process above was given, when this one was given nothing', () => {
    const environmentsAbove = () => [
      'A=1\0B=2',
      `A=1\0${trailVariable}=${toTrailText(steps)}\0C=3`,
      `${trailVariable}=`,
    ];
    expect(find({}, { environmentsAbove })).toEqual(steps);
    expect(find({}, { environmentsAbove, platform: 'darwin' })).toEqual([]);
  });

  it('does not count a Workbench that has ended', () => {
    const env = withTrail({}, steps, { platform: 'linux', node: '/opt/node' });
    expect(find(env, { isAlive: (pid) => pid === second.pid })).toEqual([second]);
  });

  it('is taken from metadata only where it has its form', () => {
    expect(findIds({ [trailKey]: [first.id, 7, 'x', second.id] }, trailKey)).toEqual([first.id, second.id]);
    expect(findIds({ [trailKey]: 'x' }, trailKey)).toEqual([]);
    expect(findIds(undefined, trailKey)).toEqual([]);
  });
});

describe('the id of a configuration', () => {
  it('is that of its file, whatever link leads there', () => {
    const folder = tempDir();
    writeFileSync(join(folder, 'a.json'), '{}');
    writeFileSync(join(folder, 'b.json'), '{}');
    symlinkSync(join(folder, 'a.json'), join(folder, 'link.json'));
    expect(toConfigId(join(folder, 'link.json'))).toBe(toConfigId(join(folder, 'a.json')));
    expect(toConfigId(join(folder, 'b.json'))).not.toBe(toConfigId(join(folder, 'a.json')));
  });
});
