import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { createGuardian, planHelper, posixScript, windowsScript } from '../../../src/downstream/process/guardian.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive, tempDir, waitUntilDead } from '../../support/processes.ts';
import { repoRoot } from '../../support/program.ts';

const fixture = (name: string) => join(repoRoot, 'test/fixtures/process', name);
const nextLine = async (child: ChildProcess) => {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('ended without a line');
};

/** A process that leads its own group and stays. */
function startSleeper(): number {
  const child = spawn('/bin/sh', ['-c', 'sleep 60; sleep 60'], { detached: true, stdio: 'ignore' });
  const pid = child.pid as number;
  atEnd(() => isAlive(pid) && process.kill(-pid, 'SIGKILL'));
  return pid;
}

/** Starts a program of the fixtures, written in TypeScript, in a group of its own. */
async function startProgram(name: string, ...args: string[]): Promise<ChildProcess> {
  const program = join(tempDir(), `${name}.mjs`);
  await build({
    entryPoints: [fixture(`${name}.ts`)],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['cross-spawn'],
  });
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  atEnd(() => child.kill('SIGKILL'));
  return child;
}

describe.skipIf(process.platform === 'win32')('when the Workbench is killed outright', () => {
  it('its servers are gone soon after, with what they started and the guardian itself', async () => {
    const child = await startProgram('two-servers', fixture('stubborn.mjs'), fixture('wrapper.sh'));
    const { servers, guardian } = JSON.parse(await nextLine(child)) as { servers: number[]; guardian: number };
    expect(new Set(servers).size).toBe(3);
    expect([...servers, guardian].every(isAlive)).toBe(true);

    // The whole group, as when a terminal is closed: the guardian must not be in it.
    process.kill(-(child.pid as number), 'SIGKILL');
    await waitUntilDead([...servers, guardian], 3_000);
  });
});

describe('when the Workbench has stopped its servers', () => {
  it('nothing keeps it alive, and the guardian goes with it', async () => {
    const child = await startProgram('start-and-stop', fixture('echo.mjs'));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const guardian = Number(await nextLine(child));
    expect(await exited).toBe(0);
    await waitUntilDead([guardian]);
  });
});

