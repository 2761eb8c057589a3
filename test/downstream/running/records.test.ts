import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRunning } from '../../../src/downstream/running/find-running.ts';
import { findMachineIds, readFacts } from '../../../src/downstream/running/process-facts.ts';
import { parseRecord } from '../../../src/downstream/running/record.ts';
import { writeRunRecord } from '../../../src/downstream/running/run-record.ts';
import { stopRunning } from '../../../src/downstream/running/stop-running.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { canBeTwoUsers, giveAway } from '../../support/other-user.ts';
import { isAlive, tempDir, waitUntilDead } from '../../support/processes.ts';

const since = '2026-11-15T12:00:00.000Z';

/** A process that sleeps, as leader of its group. */
async function startSleeper(script = 'setInterval(() => {}, 1000)'): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`], {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child as ChildProcess & { pid: number };
}

/** Writes a record of its own: what was to be written before is written by then, or never. */
async function writeAnother(): Promise<void> {
  const stateDir = tempDir();
  const record = writeRunRecord({ stateDir });
  record.serving([{ kind: 'stdio' }]);
  await eventually(async () => (await findRunning(stateDir)).length === 1);
  record.close();
}

const beganOf = async (pid: number) => (await readFacts([pid]))?.get(pid)?.began;

function writeRecord(stateDir: string, record: { pid: number } & Record<string, unknown>): string {
  mkdirSync(join(stateDir, 'running'), { recursive: true });
  const file = join(stateDir, 'running', `${record.pid}.json`);
  const text = JSON.stringify({ ground: findMachineIds(), serves: [], servers: [], since, ...record });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const filesOf = (stateDir: string) => readdirSync(join(stateDir, 'running'));

describe('the record of a Workbench', () => {
  it('names it and its servers while they run, and is gone at the end', async () => {
    const stateDir = tempDir();
    const record = writeRunRecord({ stateDir, config: '/x/workbench.jsonc' });
    const { pid } = await startSleeper();
    const ended = record.started('files', pid);
    record.serving([{ kind: 'http', port: 3917 }]);
    const [found] = await eventually(async () => {
      const all = await findRunning(stateDir);
      expect(all[0]?.servers).toHaveLength(1);
      return all;
    });
    expect(found).toMatchObject({
      pid: process.pid,
      state: 'running',
      config: '/x/workbench.jsonc',
      serves: [{ kind: 'http', port: 3917 }],
      servers: [{ name: 'files', pid, state: 'running' }],
    });
    if (process.platform === 'linux') expect(found?.servers[0]?.memoryBytes).toBeGreaterThan(1_000_000);
    ended();
    await eventually(async () => expect((await findRunning(stateDir))[0]?.servers).toEqual([]));
    record.close();
    expect([filesOf(stateDir), await findRunning(stateDir)]).toEqual([[], []]);
  });

  it('is readable by its owner only and holds nothing but what it is for', async () => {
    const stateDir = tempDir();
    const record = writeRunRecord({ stateDir });
    record.serving([{ kind: 'stdio' }]);
    const file = join(stateDir, 'running', `${process.pid}.json`);
    const text = await eventually(() => readFileSync(file, 'utf8'));
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(['began', 'ground', 'pid', 'servers', 'serves', 'since']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    record.close();
  });

  it('is not written any more once it was closed', async () => {
    const stateDir = tempDir();
    const record = writeRunRecord({ stateDir });
    record.serving([{ kind: 'stdio' }]);
    record.close();
    record.started('late', process.pid);
    await writeAnother();
    expect(await findRunning(stateDir)).toEqual([]);
  });

  it('costs nothing but itself when it cannot be written', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const record = writeRunRecord({ stateDir: file });
    record.serving([{ kind: 'stdio' }]);
    await writeAnother();
    record.close();
    expect(await findRunning(file)).toEqual([]);
  });
});

describe('records that are not true any more', () => {
  it('are removed when the process is gone', async () => {
    const stateDir = tempDir();
    writeRecord(stateDir, { pid: 4_000_000, began: '1' });
    expect([await findRunning(stateDir), filesOf(stateDir)]).toEqual([[], []]);
  });

  it('are removed when another process has the id now, and that one is left alone', async () => {
    const stateDir = tempDir();
    const { pid } = await startSleeper();
    writeRecord(stateDir, { pid, began: 'another time' });
    expect(await stopRunning({ stateDir, pid })).toBe('ended');
    expect([isAlive(pid), filesOf(stateDir)]).toEqual([true, []]);
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a process id that means all', { pid: -1 }],
    ['a process id that means the first', { pid: 1 }],
    ['no servers', { pid: 5, ground: 'x', since, serves: [] }],
  ])('or never were, like %s, are not read', (_, content) => {
    expect(parseRecord(typeof content === 'string' ? content : JSON.stringify(content))).toBeUndefined();
  });

  it.runIf(canBeTwoUsers)(
    'are not read when another user has written them, and what they name is left alone',
    async () => {
      const stateDir = tempDir();
      const { pid } = await startSleeper();
      giveAway(writeRecord(stateDir, { pid, began: await beganOf(pid) }));
      expect(await findRunning(stateDir)).toEqual([]);
      expect(await stopRunning({ stateDir, pid })).toBe('ended');
      expect(isAlive(pid)).toBe(true);
    },
  );

  it('are not read when they stand in the file of another process', async () => {
    const stateDir = tempDir();
    const { pid } = await startSleeper();
    const file = writeRecord(stateDir, { pid, began: await beganOf(pid) });
    renameSync(file, join(stateDir, 'running', `${pid + 1}.json`));
    expect(await findRunning(stateDir)).toEqual([]);
  });

  it('of another machine are ignored, and removed only after a week', async () => {
    const stateDir = tempDir();
    const file = writeRecord(stateDir, { pid: process.pid, began: await beganOf(process.pid), ground: 'elsewhere' });
    expect([await findRunning(stateDir), filesOf(stateDir).length]).toEqual([[], 1]);
    utimesSync(file, new Date(0), new Date(0));
    expect([await findRunning(stateDir), filesOf(stateDir).length]).toEqual([[], 0]);
  });

  it('leave out servers that are gone, and their names and ids are checked one by one', async () => {
    const stateDir = tempDir();
    const { pid } = await startSleeper();
    const servers = [
      { name: 'there', pid, began: await beganOf(pid), since },
      { name: 'reused', pid, began: 'before', since },
      { name: 'bad id', pid: '7', since },
      { pid, since },
    ];
    writeRecord(stateDir, { pid: process.pid, began: await beganOf(process.pid), servers });
    expect((await findRunning(stateDir))[0]?.servers.map(({ name }) => name)).toEqual(['there']);
  });
});

describe('ending what runs elsewhere', () => {
  it('is not done on doubt: a process whose beginning nobody wrote down is left alone', async () => {
    const stateDir = tempDir();
    const [bench, server] = [await startSleeper(), await startSleeper()];
    writeRecord(stateDir, { pid: bench.pid, servers: [{ name: 's', pid: server.pid, since }] });
    expect((await findRunning(stateDir))[0]).toMatchObject({ state: 'unknown', servers: [{ state: 'unknown' }] });
    expect(await stopRunning({ stateDir, pid: bench.pid })).toBe('left');
    expect(await stopRunning({ stateDir, pid: bench.pid, server: 's' })).toBe('left');
    expect([isAlive(bench.pid), isAlive(server.pid)]).toEqual([true, true]);
  });

  it.runIf(process.platform !== 'win32')('kills what does not go when it is asked, with its servers', async () => {
    const stateDir = tempDir();
    const bench = await startSleeper("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)");
    const server = await startSleeper("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)");
    const other = await startSleeper();
    const servers = [
      { name: 's', pid: server.pid, began: await beganOf(server.pid), since },
      { name: 'not ours', pid: other.pid, began: 'another time', since },
    ];
    writeRecord(stateDir, { pid: bench.pid, began: await beganOf(bench.pid), servers });
    expect(await stopRunning({ stateDir, pid: bench.pid, waitMs: 200 })).toBe('killed');
    await waitUntilDead([bench.pid, server.pid]);
    expect([isAlive(other.pid), await findRunning(stateDir)]).toEqual([true, []]);
  });

  it('finds servers that a Workbench left behind, and ends them', async () => {
    const stateDir = tempDir();
    const server = await startSleeper();
    const servers = [{ name: 's', pid: server.pid, began: await beganOf(server.pid), since }];
    writeRecord(stateDir, { pid: 4_000_000, began: '1', servers });
    expect(await findRunning(stateDir)).toMatchObject([{ state: 'gone', servers: [{ name: 's', state: 'running' }] }]);
    expect(await stopRunning({ stateDir, pid: 4_000_000 })).toBe('killed');
    await waitUntilDead([server.pid]);
    expect([await findRunning(stateDir), filesOf(stateDir)]).toEqual([[], []]);
  });
});
