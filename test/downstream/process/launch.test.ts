import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findVariable } from '../../../src/config/values/find-variable.ts';
import { inspect } from '../../../src/downstream/process/command-lookup.ts';
import { resolveLaunch } from '../../../src/downstream/process/launch.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempDir } from '../../support/processes.ts';

const { platform } = process;

describe('what a server is started with', () => {
  it('is the file of its command, its own arguments and folder, and its declared variables', async () => {
    const cwd = tempDir();
    const args = ['one', '$TWO'];
    const env = { TOKEN: 'declared', PATH: dirname(process.execPath) };
    const launch = await resolveLaunch({ kind: 'stdio', command: 'node', args, env, cwd });
    expect(launch).toMatchObject({ command: process.execPath, args, cwd, from: 'path', env });
  });

  it('has the folder of a command written as a path at the end of its PATH', async () => {
    const cwd = tempDir();
    const command = process.execPath;
    const launch = await resolveLaunch({ kind: 'stdio', command, args: [], env: { PATH: cwd }, cwd });
    expect(launch.from).toBe('as written');
    expect(findVariable(launch.env, 'PATH', platform)).toBe([cwd, dirname(command)].join(delimiter));
  });

  it('is our environment as it is in the turn in which the server starts', async () => {
    const cwd = tempDir();
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    const start = async () =>
      (await resolveLaunch({ kind: 'stdio', command: process.execPath, args: [], env: {}, cwd })).env.LC_WORKBENCH;
    atEnd(() => delete process.env.LC_WORKBENCH);
    process.env.LC_WORKBENCH = 'before';
    await nextTurn();
    expect(await Promise.all([start(), start()])).toEqual(['before', 'before']);
    await nextTurn();
    process.env.LC_WORKBENCH = 'after';
    expect(await start()).toBe('after');
  });
});

describe('a file', () => {
  it('is told apart from a folder and from nothing', () => {
    const folder = tempDir();
    expect(inspect(folder)).toBe('folder');
    expect(inspect(join(folder, 'nothing'))).toBe('missing');
    expect(inspect(join(process.execPath, 'below-a-file'))).toBe('missing');
    expect(inspect('with\0nul')).toBe('missing');
    expect(inspect(process.execPath)).toBe('executable');
  });

  it('needs permission to be executable on POSIX and only a name on Windows', () => {
    const folder = tempDir();
    const file = join(folder, 'tool');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    expect(inspect(file, 'win32')).toBe('executable');
    if (platform !== 'win32') expect(inspect(file, 'linux')).toBe('not executable');
  });
});
