// @module-tag large
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { eventually } from '../support/eventually.ts';
import { canReadProcesses, childTree, tempDir, waitUntilDead } from '../support/processes.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient, RawExit } from '../support/raw-client.ts';
import { fixture, wrapped } from '../support/servers.ts';
import { assertOnlyMessages } from '../support/wire-check.ts';
import { findProcesses, readPids } from './leftovers.ts';

const onWindows = process.platform === 'win32';
type Manners = Readonly<Record<string, number>>;
const stubborn: Manners = { IGNORE_EOF: 1, IGNORE_TERM: 1 };

interface Run {
  readonly client: RawClient;
  readonly pidLog: string;
  /** What is alive of it now. */
  left(): number[];
}

/** The program in mode flat, so that it starts all its servers at once: some behind wrappers, one of each era. */
async function startRun(wrapper: 'sh' | 'node', manners: Manners): Promise<Run> {
  const pidLog = join(tempDir(), 'pids');
  const options = { PID_LOG: pidLog, ...manners };
  const mcpServers = {
    plain: fixture('raw-modern', options),
    wrapped: wrapped(wrapper, fixture('raw-legacy', options)),
    ...(wrapper === 'sh' ? { twice: wrapped('sh', wrapped('node', fixture('raw-legacy', options))) } : {}),
  };
  const client = startProgram({ config: { mcpServers } });
  await client.legacyHandshake();
  return { client, pidLog, left: () => findProcesses({ dir: client.dir, pidLog }) };
}

async function call(client: RawClient, name: string, args: JsonObject = {}): Promise<JsonObject> {
  const { message } = await client.request('tools/call', { name, arguments: args });
  return message.result as JsonObject;
}

const isReady = (client: RawClient) => client.request('tools/list');

/** Nothing is left of a run two seconds after its end; what may not have noted its id yet is looked for, too. */
async function expectNothingLeft(run: Run, limitMs = 2_000): Promise<void> {
  await waitUntilDead(readPids(run.pidLog), limitMs);
  await eventually(() => expect(run.left()).toEqual([]), limitMs);
  assertOnlyMessages(run.client.lines);
}

const endings: readonly { how: string; code: number; end(client: RawClient): Promise<RawExit> }[] = [
  { how: 'the end of its input', code: 0, end: (client) => client.close() },
  { how: 'SIGTERM', code: 0, end: (client) => client.kill('SIGTERM') },
  { how: 'SIGINT', code: 130, end: (client) => client.kill('SIGINT') },
];
const kinds: readonly { kind: string; manners: Manners }[] = [
  { kind: 'polite servers', manners: {} },
  { kind: 'servers that ignore the end of their input', manners: { IGNORE_EOF: 1 } },
  { kind: 'servers that also ignore SIGTERM', manners: stubborn },
];
const wrappers = onWindows ? (['node'] as const) : (['node', 'sh'] as const);
const cycles = kinds.flatMap(({ kind, manners }) =>
  wrappers.flatMap((wrapper) =>
    endings
      // Windows has no signals: a process is ended there, not asked.
      .filter(({ how }) => !onWindows || !how.startsWith('SIG'))
      .map((ending) => ({ kind, manners, wrapper, ...ending })),
  ),
);
/** At which moment the program is ended: three cycles a row, 54 in all. */
const moments: readonly ((client: RawClient) => Promise<unknown>)[] = [
  async () => {},
  isReady,
  (client) => isReady(client).then(() => call(client, 'wrapped:echo')),
];

describe('a program that ends', () => {
  it.each(cycles)('by $how leaves nothing behind of $kind behind $wrapper', async ({ manners, wrapper, code, end }) => {
    await Promise.all(
      moments.map(async (reach) => {
        const run = await startRun(wrapper, manners);
        await reach(run.client);
        expect(await end(run.client)).toMatchObject({ code, signal: null });
        await expectNothingLeft(run);
      }),
    );
  });

  it('with a call under way that hangs waits for its limit and leaves nothing behind', { tags: 'long' }, async () => {
    const run = await startRun('node', stubborn);
    await isReady(run.client);
    run.client.request('tools/call', { name: 'wrapped:hang', arguments: {} }, { timeoutMs: 20_000 }).catch(() => {});
    await run.client.request('ping');
    expect(await run.client.close(14_000)).toMatchObject({ code: 0, signal: null });
    await expectNothingLeft(run);
  });

  it.each(wrappers)(
    'a program that ends because it was killed outright leaves nothing behind of servers behind %s',
    async (wrapper) => {
      const run = await startRun(wrapper, stubborn);
      await isReady(run.client);
      const tree = canReadProcesses ? childTree(run.client.pid) : readPids(run.pidLog);
      // Two servers, a wrapper and, where there is one, the helper that outlives the program.
      expect(tree.length).toBeGreaterThanOrEqual(canReadProcesses ? 4 : 2);
      await run.client.kill('SIGKILL');
      await waitUntilDead(tree, 3_000);
      await expectNothingLeft(run);
    },
  );
});

describe('a server that dies', () => {
  it('by SIGKILL while it is idle is started again by the next call', async () => {
    const { client } = await startRun('node', {});
    await isReady(client);
    const pids = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const { pid } = (await call(client, 'plain:pid')).structuredContent as { pid: number };
      pids.add(pid);
      process.kill(pid, 'SIGKILL');
      // A call in the very moment of its death may be lost with it; once the program knows, none may be.
      await eventually(() => client.stderr.split("Server 'plain' ").length === round + 2);
    }
    expect(pids.size).toBe(5);
    await client.close();
  });

  // Open files can be counted where they are listed as files. One that dies a fifth time in a row would be left alone.
  it.skipIf(!canReadProcesses)(
    'a server that dies twenty times, between 200 calls, costs no open file',
    { tags: 'long' },
    async () => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const mcpServers = Object.fromEntries(names.map((name) => [name, wrapped('node', fixture('raw-legacy'))]));
      const client = startProgram({ config: { mcpServers } });
      await client.legacyHandshake();
      const openFiles = () => readdirSync(`/proc/${client.pid}/fd`).length;
      const echoAll = () => Promise.all(names.map((name) => call(client, `${name}:echo`)));
      await isReady(client);
      await echoAll();
      const before = openFiles();
      for (let round = 0; round < 20; round++) {
        const name = names[round % names.length];
        const answers = Array.from({ length: 10 }, (_, index) => call(client, `${name}:add`, { a: round, b: index }));
        expect((await Promise.all(answers)).map(({ structuredContent }) => structuredContent)).toEqual(
          answers.map((_, index) => ({ sum: round + index })),
        );
        expect(await call(client, `${name}:exit`, { code: 3 })).toMatchObject({ isError: true });
      }
      await echoAll();
      await eventually(() => expect(Math.abs(openFiles() - before)).toBeLessThanOrEqual(3));
      await client.close();
    },
  );
});
