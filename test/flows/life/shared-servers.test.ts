import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { repoRoot } from '../../support/program.ts';
import type { ToolResult } from '../../support/sdk-clients.ts';
import { readPids } from '../../wire/leftovers.ts';
import { connectLegacy, connectModern, type FullClient } from '../clients/full-client.ts';
import { startHttpProgram } from '../http-program.ts';

const textOf = ({ content }: ToolResult) => content.map(({ text }) => text ?? '').join('\n');
const count = async (client: FullClient) => Number(textOf(await client.call('test_count')));
const sample = async (client: FullClient) => textOf(await client.call('test_sampling', { prompt: 'x' }));
const said = ['Tool started', 'Tool at work', 'Tool done'];

/** A service with one local server of the handshake era; `state` is what an earlier run has left. */
async function open(settings: object = {}, state?: string) {
  const pidLog = join(tempDir(), 'pids');
  const path = join(repoRoot, 'test/conformance/reference/legacy.mjs');
  // The same server in every run, wherever the configuration is.
  const start = { command: process.execPath, args: [path], cwd: repoRoot, env: { PID_LOG: pidLog } };
  const entry = { ...start, prefix: false, ...settings };
  const env = state === undefined ? {} : { env: { WORKBENCH_STATE: state } };
  const { url, token } = await startHttpProgram({ mode: 'flat', mcpServers: { reference: entry } }, env);
  const door = { url, token };
  return {
    legacy: (name: string) => connectLegacy(door, name),
    modern: (name: string) => connectModern(door, name),
    /** How often the server was started. */
    starts: () => readPids(pidLog).length,
  };
}

async function hearLog(client: FullClient): Promise<void> {
  const before = client.logs.length;
  await client.call('test_tool_with_logging', {}, { logLevel: 'debug' });
  await eventually(() => expect(client.logs.slice(before).map(({ data }) => data)).toEqual(said));
}

describe('a local server of the handshake era that several clients use', () => {
  it('a local server of the handshake era that several clients use is one process as long as it asks and says nothing, for clients of both eras', async () => {
    const { legacy, modern, starts } = await open();
    const clients = [await legacy('ann'), await modern('bob'), await legacy('cleo'), await modern('dan')];
    const counts = await Promise.all(clients.map(count));
    expect(counts.toSorted()).toEqual([1, 2, 3, 4]);
    expect(starts()).toBe(1);
  });

  it('a local server of the handshake era that several clients use is heard whole by whoever comes after another has left', async () => {
    const { legacy, starts } = await open();
    const ann = await legacy('ann');
    await hearLog(ann);
    await ann.close();
    const bob = await legacy('bob');
    for (let times = 0; times < 3; times++) await hearLog(bob);
    expect(starts()).toBe(1);
  });

  it('a local server of the handshake era that several clients use is heard whole by a stateless client, call after call, and by two in turn', async () => {
    const { modern, starts } = await open();
    const [ann, bob] = [await modern('ann'), await modern('bob')];
    for (const client of [ann, ann, bob, ann]) await hearLog(client);
    expect(starts()).toBe(1);
  });

  it('a local server of the handshake era that several clients use asks who is there, goes on with what it has in memory, and is not started again for it', async () => {
    const { legacy, starts } = await open();
    const ann = await legacy('ann');
    for (let times = 0; times < 3; times++) await count(ann);
    expect(await sample(ann)).toContain('ann heard x');
    await ann.close();
    const bob = await legacy('bob');
    expect(await sample(bob)).toContain('bob heard x');
    expect(await count(bob)).toBe(4);
    expect(starts()).toBe(1);
  });

  it("becomes one for each when it asks what could be anybody's: the first keeps its own, the other is told", async () => {
    const { legacy, starts } = await open();
    const [ann, bob] = [await legacy('ann'), await legacy('bob')];
    for (const client of [ann, bob, ann]) await count(client);
    const waiting = bob.call('test_tool_with_logging');
    expect(await sample(ann)).toContain('call again');
    await waiting;
    expect([await sample(ann), await sample(bob)].join()).toMatch(/ann heard x.*bob heard x/);
    expect([await count(ann), await count(bob), starts()]).toEqual([4, 1, 2]);
    const news = { level: 'warning', logger: 'reference', data: expect.stringContaining('a copy of server') };
    expect([ann.logs, bob.logs]).toEqual([[], [news]]);
  });

  it('a local server of the handshake era that several clients use begins as one for each in later runs, so that nobody is refused or moved', async () => {
    const state = join(tempDir(), 'state');
    mkdirSync(state);
    const first = await open({}, state);
    const [ann, bob] = [await first.legacy('ann'), await first.legacy('bob')];
    const waiting = bob.call('test_wait', {}, { signal: AbortSignal.timeout(2_000) }).catch(() => {});
    expect(await sample(ann)).toContain('call again');
    await waiting;
    const second = await open({}, state);
    const clients = [await second.legacy('ann'), await second.modern('bob'), await second.legacy('cleo')];
    expect(await Promise.all(clients.map(sample))).toEqual(clients.map(({ name }) => `LLM response: ${name} heard x`));
    expect(clients.flatMap(({ logs }) => logs)).toEqual([]);
  }, 60_000);

  it('a local server of the handshake era that several clients use runs once for all calls of one stateless client with "perSession"', async () => {
    const { modern, starts } = await open({ sharing: 'perSession' });
    const ann = await modern('ann');
    const counts = await Promise.all(Array.from({ length: 20 }, () => count(ann)));
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    // One that lists are read from, and one for the client.
    expect(starts()).toBe(2);
  });
});
