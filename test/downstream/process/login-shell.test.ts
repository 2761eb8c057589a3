import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMarked, readLoginShellPath } from '../../../src/downstream/process/login-shell.ts';
import { tempDir, waitUntilDead } from '../../support/processes.ts';

/** A shell that runs `before` as its start-up file would, then what it was told to. */
function fakeShell(before: string): string {
  const file = join(tempDir(), 'shell');
  writeFileSync(file, `#!/bin/sh\n${before}\n[ "$1" = -ilc ] || exit 2\neval "$2"\n`);
  chmodSync(file, 0o755);
  return file;
}

const environment = { PATH: '/usr/bin:/bin' };

describe.skipIf(process.platform === 'win32')('the PATH of the login shell', () => {
  it('is what its start-up files make of it, whatever they print', async () => {
    const shell = fakeShell('echo "Welcome, $USER"; printf "no newline"; PATH="/from/profile:$PATH"');
    expect(await readLoginShellPath({ shell, environment })).toBe('/from/profile:/usr/bin:/bin');
  });

  it('is read although something in the background holds the pipe', async () => {
    const pidFile = join(tempDir(), 'pid');
    const shell = fakeShell(`sleep 60 & echo $! > '${pidFile}'`);
    expect(await readLoginShellPath({ shell, environment, limitMs: 60_000 })).toBe('/usr/bin:/bin');
    process.kill(Number(readFileSync(pidFile, 'utf8')));
  });

  it('is given up, and the shell ended, when a start-up file hangs', async () => {
    const pidFile = join(tempDir(), 'pid');
    const shell = fakeShell(`echo $$ > '${pidFile}'; sleep 60; sleep 60`);
    expect(await readLoginShellPath({ shell, environment, limitMs: 300 })).toBeUndefined();
    await waitUntilDead([Number(readFileSync(pidFile, 'utf8'))]);
  });

  it.each(['/no/such/shell', '/bin/false', '/dev/null/shell'])('is unknown when the shell is %s', async (shell) => {
    expect(await readLoginShellPath({ shell, environment })).toBeUndefined();
  });

  it('is unknown when the shell floods us', async () => {
    expect(await readLoginShellPath({ shell: fakeShell('yes'), environment, limitMs: 60_000 })).toBeUndefined();
  });
});

describe('the marked part of what a shell prints', () => {
  it.each([
    ['', undefined],
    ['\n--mcp-workbench-path--\n/usr/bin', undefined],
    ['\n--mcp-workbench-path--\nrelative\n--mcp-workbench-path--\n', undefined],
    ['noise\n--mcp-workbench-path--\n/a b:/c\n--mcp-workbench-path--\nmore', '/a b:/c'],
  ])('of %j is %j', (output, path) => {
    expect(findMarked(output)).toBe(path);
  });
});
