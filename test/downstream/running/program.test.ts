import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eventually } from '../../support/eventually.ts';
import { childTree, isAlive, tempDir, waitUntilDead } from '../../support/processes.ts';
import { programPath, startProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';

interface Shown extends JsonObject {
  pid: number;
  state: string;
  servers: { name: string; pid: number; state: string; since: string; memoryBytes: number | null }[];
}

/** Programs that share one folder for state, and commands that look into it. */
function createRoom() {
  const state = tempDir();
  const env = { WORKBENCH_STATE: state };
  const run = (...args: string[]) => {
    const all = { ...process.env, ...env, NO_COLOR: '1' };
    return spawnSync(process.execPath, [programPath, ...args], { env: all, encoding: 'utf8', timeout: 25_000 });
  };
  return {
    run,
    records: () => readdirSync(join(state, 'running')),
    shown: () => (JSON.parse(run('ps', '--json').stdout) as { workbenches: Shown[] }).workbenches,
    async start(args: readonly string[] = []) {
      // Over HTTP nobody comes: servers that are not eager would wait for a client.
      const early = args.length === 0 ? {} : { start: 'eager' };
      const mcpServers = { one: { ...fixture('raw-legacy'), ...early }, two: { ...fixture('raw-modern'), ...early } };
      const client = startProgram({ config: { mcpServers }, env, args });
      if (args.length === 0) {
        await client.legacyHandshake();
        await client.request('tools/list');
      }
      await eventually(
        () => expect(this.shown().find(({ pid }) => pid === client.pid)?.servers).toHaveLength(2),
        15_000,
      );
      return client;
    },
  };
}

describe('ps and stop', () => {
  it('say so when nothing runs', () => {
    const { run } = createRoom();
    for (const args of [['ps'], ['stop'], ['stop', 'all']]) {
      const { status, stdout, stderr } = run(...args);
      expect([status, stdout, stderr]).toEqual([0, 'No Workbench is running.\n', '']);
    }
    expect(JSON.parse(run('ps', '--json').stdout)).toEqual({ schemaVersion: 1, workbenches: [] });
    expect(JSON.parse(run('stop', '--json').stdout)).toEqual({ schemaVersion: 1, stopped: [] });
  });

  it('show a Workbench on a pipe with its servers, and nothing when its client has left', async () => {
    const room = createRoom();
    const client = await room.start();
    const [shown] = room.shown();
    expect(shown).toMatchObject({
      pid: client.pid,
      state: 'running',
      config: client.configPath,
      serves: [{ kind: 'stdio' }],
    });
    expect(shown?.servers.map(({ name, state }) => [name, state])).toEqual([
      ['one', 'running'],
      ['two', 'running'],
    ]);
    const table = room.run('ps').stdout;
    expect(table).toMatch(/WORKBENCH +PID +STATE +SINCE +MEMORY +CONFIG/);
    expect(table).toMatch(new RegExp(`✓ stdio +${client.pid} +running +\\d+ s +(\\d+ MB|–) +\\S+`));
    expect(table).toMatch(/✓ {3}one +\d+ +running/);
    await client.close();
    // Before anybody looks: looking sweeps.
    expect([room.records(), room.shown()]).toEqual([[], []]);
  });

  it('end the one that runs, with its servers and its record', async () => {
    const room = createRoom();
    const client = await room.start(['serve', '--http=0', '--no-auth']);
    const pids = room.shown()[0]?.servers.map(({ pid }) => pid) ?? [];
    expect(room.shown()[0]?.serves).toMatchObject([{ kind: 'http', port: expect.any(Number) }]);
    const { status, stdout } = room.run('stop');
    expect([status, stdout]).toEqual([0, `✓ Workbench ${client.pid} has ended\n`]);
    await waitUntilDead([client.pid, ...pids]);
    expect([(await client.exited).code, room.records()]).toEqual([0, []]);
  });

  it('ask which one when several run, and end the one that is named', async () => {
    const room = createRoom();
    const [first, second] = [await room.start(), await room.start()];
    const asked = room.run('stop');
    expect(asked.status).toBe(2);
    expect(asked.stderr).toContain('2 Workbenches are running; say which one to stop.');
    for (const { pid } of [first, second]) expect(asked.stdout).toContain(String(pid));
    const wrong = room.run('stop', '12x');
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('No Workbench "12x" is running.')]);
    expect(room.run('stop', String(first.pid)).status).toBe(0);
    await first.exited;
    expect(isAlive(second.pid)).toBe(true);
    expect(JSON.parse(room.run('stop', 'all', '--json').stdout).stopped).toEqual([
      { pid: second.pid, outcome: 'ended' },
    ]);
    await second.exited;
  });

  it('end one server, which the next call starts again', async () => {
    const room = createRoom();
    const client = await room.start();
    const before = room.shown()[0]?.servers.find(({ name }) => name === 'one')?.pid ?? 0;
    const { status, stdout } = room.run('stop', '--server', 'one');
    expect([status, stdout]).toEqual([0, `✓ Server 'one' of Workbench ${client.pid} has ended\n`]);
    await waitUntilDead([before]);
    const answer = await client.request('tools/call', { name: 'two:echo', arguments: { a: 1 } });
    expect(answer.message).toMatchObject({ result: { content: [{ text: '{"a":1}' }] } });
    const again = await client.request('tools/call', { name: 'one:echo', arguments: { b: 2 } });
    expect(again.message).toMatchObject({ result: { content: [{ text: '{"b":2}' }] } });
    await eventually(() => {
      const after = room.shown()[0]?.servers.find(({ name }) => name === 'one')?.pid;
      expect([undefined, before]).not.toContain(after);
    });
    const wrong = room.run('stop', '--server', 'onee');
    expect([wrong.status, wrong.stderr]).toEqual([5, expect.stringContaining('Did you mean: one')]);
    await client.close();
  });

  it.runIf(process.platform === 'linux')(
    'know a Workbench that was killed as gone, and leave nothing of it',
    async () => {
      const room = createRoom();
      const client = await room.start();
      const pids = childTree(client.pid);
      await client.kill('SIGKILL');
      room.run('stop', 'all');
      await waitUntilDead(pids);
      expect([room.shown(), room.records()]).toEqual([[], []]);
    },
  );

  it('explain themselves', () => {
    const { run } = createRoom();
    expect(run('ps', '--help').stdout).toContain('mcp-workbench ps');
    expect(run('stop', '--help').stdout).toContain('--server NAME');
  });
});
