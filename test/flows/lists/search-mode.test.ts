import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { openHousehold } from '../../daemon/household.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram, programPath } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import type { TransportClient } from '../clients/transport-client.ts';
import { connectV1Http, connectV1Stdio, connectV2Http, connectV2Stdio } from '../clients/transport-sdk.ts';
import { exchange } from '../http-exchange.ts';
import { type HttpProgram, startHttpProgram } from '../http-program.ts';
import { type Era, eras, resultOf, startEra, textOf, toEraClient } from '../support.ts';

const config = {
  mode: 'search',
  mcpServers: {
    old: fixture('raw-legacy'),
    new: fixture('raw-modern'),
    late: fixture('raw-legacy', { START_DELAY_MS: 400 }),
  },
};
const toolsOf = (message: JsonObject) => JSON.stringify(resultOf(message).tools);

interface Found {
  readonly matches: readonly JsonObject[];
  readonly weak?: boolean;
  readonly notShown?: readonly JsonObject[];
}

function foundIn(result: JsonObject): Found[] {
  return (result.structuredContent as unknown as { results: Found[] }).results;
}

/** One request over HTTP, as the client of an era sends it. */
async function listOverHttp({ url, token }: HttpProgram, era: Era): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const ask = async (body: JsonObject, more: Record<string, string>) => {
    const messages: JsonObject[] = [];
    const { opened, ended } = exchange(url, {
      headers: { ...headers, ...more },
      body,
      onMessage: (each) => void messages.push(each),
    });
    const session = (await opened).headers['mcp-session-id'];
    await ended;
    return { message: messages.at(-1) ?? {}, session: String(session) };
  };
  if (era === 'modern') {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: withEnvelope({}) };
    return toolsOf((await ask(body, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' })).message);
  }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const { session } = await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, {});
  return toolsOf(
    (await ask({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }, { 'mcp-session-id': session })).message,
  );
}

describe('the list of mode search', () => {
  it('is byte for byte the same for clients of both eras, at a pipe, over HTTP and at the daemon, before and after calls', async () => {
    const lists: string[] = [];
    for (const era of eras) {
      const client = await startEra(era, { config });
      const ask = async () => lists.push(toolsOf(await client.ask('tools/list')));
      await ask();
      await client.call('search_tools', { queries: ['echo'] });
      await client.call('open_toolbox', { toolbox: 'old' });
      await client.call('use_tool', { tool: { toolbox: 'new', server: 'new', name: 'echo' }, arguments: {} });
      await ask();
      await client.close();
    }
    const service = await startHttpProgram(config);
    for (const era of eras) lists.push(await listOverHttp(service, era));
    const house = openHousehold({ config });
    for (const era of eras) {
      const raw = house.attach();
      if (era === 'legacy') await raw.legacyHandshake();
      lists.push(toolsOf(await toEraClient(era, raw).ask('tools/list')));
    }
    expect(lists).toHaveLength(8);
    expect(new Set(lists).size).toBe(1);
    expect(JSON.parse(lists[0] ?? '')).toHaveLength(5);
  });
});

describe('mode search through real clients', () => {
  let service: HttpProgram;
  const house = () => {
    const { configPath, env, dir } = openHousehold({ config });
    return { command: process.execPath, args: [programPath, 'attach', '--config', configPath], env, dir };
  };
  beforeAll(async () => {
    service = await startHttpProgram(config);
  });

  const doors: [string, () => Promise<TransportClient>][] = [
    ['SDK 1 at a pipe', () => connectV1Stdio(prepareProgram({ config }))],
    ['SDK 2, stateless, at a pipe', () => connectV2Stdio('modern', prepareProgram({ config }))],
    ['SDK 1 over HTTP', () => connectV1Http(service)],
    ['SDK 2, handshake, over HTTP', () => connectV2Http('legacy', service)],
    ['SDK 2, stateless, over HTTP', () => connectV2Http('modern', service)],
    ['SDK 1 at the daemon', () => connectV1Stdio(house())],
    ['SDK 2, stateless, at the daemon', () => connectV2Stdio('modern', house())],
  ];
  it.each(doors)('%s calls every match as it was returned', async (_door, connect) => {
    const client = await connect();
    const { result = {} } = await client.call('search_tools', { queries: ['echo', 'add two numbers'], limit: 3 });
    const found = foundIn(result);
    expect(found).toHaveLength(2);
    for (const { matches } of found) {
      expect(matches.length).toBeGreaterThan(0);
      const scores = matches.map(({ score }) => Number(score));
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
    const echoes = found.flatMap(({ matches }) => matches).filter(({ name }) => name === 'echo');
    expect(echoes.map(({ server }) => server).sort()).toEqual(['late', 'new', 'old']);
    for (const { score: _score, ...tool } of echoes) {
      const { result: answer = {} } = await client.call('use_tool', { tool, arguments: { a: 1 } });
      expect(answer.structuredContent).toEqual({ a: 1 });
    }
    await client.close();
  });
});

describe('a search while servers are not there', () => {
  it('finds the tools of a server that cannot be started any more, with its state in the line', async () => {
    const flag = join(tempDir(), 'broken');
    const script = `if (require('node:fs').existsSync(${JSON.stringify(flag)})) process.exit(3); import(${JSON.stringify(fixture('raw-legacy').args[0])})`;
    const shaky = { command: process.execPath, args: ['-e', script] };
    const start = prepareProgram({ config: { mode: 'search', mcpServers: { shaky } } });
    const first = await connectV1Stdio(start);
    await first.call('search_tools', { queries: ['echo'] });
    await first.close();
    writeFileSync(flag, '');
    expect(existsSync(flag)).toBe(true);
    const second = await connectV1Stdio(start);
    const failed = await second.call('use_tool', { tool: { toolbox: 'shaky', server: 'shaky', name: 'echo' } });
    expect(failed.result?.isError).toBe(true);
    const { result = {} } = await second.call('search_tools', { queries: ['echo'] });
    expect(foundIn(result)[0]?.matches[0]).toMatchObject({ server: 'shaky', name: 'echo' });
    expect(textOf({ result })).toMatch(/^shaky\.echo\([^)]*\) \[server (failing|down)\]/);
    await second.close();
  });

  it('says which servers are not known: still starting, failed, disabled', async () => {
    const client = await startEra('legacy', {
      config: {
        mode: 'search',
        startWaitMs: 3_000,
        mcpServers: {
          ready: fixture('raw-legacy'),
          slow: fixture('raw-legacy', { START_DELAY_MS: 20_000 }),
          dead: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
          off: { ...fixture('raw-legacy'), disabled: true },
        },
      },
    });
    const ask = async (query: string) => foundIn(resultOf(await client.call('search_tools', { queries: [query] })))[0];
    const opened = await client.call('open_toolbox', { toolbox: 'dead' });
    expect(resultOf(opened).isError).toBe(true);
    expect(textOf(opened)).toMatch(/^No tools of server 'dead' in toolbox 'dead': .*exited with code 3.*\[WB1004\]$/s);
    expect((await ask('echo'))?.notShown).toEqual([{ toolbox: 'slow', server: 'slow', reason: 'starting' }]);
    expect((await ask('dead echo'))?.notShown).toContainEqual({ toolbox: 'dead', server: 'dead', reason: 'failed' });
    expect((await ask('off echo'))?.notShown).toContainEqual({ toolbox: 'off', server: 'off', reason: 'disabled' });
    const answer = await client.call('search_tools', { queries: ['off echo'] });
    expect(textOf(answer)).toContain('off (disabled in the configuration)');
    await client.close();
  });
});
