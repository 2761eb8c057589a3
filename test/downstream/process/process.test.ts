import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { buildEnvironment } from '../../../src/downstream/process/environment.ts';
import { type ProcessExit, type ProcessOptions, startProcess } from '../../../src/downstream/process/process.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { canReadProcesses, childTree, isAlive, tempDir } from '../../support/processes.ts';
import { repoRoot } from '../../support/program.ts';

const onPosix = process.platform !== 'win32';
const fixture = (name: string) => join(repoRoot, 'test/fixtures/process', name);
const env = buildEnvironment({ declared: {}, inherited: process.env, platform: process.platform });

type Program = Partial<ProcessOptions> & { args: readonly string[] };

/** Starts a program and keeps, in order, everything it caused. */
async function start(options: Program, atExit: (lines: string[]) => void = () => {}) {
  const lines: string[] = [];
  const stderr: string[] = [];
  const oversize: { bytes: number; head: string }[] = [];
  const order: string[] = [];
  const exits: ProcessExit[] = [];
  const process_ = await startProcess(
    { command: process.execPath, env, cwd: tempDir(), ...options },
    {
      onLine: (line) => {
        lines.push(line);
        order.push(line);
      },
      onOversize: (bytes, head) => oversize.push({ bytes, head }),
      onStderr: (line) => stderr.push(line),
      onExit: (exit) => {
        exits.push(exit);
        order.push('exit');
        atExit(lines);
      },
    },
  );
  atEnd(() => process_.stop());
  const exited = async () => {
    await eventually(() => exits.length > 0, 20_000);
    return exits[0]!;
  };
  return { process: process_, lines, stderr, oversize, order, exits, exited };
}

const script = (name: string, ...args: string[]) => start({ args: [fixture(name), ...args] });
const shell = (name: string, ...args: string[]) => start({ command: '/bin/sh', args: [fixture(name), ...args] });

