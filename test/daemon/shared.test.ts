// @module-tag large
import { copyFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { eventually } from '../support/eventually.ts';
import { canReadProcesses } from '../support/processes.ts';
import { programPath } from '../support/program.ts';
import { startRaw } from '../support/raw-client.ts';
import { type Connect, connectV1, connectV2Legacy, connectV2Modern } from '../support/sdk-clients.ts';
import { fixture } from '../support/servers.ts';
import { callOne, greet, openHousehold, writeConfig } from './household.ts';

const toolNames = (list: { message: JsonObject }) =>
  ((list.message.result as JsonObject).tools as JsonObject[]).map(({ name }) => String(name));

describe('clients that attach to one configuration', () => {
  it.each([2, 8])(
    '%i at once: share one daemon and one process of each server, and get their own answers',
    async (count) => {
      const house = openHousehold();
      const clients = Array.from({ length: count }, () => house.attach());
      await Promise.all(clients.map(greet));
      const answers = await Promise.all(
        clients.flatMap((client, at) =>
          [1, 2, 3].map((turn) => callOne(client, 'echo', { from: `client ${at}`, turn })),
        ),
      );
      expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
        clients.flatMap((_, at) => [1, 2, 3].map((turn) => ({ from: `client ${at}`, turn }))),
      );
      const pids = await Promise.all(clients.map(async (client) => (await callOne(client, 'pid')).structuredContent));
      expect(new Set(pids.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(house.starts()).toHaveLength(1);
      expect(await house.status()).toMatchObject({ running: true, clients: count, config: house.configPath });
      for (const client of clients) {
        expect(await client.close()).toMatchObject({ code: 0 });
        expect(client.messages).toHaveLength(client.lines.length);
      }
      expect(await house.status()).toMatchObject({ running: true, clients: 0 });
    },
  );

  it('find the same servers again when all have left for a moment', async () => {
    const house = openHousehold();
    const first = house.attach();
    await greet(first);
    await first.close();
    const second = house.attach();
    await greet(second);
    await callOne(second, 'echo');
    expect(house.starts()).toHaveLength(1);
    expect(second.stderr).toContain('attached to the daemon');
  });

  it('do not load the program: its small entry and the shim are all they need', async () => {
    const house = openHousehold();
    const daemon = house.daemon();
    await eventually(() => daemon.stderr.includes('serving'), 15_000);
    const alone = join(house.dir, 'entry.cjs');
    const shim = join(house.dir, 'attach.cjs');
    copyFileSync(programPath, alone);
    copyFileSync(join(dirname(programPath), 'attach.cjs'), shim);
    expect(statSync(alone).size + statSync(shim).size).toBeLessThan(60_000);
    const args = [alone, 'attach', '--config', house.configPath];
    const client = startRaw(process.execPath, args, { env: house.env, cwd: house.dir });
    await greet(client);
    await callOne(client, 'echo');
    expect(await client.close()).toMatchObject({ code: 0 });
  });

  it('have a mode, a separator and a name of their own', async () => {
    const house = openHousehold();
    const clients = [
      house.attach(),
      house.attach(['--mode', 'meta']),
      house.attach(['--separator', '__', '--name', 'mine', '--version', '9']),
    ];
    const [plain, meta, other] = await Promise.all(
      clients.map(async (client) => {
        const { message } = await client.legacyHandshake();
        return {
          server: (message.result as JsonObject).serverInfo,
          tools: toolNames(await client.request('tools/list')),
        };
      }),
    );
    expect(plain?.tools).toContain('one:echo');
    expect(meta?.tools).toEqual(['open_toolbox', 'use_tool']);
    expect(other?.tools).toContain('one__echo');
    expect(other?.server).toMatchObject({ name: 'mine', version: '9' });
    expect(house.starts()).toHaveLength(1);
  });

  it('hear progress of their own calls only, and can cancel them', async () => {
    const house = openHousehold();
    const [one, two] = [house.attach(), house.attach()];
    await Promise.all([one, two].map(greet));
    const params = { name: 'one:slow', arguments: { ms: 50, steps: 2 }, _meta: { progressToken: 'p' } };
    const cancelled = one.request('tools/call', { name: 'one:slow', arguments: { ms: 60_000 } }, { id: 'long' });
    await one.request('tools/call', params);
    const heard = ({ messages }: typeof one) =>
      messages.filter(({ message }) => message.method === 'notifications/progress').length;
    expect([heard(one), heard(two)]).toEqual([2, 0]);
    one.notify('notifications/cancelled', { requestId: 'long' });
    // The answer, if any, must not keep the client from leaving.
    cancelled.catch(() => {});
    expect(await one.close()).toMatchObject({ code: 0 });
    await callOne(two, 'echo');
  });

  it('are asked what their own calls make a server ask', async () => {
    const house = openHousehold({ config: { mcpServers: { one: fixture('raw-asking') } } });
    const client = house.attach();
    await client.legacyHandshake('2025-11-25', { elicitation: {} });
    await client.request('tools/list');
    const order = callOne(client, 'order', { item: 'tea' });
    const question = await client.waitFor(({ method }) => method === 'elicitation/create', 15_000);
    const result = { action: 'accept', content: { count: 3 } };
    client.send(JSON.stringify({ jsonrpc: '2.0', id: question.message.id, result }));
    expect(await order).toMatchObject({ content: [{ text: 'ordered 3 of tea' }] });
  });

  it('see a changed configuration', async () => {
    const house = openHousehold();
    const clients = [house.attach(), house.attach()];
    await Promise.all(clients.map(greet));
    writeConfig(house.configPath, { mcpServers: { other: fixture('raw-legacy') } });
    for (const client of clients) {
      await client.waitFor(({ method }) => method === 'notifications/tools/list_changed', 15_000);
      await eventually(async () => {
        expect(toolNames(await client.request('tools/list'))).toContain('other:echo');
      }, 15_000);
    }
  });

  it.skipIf(process.platform === 'win32')('have it read at once when one of them gets a SIGHUP', async () => {
    const house = openHousehold();
    const daemon = house.daemon('--no-watch');
    await eventually(() => daemon.stderr.includes('serving'), 15_000);
    const client = house.attach();
    await greet(client);
    writeConfig(house.configPath, { mcpServers: { other: fixture('raw-legacy') } });
    process.kill(client.pid, 'SIGHUP');
    await client.waitFor(({ method }) => method === 'notifications/tools/list_changed', 15_000);
    expect(daemon.stderr).toContain('configuration reloaded');
  });

  it.skipIf(!canReadProcesses)('are shown by ps with their servers, and ended by stop', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const { pid } = await house.status();
    // What runs is written down a moment after it was started.
    await eventually(async () => {
      const { workbenches } = JSON.parse((await house.run('ps', '--json')).stdout);
      expect(workbenches).toMatchObject([{ pid, serves: [{ kind: 'daemon' }], servers: [{ name: 'one' }] }]);
    });
    expect((await house.run('stop', String(pid))).stdout).toContain('has ended');
    expect(await client.exited).toMatchObject({ code: 0, stderr: expect.stringContaining('was stopped') });
    await eventually(() => house.processes().length === 0, 10_000);
  });
});

const sdks: [string, Connect][] = [
  ['SDK 1', connectV1],
  ['SDK 2 in the handshake era', connectV2Legacy],
  ['SDK 2 of 2026-07-28', connectV2Modern],
];

describe('through attach', () => {
  it.each(sdks)('%s lists, calls and hears progress', async (_name, connect) => {
    const house = openHousehold();
    const args = [programPath, 'attach', '--config', house.configPath];
    const clients = await Promise.all([1, 2].map(() => connect(process.execPath, args, house.env, house.dir)));
    for (const [at, client] of clients.entries()) {
      expect((await client.listTools()).map(({ name }) => name)).toContain('one:echo');
      const steps: number[] = [];
      await client.callTool('one:slow', { ms: 200, steps: 3 }, { onProgress: ({ progress }) => steps.push(progress) });
      // Both SDKs may lose what they read together with the answer.
      expect([1, 2, 3].slice(0, steps.length)).toEqual(steps);
      expect(steps.length).toBeGreaterThan(0);
      expect((await client.callTool('one:echo', { at })).structuredContent).toEqual({ at });
    }
    expect(house.starts()).toHaveLength(1);
    await Promise.all(clients.map((client) => client.close()));
  });
});
