// @module-tag large
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { prepareProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { type EraClient, eras, errorOf, startEra, textOf } from '../support.ts';

const mcpServers = { good: fixture('raw-legacy'), server: fixture('raw-modern') };
const expectNeighbour = async (client: EraClient) => {
  expect(textOf(await client.call('good:echo', { a: 1 }))).toBe('{"a":1}');
  assertOnlyMessages(client.lines);
};

describe.each(eras)('a client of the %s era', (era) => {
  it('is told no more progress of a flood than it can read, and the last of it before the answer', async () => {
    const client = await startEra(era, { config: { mcpServers } });
    const count = 20_000;
    const answer = await client.call('server:progress_burst', { count }, { progressToken: 'p' });
    expect(textOf(answer)).toBe(`burst of ${count}`);
    const told = client.heard('notifications/progress').map(({ progress }) => progress);
    expect(told.length).toBeLessThan(count / 2);
    expect([told.slice(0, 1_000).at(-1), told.at(-1)]).toEqual([1_000, count]);
    expect(client.messages.at(-1)?.message.result).toBeDefined();
    await expectNeighbour(client);
    await eventually(() => expect(client.stderr).toMatch(/WB1022|were left out so far/), 5_000);
    expect(textOf(await client.call('server:echo', { b: 2 }))).toBe('{"b":2}');
  });

  it('is told at once that a server does not read, until it does; other servers are not touched', async () => {
    const client = await startEra(era, { config: { limits: { pendingBytes: 1_000_000 }, mcpServers } });
    expect(textOf(await client.call('server:deaf', { ms: 3_000 }))).toBe('deaf');
    const large = { text: 'x'.repeat(1_000_000) };
    for (const id of ['one', 'two', 'three'])
      client.post('tools/call', { name: 'server:echo', arguments: large }, { id });
    const refused = { code: -32000, message: expect.stringMatching(/^busy: server 'server' does not read/) };
    expect(errorOf(await client.call('server:echo', { c: 3 }))).toMatchObject(refused);
    await expectNeighbour(client);
    const again = async () => expect(textOf(await client.call('server:echo', { d: 4 }))).toBe('{"d":4}');
    await eventually(again, 10_000);
  });
});

describe('a client that does not read', () => {
  it('a client that does not read is given up as if it had gone, and nothing is left running', async () => {
    const { command, args, env, dir } = prepareProgram({ config: { limits: { pendingBytes: 1_000_000 }, mcpServers } });
    const child = spawn(command, args, { cwd: dir, env: { ...process.env, ...env }, stdio: 'pipe' });
    atEnd(() => void child.kill('SIGKILL'));
    child.stdin.on('error', () => {});
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const send = (message: JsonObject) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'c', version: '1' };
    send({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    send({ method: 'notifications/initialized' });
    for (let id = 1; id <= 20; id++)
      send({ id, method: 'tools/call', params: { name: 'good:big', arguments: { bytes: 500_000 } } });
    expect(await exited).toBe(0);
    expect(stderr).toContain('the client does not read');
  });
});
