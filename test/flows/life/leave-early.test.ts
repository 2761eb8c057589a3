// @module-tag long
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../../src/index.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempDir, waitUntilDead } from '../../support/processes.ts';
import { startRaw } from '../../support/raw-client.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { aMoment, type Era, eras } from '../support.ts';
import { type Again, firstLines, prime, runOnce, setUpAgain } from './begin-again.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** The program with pipes that the test closes as it likes. */
function startBare(again: Again): { child: Child; written: () => string } {
  const child = spawn(again.command, again.args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...again.env },
    cwd: again.dir,
  });
  atEnd(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  return { child, written: () => written };
}

async function exitOf(child: Child): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

const call = (era: Era) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 'call',
    method: 'tools/call',
    params: {
      name: 'old:echo',
      arguments: { a: 1 },
      ...(era === 'modern' ? JSON.parse(String(firstLines(era, 1)[1])).params : {}),
    },
  });

function idsOf(lines: readonly string[]): string[] {
  return lines.map((line) => /^\{"jsonrpc":"2.0","id":(\d+|"call"|null),/.exec(line)?.[1] ?? line);
}

/** A beginning cut after each of its lines and inside of each. */
function beginnings(era: Era): string[] {
  const lines = [...firstLines(era, 1), call(era)].map((line) => `${line}\n`);
  const starts = lines.map((_, at) => lines.slice(0, at).join(''));
  return [...starts.flatMap((start, at) => [start, `${start}${lines[at]?.slice(0, 20)}`]), lines.join('')];
}

/** Nothing runs on, and nothing half written lies about. */
async function expectNothingLeft(again: Again): Promise<void> {
  await waitUntilDead(again.pids(), 15_000);
  const drafts = readdirSync(join(again.state, 'catalog')).filter((name) => name.endsWith('.tmp'));
  expect(drafts).toEqual([]);
}

describe('a program that is started in a folder that is gone', () => {
  it.runIf(process.platform !== 'win32')(
    'a program that is started in a folder that is gone says so and fails, before it was asked anything',
    async () => {
      const again = setUpAgain({ mode: 'flat' });
      const gone = tempDir();
      const client = startRaw('/bin/sh', ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', again.command, ...again.args], {
        env: again.env,
        cwd: gone,
      });
      const { code, stderr } = await client.exited;
      expect(code).toBe(exitCode.unexpected);
      expect(stderr).toMatch(/^WB1999 .*ENOENT/);
      expect(client.lines).toEqual([]);
    },
  );
});

describe.each(eras)('a %s client that begins as before and leaves in the middle', (era) => {
  it('gets what it asked for, once and nothing else, when it ends its input', async () => {
    const again = setUpAgain({ mode: 'flat' });
    const first = await prime(again, era);
    for (const text of beginnings(era)) {
      const { child, written } = startBare(again);
      child.stdin.end(text);
      const closed = once(child.stdout, 'close');
      expect(await exitOf(child)).toEqual({ code: 0, signal: null });
      await closed;
      const lines = written().split('\n').filter(Boolean);
      assertOnlyMessages(lines);
      // Half a line is no message, and gets its answer, too.
      const asked = [...text.matchAll(/"id":(\d+|"call")(?=.*\n)/g)].map(([, id]) => String(id));
      expect(idsOf(lines).sort()).toEqual([...asked, ...(text === '' || text.endsWith('\n') ? [] : ['null'])].sort());
      for (const [at, answer] of first.entries())
        if (asked.includes(`${at + 1}`)) expect(lines).toContain(`{"jsonrpc":"2.0","id":${at + 1},${answer}`);
    }
    await expectNothingLeft(again);
    expect(await runOnce(again, era)).toEqual(first);
  });

  it('leaves nothing behind when it is gone from one moment to the next', async () => {
    const again = setUpAgain({ mode: 'flat' });
    const first = await prime(again, era);
    for (const text of beginnings(era)) {
      const { child } = startBare(again);
      child.stdin.write(text, () => {
        child.stdin.destroy();
        child.stdout.destroy();
      });
      expect(await exitOf(child)).toEqual({ code: 0, signal: null });
    }
    await expectNothingLeft(again);
    expect(await runOnce(again, era)).toEqual(first);
  });

  it('is noticed when it stops reading and says nothing more', async () => {
    const again = setUpAgain({ mode: 'flat' });
    await prime(again, era);
    const { child } = startBare(again);
    child.stdout.destroy();
    child.stdin.write(`${firstLines(era, 1).join('\n')}\n`);
    expect(await exitOf(child)).toEqual({ code: 0, signal: null });
    await expectNothingLeft(again);
  });

  it.runIf(process.platform !== 'win32')('ends the program by SIGTERM right after the first answer', async () => {
    const again = setUpAgain({ mode: 'flat' });
    const first = await prime(again, era);
    for (let round = 0; round < 4; round++) {
      const { child } = startBare(again);
      child.stdin.write(`${firstLines(era, 1).join('\n')}\n${round % 2 === 0 ? '' : `${call(era)}\n`}`);
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      expect(await exitOf(child)).toEqual({ code: 0, signal: null });
    }
    await expectNothingLeft(again);
    expect(await runOnce(again, era)).toEqual(first);
  });

  it('is answered whole when it does not read for a while', async () => {
    // More than fits into a pipe.
    const again = setUpAgain({ mode: 'flat', more: { big: fixture('raw-legacy', { TOOL_COUNT: 4_000 }) } });
    const first = await prime(again, era);
    const { child, written } = startBare(again);
    child.stdout.pause();
    child.stdin.end(`${[...firstLines(era, 1), call(era)].join('\n')}\n`);
    await aMoment(300);
    const closed = once(child.stdout, 'close');
    child.stdout.resume();
    expect(await exitOf(child)).toEqual({ code: 0, signal: null });
    await closed;
    const lines = written().split('\n').filter(Boolean);
    expect(idsOf(lines).sort()).toEqual(['"call"', '1', '2', '3', '4']);
    for (const [at, answer] of first.entries()) expect(lines).toContain(`{"jsonrpc":"2.0","id":${at + 1},${answer}`);
  });
});