describe.skipIf(process.platform === 'win32')('the guardian', () => {
  /** The helper program with its pipe in our hands. */
  function startHelper() {
    const { command, args } = planHelper('linux', undefined);
    const child = spawn(command, [...args], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    atEnd(() => child.kill('SIGKILL'));
    return { pid: child.pid as number, stdin: child.stdin! };
  }

  it('ends the groups still listed when its pipe ends, and no other', async () => {
    const [listed, released, unlisted] = [startSleeper(), startSleeper(), startSleeper()];
    const { pid, stdin } = startHelper();
    stdin.end(`+${released}\n+${listed}\n-${released}\n-99999999\n`);
    await waitUntilDead([listed, pid]);
    expect([released, unlisted].every(isAlive)).toBe(true);
  });

  it('takes nothing for the id of a group that is none', async () => {
    const report = join(tempDir(), 'report');
    // `kill` is written down instead of done: were the script wrong, `-1` would end every process there is.
    const harmless = `kill() { echo "$@" >> '${report}'; }; sleep() { :; }`;
    const child = spawn('/bin/sh', ['-c', `${harmless}\n${posixScript}`], { stdio: ['pipe', 'ignore', 'inherit'] });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end('+0\n+1\n+00\n+01\n+-1\n+77x\n+ 77 88\n+$(echo 77)\n*77\n77\n\n+55\n+555\n+66\n-55\n-6\n+77');
    await exited;
    const calls = ['TERM -- -555', 'TERM -- -66', 'KILL -- -555', 'KILL -- -66'];
    expect(readFileSync(report, 'utf8').trim().split('\n')).toEqual(calls.map((call) => `-s ${call}`));
  });

  it.runIf(process.platform === 'linux')(
    'stays at its post when it gets what a terminal or a service manager sends',
    async () => {
      const sleeper = startSleeper();
      const { pid, stdin } = startHelper();
      stdin.write(`+${sleeper}\n`);
      const hangupInterruptTerminate = 0x4003n;
      const ignored = () => BigInt(`0x${/^SigIgn:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]}`);
      await eventually(() => (ignored() & hangupInterruptTerminate) === hangupInterruptTerminate);
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.kill(pid, signal);
      stdin.end();
      await waitUntilDead([sleeper, pid]);
    },
  );

  it('is started with the first server only, once, and again after it died, knowing all', async () => {
    const report = join(tempDir(), 'report');
    const told = (text: string) => eventually(() => existsSync(report) && readFileSync(report, 'utf8') === text);
    // In place of the helper, a program that writes down what it is told.
    const guardian = createGuardian({ command: '/bin/sh', args: ['-c', 'exec cat >> "$0"', report] });
    expect(guardian.pid).toBeUndefined();
    guardian.watch(11);
    await eventually(() => guardian.pid !== undefined);
    const before = guardian.pid as number;
    guardian.watch(22);
    guardian.release(33);
    await told('+11\n+22\n');
    expect(guardian.pid).toBe(before);

    process.kill(before, 'SIGKILL');
    await eventually(() => guardian.pid === undefined);
    guardian.release(22);
    guardian.watch(44);
    await eventually(() => guardian.pid !== undefined);
    const after = guardian.pid as number;
    guardian.release(11);
    await told('+11\n+22\n+11\n+44\n-11\n');
    process.kill(after, 'SIGKILL');
    await waitUntilDead([after]);
  });

  it('is started once for servers that start together, knowing those that are left', async () => {
    const report = join(tempDir(), 'report');
    const guardian = createGuardian({ command: '/bin/sh', args: ['-c', 'exec cat >> "$0"', report] });
    for (const pid of [11, 22, 33]) guardian.watch(pid);
    guardian.release(22);
    await eventually(() => existsSync(report) && readFileSync(report, 'utf8') === '+11\n+33\n');
    process.kill(guardian.pid as number, 'SIGKILL');
  });

  it('that cannot be started disturbs nobody', async () => {
    const guardian = createGuardian({ command: '/no/such/program', args: [] });
    const sleeper = startSleeper();
    guardian.watch(sleeper);
    await eventually(() => guardian.pid === undefined);
    guardian.watch(sleeper);
    guardian.release(sleeper);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAlive(sleeper)).toBe(true);
  });
});

describe('the helper program of the guardian', () => {
  it('is a shell on POSIX and Node on Windows', () => {
    expect(planHelper('darwin', undefined)).toMatchObject({ command: '/bin/sh', cwd: '/' });
    expect(planHelper('win32', 'C:\\Windows')).toEqual({
      command: process.execPath,
      args: ['-e', windowsScript, 'C:\\Windows\\System32\\taskkill.exe'],
    });
  });

  it.skipIf(process.platform === 'win32')('for Windows calls taskkill for what is still listed, and ends', async () => {
    const dir = tempDir();
    const taskkill = join(dir, 'taskkill');
    const report = join(dir, 'report');
    writeFileSync(taskkill, `#!/bin/sh\necho "$@" >> '${report}'\n`);
    chmodSync(taskkill, 0o755);
    const child = spawn(process.execPath, ['-e', windowsScript, taskkill], { stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.write('+11\n+2');
    child.stdin.end('2\n+33\n-11\n+0\n+44 55\nrubbish\n+66');
    await new Promise((resolve) => child.once('exit', resolve));
    await eventually(() => existsSync(report) && readFileSync(report, 'utf8').split('\n').length === 3);
    expect(readFileSync(report, 'utf8').trim().split('\n').sort()).toEqual(['/pid 22 /T /F', '/pid 33 /T /F']);
  });
});
