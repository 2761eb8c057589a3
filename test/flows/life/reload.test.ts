import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eventually } from '../../support/eventually.ts';
import { canReadProcesses, childTree, waitUntilDead } from '../../support/processes.ts';
import { startProgram } from '../../support/program.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { fixture } from '../../support/servers.ts';
import { startHttpProgram } from '../http-program.ts';

const onWindows = process.platform === 'win32';
const server = (options: Record<string, string> = {}) => fixture('raw-legacy', options);
const toFile = (mcpServers: JsonObject) => JSON.stringify({ mcpServers }, null, 2);
const both = { steady: server(), other: server() } as unknown as JsonObject;
const changed = { steady: server(), other: server({ NAME: 'changed' }) } as unknown as JsonObject;

type Run = Awaited<ReturnType<typeof start>>;

async function start(args: readonly string[] = []) {
  const client = startProgram({ config: toFile(both), args });
  await client.legacyHandshake();
  await client.request('tools/list');
  const call = async (name: string, given: JsonObject = {}): Promise<JsonObject> => {
    const { message } = await client.request('tools/call', { name, arguments: given }, { timeoutMs: 20_000 });
    return (message.result ?? message.error) as JsonObject;
  };
  const pidOf = async (name: string) => ((await call(`${name}:pid`)).structuredContent as { pid: number }).pid;
  const edit = (text: string) => writeFileSync(client.configPath, text);
  const tools = async () => {
    const { message } = await client.request('tools/list');
    return ((message.result as JsonObject).tools as JsonObject[]).map(({ name }) => String(name));
  };
  return { client, call, pidOf, edit, tools };
}

/** Waits until so many reloads have been reported. */
const reloaded = (client: RawClient, times = 1) =>
  eventually(() => client.stderr.split('configuration reloaded').length > times, 10_000);
const changes = ({ messages }: RawClient) =>
  messages.filter(({ message }) => message.method === 'notifications/tools/list_changed').length;
const owns = (tools: readonly string[], name: string) => tools.some((tool) => tool.startsWith(`${name}:`));

async function replaceOther({ client, call, pidOf, edit }: Run): Promise<void> {
  const before = [await pidOf('steady'), await pidOf('other')];
  const calls = ['steady', 'other'].map((name) => call(`${name}:slow`, { ms: 2_500 }));
  edit(toFile(changed));
  await reloaded(client);
  const after = [await pidOf('steady'), await pidOf('other')];
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
  for (const answer of await Promise.all(calls))
    expect(answer).toMatchObject({ content: [{ text: expect.stringContaining('done') }] });
  await waitUntilDead([before[1] ?? 0]);
}

describe('an edit of the configuration file while the program runs', () => {
  it('an edit of the configuration file while the program runs gives a changed server a new process, lets its old calls end, and leaves the others alone', async () => {
    const run = await start();
    await replaceOther(run);
    expect(run.client.stderr).toContain('kept: 1; replaced: other');
    expect(changes(run.client)).toBe(0);
    await run.client.close();
  });

  it('an edit of the configuration file while the program runs makes the tools of a removed server vanish and those of an added one appear, and tells the client', async () => {
    const { client, edit, tools } = await start();
    edit(toFile({ steady: server() } as unknown as JsonObject));
    await eventually(() => changes(client) === 1, 10_000);
    expect(owns(await tools(), 'other')).toBe(false);
    edit(toFile({ steady: server(), added: server() } as unknown as JsonObject));
    await eventually(() => changes(client) === 2, 10_000);
    expect(owns(await tools(), 'added')).toBe(true);
    await client.close();
  });

  it('an edit of the configuration file while the program runs that is no JSON keeps everything and says why once; the corrected one applies', async () => {
    const { client, edit, pidOf } = await start();
    const pid = await pidOf('other');
    edit('{ "mcpServers": { "steady": { "command" } } }');
    await eventually(() => client.stderr.includes('workbench-config.json:1:'), 10_000);
    expect(await pidOf('other')).toBe(pid);
    expect(client.stderr).not.toContain('configuration reloaded');
    edit(toFile(changed));
    await reloaded(client);
    expect(client.stderr.split('workbench-config.json:1:')).toHaveLength(2);
    expect(await pidOf('other')).not.toBe(pid);
    await client.close();
  });

  it('by a file that takes its place counts', async () => {
    const { client, pidOf } = await start();
    const pid = await pidOf('other');
    writeFileSync(join(client.dir, 'new'), toFile(changed));
    renameSync(join(client.dir, 'new'), client.configPath);
    await reloaded(client);
    expect(await pidOf('other')).not.toBe(pid);
    await client.close();
  });

  it.skipIf(onWindows)(
    'an edit of the configuration file while the program runs waits for SIGHUP with --no-watch',
    async () => {
      const { client, edit, pidOf } = await start(['--no-watch']);
      const pid = await pidOf('other');
      process.kill(client.pid, 'SIGHUP');
      await eventually(() => client.stderr.includes('configuration read again: nothing has changed'));
      edit(toFile(changed));
      process.kill(client.pid, 'SIGHUP');
      await reloaded(client);
      expect(await pidOf('other')).not.toBe(pid);
      expect(await client.close()).toMatchObject({ code: 0 });
    },
  );

  it('an edit of the configuration file while the program runs applies to a service over HTTP, which says what it cannot change', async () => {
    const { program } = await startHttpProgram({ mcpServers: both });
    const { configPath } = program as RawClient & { configPath: string };
    writeFileSync(configPath, JSON.stringify({ mcpServers: both, pageSize: 5, http: { host: '::1' } }));
    await reloaded(program);
    expect(program.stderr).toMatch(/take effect when the Workbench is started again.*http/);
    await program.kill('SIGTERM');
  });
});

describe('100 reloads under continuous calls', () => {
  it.skipIf(onWindows)(
    '100 reloads under continuous calls cost an untouched server no call and leave no process and no file open',
    { timeout: 120_000, tags: 'long' },
    async () => {
      const { client, call, pidOf, edit } = await start(['--no-watch']);
      const pid = await pidOf('steady');
      const openFiles = () => (canReadProcesses ? readdirSync(`/proc/${client.pid}/fd`).length : 0);
      const processes = () => (canReadProcesses ? childTree(client.pid).length : 0);
      const before = [openFiles(), processes()];
      let running = true;
      let answered = 0;
      const failures: JsonObject[] = [];
      const caller = async (a: number) => {
        while (running) {
          const answer = await call('steady:add', { a, b: answered });
          if ((answer.structuredContent as JsonObject | undefined)?.sum === undefined) failures.push(answer);
          answered++;
        }
      };
      const callers = [1, 2, 3, 4].map(caller);
      for (let round = 1; round <= 100; round++) {
        edit(toFile({ steady: server(), other: server({ NAME: `round-${round}` }) } as unknown as JsonObject));
        process.kill(client.pid, 'SIGHUP');
        await reloaded(client, round);
      }
      running = false;
      await Promise.all(callers);
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(100);
      expect(await pidOf('steady')).toBe(pid);
      await eventually(() => expect([openFiles(), processes()]).toEqual(before), 10_000);
      await client.close();
    },
  );
});