async function failureOf(options: Partial<ProcessOptions>): Promise<WorkbenchError> {
  const error = await start({ args: [], ...options }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(WorkbenchError);
  return error as WorkbenchError;
}

describe('what a server says', () => {
  it('arrives line by line, in the order in which it was asked', async () => {
    const { process: server, lines } = await script('echo.mjs');
    const sent = ['{"id":1}', 'ünïcode ☃', 'z'.repeat(200_000), 'last'];
    for (const line of sent) server.send(line);
    await eventually(() => lines.length === sent.length);
    expect(lines).toEqual(sent);
  });

  it('arrives whole when a single line has 20 MB', async () => {
    const bytes = 20 * 1024 * 1024;
    const { lines } = await script('big-line.mjs', String(bytes));
    await eventually(() => lines.length === 2, 20_000);
    expect(lines[0]?.length).toBe(bytes);
    expect(lines[1]).toBe('after');
  });

  it('is skipped where a line is too long, and the next line is read', async () => {
    const { lines, oversize } = await start({ args: [fixture('big-line.mjs'), '300000'], maxLineBytes: 100_000 });
    await eventually(() => lines.length === 1);
    expect(lines).toEqual(['after']);
    expect(oversize).toEqual([{ bytes: 300_000, head: 'x'.repeat(256) }]);
  });

  it('is delivered to the last word before the exit is told', async () => {
    const { order, exited, stderr, process: server } = await script('last-words.mjs');
    expect(await exited()).toEqual({ code: 3, signal: null });
    expect(order.length).toBe(1002);
    expect(order.slice(-3)).toEqual(['line 1000', 'the very last', 'exit']);
    expect(stderr).toEqual(['why it failed']);
    expect(server.running).toBe(false);
  });

  it('on stderr is bounded, and the last of it is kept', async () => {
    const { process: server, exited, stderr } = await script('flood-stderr.mjs');
    await exited();
    expect(stderr.length).toBe(20_002);
    const tail = server.stderrTail();
    expect(tail.at(-1)).toBe('the end');
    expect(tail.at(-2)).toBe(`${'y'.repeat(4096)}…`);
    expect(Buffer.byteLength(tail.join('\n'))).toBeLessThanOrEqual(64 * 1024);
  });
});

describe('the exit of a server', () => {
  it.runIf(onPosix)(
    'is told while something it started still holds its pipes, and is the last that is told',
    async () => {
      let left = 0;
      let leftAlive = false;
      const program = { command: '/bin/sh', args: [fixture('leaves-a-child.sh')] };
      const {
        process: server,
        exited,
        order,
      } = await start(program, (lines) => {
        left = Number(lines.find((line) => line !== 'still here'));
        leftAlive = isAlive(left);
      });
      expect(await exited()).toEqual({ code: 7, signal: null });
      expect(leftAlive).toBe(true);
      await server.stop();
      expect(isAlive(left)).toBe(false);
      expect(order.at(-1)).toBe('exit');
    },
  );

  it.runIf(onPosix)('is told with the signal that ended it', async () => {
    const { process: server, exited, lines } = await script('stubborn.mjs');
    await eventually(() => lines.length === 1);
    process.kill(server.pid, 'SIGKILL');
    expect(await exited()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('makes sending harmless', async () => {
    const { process: server, exited } = await script('last-words.mjs');
    server.send('into a pipe that breaks');
    await exited();
    expect(() => server.send('into nothing')).not.toThrow();
    server.send('x'.repeat(100_000));
    await server.stop();
  });

  it.runIf(onPosix).each([
    ['stdin, and so will hear', 0],
    ['stdout, and so can answer', 1],
  ])('is brought about when it has closed its %s nothing more', async (_, pipe) => {
    const { process: server, stderr, exited } = await script('closes-pipe.mjs', String(pipe));
    await eventually(() => stderr.length > 0);
    server.send('anyone there?');
    expect((await exited()).signal).toBe('SIGTERM');
  });
});

describe('stopping a server', () => {
  it('needs no force when it leaves by itself at the end of stdin, having read what was sent', async () => {
    const { process: server, order, exits } = await script('echo.mjs');
    server.send('sent just before');
    await server.stop();
    expect(exits).toEqual([{ code: 0, signal: null }]);
    expect(order).toEqual(['sent just before', 'exit']);
  });

  it('any number of times is stopping it once', async () => {
    const { process: server, exits } = await script('echo.mjs');
    const first = server.stop();
    expect(server.stop()).toBe(first);
    await first;
    await server.stop();
    expect(exits.length).toBe(1);
  });

  it('succeeds when it ignores the end of stdin and SIGTERM', async () => {
    const { process: server, lines, exits } = await script('stubborn.mjs');
    await eventually(() => lines.length === 1);
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect(server.running).toBe(false);
    expect(exits.length).toBe(1);
  });

  it.runIf(onPosix)('ends what runs behind wrappers, and leaves nothing of the group', async () => {
    const { process: server, lines } = await shell(
      'wrapper.sh',
      process.execPath,
      fixture('stubborn.mjs'),
      fixture('stubborn.mjs'),
    );
    await eventually(() => lines.length === 2);
    const pids = canReadProcesses ? childTree(server.pid) : lines.map(Number);
    expect(pids).toEqual(expect.arrayContaining(lines.map(Number)));
    expect(pids.every(isAlive)).toBe(true);
    await server.stop();
    expect([server.pid, ...pids].filter(isAlive)).toEqual([]);
  });

  it.runIf(onPosix)('goes on to what is left when only the wrapper leaves', async () => {
    const left = fixture('stubborn.mjs');
    const command = ['-c', `'${process.execPath}' '${left}' & read -r line; exit 0`];
    const { process: server, lines, exits } = await start({ command: '/bin/sh', args: command });
    await eventually(() => lines.length === 1);
    await server.stop();
    expect(exits).toEqual([{ code: 0, signal: null }]);
    expect(isAlive(Number(lines[0]))).toBe(false);
  });
});

describe('a server that cannot be started', () => {
  it('because "cwd" is missing says so, and does not blame the command', async () => {
    const cwd = join(tempDir(), 'gone');
    const { code, message } = await failureOf({ cwd });
    expect(code).toBe('WB1002');
    expect(message).toBe(`The folder "cwd" does not exist: ${cwd}.`);
  });

  it('because "cwd" is a file says so', async () => {
    const { code, message } = await failureOf({ cwd: fixture('echo.mjs') });
    expect(code).toBe('WB1002');
    expect(message).toContain('is not a folder');
  });

  it('because the command is missing names it', async () => {
    const command = join(tempDir(), 'no-such-program');
    const { code, message } = await failureOf({ command });
    expect(code).toBe('WB1001');
    expect(message).toContain(command);
  });

  it.runIf(onPosix).each([
    ['is not executable', '#!/bin/sh\n', 0o644, 'not allow'],
    ['names a missing interpreter', '#!/no/such/interpreter\n', 0o755, 'first line'],
  ])('because its file %s says so', async (_, text, mode, expected) => {
    const command = join(tempDir(), 'program');
    writeFileSync(command, text);
    chmodSync(command, mode);
    const { code, message } = await failureOf({ command });
    expect(code).toBe('WB1002');
    expect(message).toContain(expected);
  });

  it.each([
    ['an argument', { args: ['topsecret\0'] }],
    ['a variable', { env: { TOKEN: 'topsecret\0' } }],
    ['an argument list too long', { args: Array.from({ length: 40 }, () => `topsecret${'x'.repeat(100_000)}`) }],
  ])('because of %s does not show the value', async (_, options) => {
    const failure = await failureOf(options);
    expect(failure.code).toBe('WB1002');
    expect(JSON.stringify([failure.message, failure.fix, failure.cause ?? null, failure])).not.toContain('topsecret');
  });
});

describe('a server', () => {
  it('does not get a secret of ours that was not declared for it', async () => {
    const inherited = { ...process.env, GITHUB_TOKEN: 'ours', NODE_OPTIONS: '--no-warnings' };
    const built = buildEnvironment({ declared: { MINE: 'declared' }, inherited, platform: process.platform });
    const { lines, exited } = await start({ args: [fixture('print-env.mjs')], env: built });
    await exited();
    const got = JSON.parse(lines[0] ?? '') as Record<string, string>;
    expect(got).toMatchObject({ MINE: 'declared' });
    expect(Object.hasOwn(got, 'GITHUB_TOKEN')).toBe(false);
    expect(Object.hasOwn(got, 'NODE_OPTIONS')).toBe(false);
  });

  it.runIf(process.platform === 'linux')('leaves no open file behind', async () => {
    const count = () => readdirSync('/proc/self/fd').length;
    await (await script('echo.mjs')).process.stop();
    await new Promise((resolve) => setImmediate(resolve));
    const before = count();
    for (let round = 0; round < 5; round++) await (await script('echo.mjs')).process.stop();
    await eventually(() => count() <= before);
  });
});
