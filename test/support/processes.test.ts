import { existsSync, realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atEnd } from './at-end.ts';
import { eventually } from './eventually.ts';
import { canReadProcesses, childTree, isAlive, tempDir, waitUntilDead } from './processes.ts';
import { startRaw } from './raw-client.ts';
import { fixture, wrapped } from './servers.ts';

describe('eventually', () => {
  it('gives the first value that is not false', async () => {
    let round = 0;
    expect(await eventually(() => ++round === 3 && round)).toBe(3);
  });

  it('throws the last failure of the check when the time is up', async () => {
    let round = 0;
    const check = () => {
      throw new Error(`round ${++round}`);
    };
    await expect(eventually(check, 50)).rejects.toThrow(/round [2-9]/);
  });

  it('shows the check when it was false to the end', async () => {
    await expect(eventually(() => 1 + 1 === 3, 20)).rejects.toThrow('still false after 20 ms: () =>');
  });
});

describe('processes', () => {
  it('knows the living from the dead', async () => {
    const { command, args } = fixture('raw-legacy');
    const client = startRaw(command, args);
    expect(isAlive(client.pid)).toBe(true);
    await expect(waitUntilDead([client.pid, process.pid], 60)).rejects.toThrow(
      `still alive: ${client.pid}, ${process.pid}`,
    );
    await client.kill();
    await waitUntilDead([client.pid]);
    expect(isAlive(client.pid)).toBe(false);
  });

  it.skipIf(!canReadProcesses)('counts a process as dead that has ended and was not collected', async () => {
    const client = startRaw('sh', ['-c', 'sleep 0 & echo "{\\"pid\\":$!}"; exec sleep 20']);
    const { message } = await client.waitFor(({ pid }) => pid !== undefined);
    await waitUntilDead([Number(message.pid)]);
    expect(() => process.kill(Number(message.pid), 0)).not.toThrow();
    expect(childTree(client.pid)).toEqual([]);
  });

  const kinds = canReadProcesses ? (['node', 'sh'] as const) : [];
  it.each(kinds)('finds a server behind a %s wrapper, which ends with its stdin', async (kind) => {
    const { command, args } = wrapped(kind, fixture('raw-legacy'));
    const client = startRaw(command, args);
    const { message } = await client.request('tools/call', { name: 'pid' });
    const { pid } = (message.result as unknown as { structuredContent: { pid: number } }).structuredContent;
    expect(pid).not.toBe(client.pid);
    expect(childTree(client.pid)).toEqual([pid]);
    expect(childTree(process.pid)).toEqual(expect.arrayContaining([client.pid, pid]));
    expect(await client.close()).toMatchObject({ code: 0 });
    await waitUntilDead([pid]);
  });

  it.each(kinds)('sees that a server outlives a %s wrapper that is killed', async (kind) => {
    const { command, args } = wrapped(kind, fixture('raw-legacy', { IGNORE_EOF: 1 }));
    const client = startRaw(command, args);
    await client.legacyHandshake();
    const [server = 0] = childTree(client.pid);
    atEnd(() => isAlive(server) && process.kill(server, 'SIGKILL'));
    expect(await client.kill('SIGTERM')).toMatchObject({ signal: 'SIGTERM' });
    expect(isAlive(server)).toBe(true);
  });
});

describe('what belongs to one test', () => {
  const seen: { dir?: string; pid?: number } = {};

  it('gets a folder without symbolic links and a process', () => {
    const { command, args } = fixture('raw-legacy', { IGNORE_EOF: 1 });
    seen.dir = tempDir();
    seen.pid = startRaw(command, args).pid;
    expect(existsSync(seen.dir)).toBe(true);
    expect(realpathSync(seen.dir)).toBe(seen.dir);
    expect(isAlive(seen.pid)).toBe(true);
  });

  it('is gone when that test is over', () => {
    expect(existsSync(seen.dir ?? '.')).toBe(false);
    expect(isAlive(seen.pid ?? process.pid)).toBe(false);
  });
});
