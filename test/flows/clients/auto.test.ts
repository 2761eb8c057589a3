import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { messageOf } from '../../clients/initialize-messages.ts';
import { openHousehold } from '../../daemon/household.ts';
import { prepareProgram, startProgram } from '../../support/program.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { connectV1, connectV2Legacy, connectV2Modern } from '../../support/sdk-clients.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { exchange } from '../http-exchange.ts';
import { startHttpProgram, token } from '../http-program.ts';
import { resultOf } from '../support.ts';
import { connectRawModernHttp, headersOf } from './transport-raw.ts';

/** A file with two toolboxes, one large and one small. */
const config = {
  mode: 'auto',
  toolboxes: {
    many: { description: 'Many', mcpServers: { many: fixture('raw-legacy', { TOOLS: 'echo', TOOL_COUNT: 60 }) } },
    few: { description: 'Few', mcpServers: { few: fixture('raw-modern', { TOOLS: 'echo,add' }) } },
  },
};
const surfaceOf = (names: readonly unknown[]) =>
  names.includes('search_tools')
    ? 'search'
    : names.includes('few__echo') && names.includes('many__echo')
      ? 'flat'
      : names;
const namesOf = (message: JsonObject) => (resultOf(message).tools as JsonObject[]).map(({ name }) => name);

/** Greets as a real client does, and lists. */
async function listAs(client: RawClient, id: string): Promise<unknown[]> {
  await client.request('initialize', messageOf(id), { timeoutMs: 30_000 });
  client.notify('notifications/initialized');
  return namesOf((await client.request('tools/list', {}, { timeoutMs: 30_000 })).message);
}

async function listModern(client: RawClient): Promise<unknown[]> {
  return namesOf((await client.modern('tools/list', {}, { timeoutMs: 30_000 })).message);
}

describe('the program in mode auto, over a pipe', () => {
  it.each([
    ['claude-code', 'flat'],
    ['zed', 'search'],
  ])('shows %s, which says who it is, mode %s', async (id, surface) => {
    const client = startProgram({ config });
    expect(surfaceOf(await listAs(client, id))).toBe(surface);
    expect((await client.close()).code).toBe(0);
    assertOnlyMessages(client.lines);
  });

  it('shows a stateless client what suits any client, unless a flag says who it is', async () => {
    const [plain, stated] = [startProgram({ config }), startProgram({ config, args: ['serve', '--client', 'codex'] })];
    expect(surfaceOf(await listModern(plain))).toBe('search');
    expect(surfaceOf(await listModern(stated))).toBe('flat');
    const answer = await stated.modern('tools/call', { name: 'many__echo', arguments: { a: 1 } });
    expect(resultOf(answer.message).structuredContent).toEqual({ a: 1 });
  });

  it.each([
    ['v1', connectV1],
    ['v2, handshake', connectV2Legacy],
    ['v2, stateless', connectV2Modern],
  ])('serves the official client %s what a flag says', async (_name, connectSdk) => {
    for (const [id, tool] of [
      ['cursor', 'few__add'],
      ['zed', 'use_tool'],
    ] as const) {
      const { command, args, env, dir } = prepareProgram({ config, args: ['--client', id] });
      const client = await connectSdk(command, args, env, dir);
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).toContain(tool);
      const numbers = { a: 2, b: 3 };
      const called = { tool: { toolbox: 'few', server: 'few', name: 'add' }, arguments: numbers };
      const result = await client.callTool(tool, tool === 'use_tool' ? called : numbers);
      expect(JSON.stringify(result)).toContain('5');
      await client.close();
    }
  });

  it.each(['serve', 'attach'] as const)(
    'refuses an id that is not known on the command line of %s',
    async (command) => {
      const client = openHousehold({ config })[command](['--client', 'cursr']);
      await client.request('initialize', messageOf('zed')).catch(() => {});
      expect((await client.exited).code).toBe(2);
      expect(client.stderr).toContain('--client: "cursr" is not the id of a client.');
      expect(client.stderr).toContain('Did you mean: cursor?');
      expect(client.stderr).toContain('WB1901');
      assertOnlyMessages(client.lines);
    },
  );
});

describe('the daemon in mode auto', () => {
  it('shows each attached client what suits it, and tells check and list about it', async () => {
    const house = openHousehold({ config: { ...config, clients: { goose: { mode: 'meta' } } } });
    const [code, zed, stated, goose] = [
      house.attach(),
      house.attach(),
      house.attach(['--client', 'cursor']),
      house.attach(),
    ];
    expect(surfaceOf(await listAs(code, 'claude-code'))).toBe('flat');
    expect(surfaceOf(await listAs(zed, 'zed'))).toBe('search');
    expect(surfaceOf(await listModern(stated))).toBe('flat');
    expect(await listAs(goose, 'goose')).toEqual(['open_toolbox', 'use_tool', 'read_result']);
    const { stdout } = await house.run('list', '--config', house.configPath, '--json');
    const { tools, clients } = (JSON.parse(stdout) as { clients: { tools: number; clients: JsonObject[] } }).clients;
    expect(tools).toBe(63);
    const given = clients.filter((client) => client.given === true).map(({ id, mode }) => `${id} ${mode}`);
    expect(given.sort()).toEqual(['claude-code flat', 'cursor flat', 'goose meta', 'zed search']);
    expect(clients.find(({ id }) => id === 'vscode')).toMatchObject({ mode: 'flat', given: false });
    const checked = await house.run('check', '--config', house.configPath);
    expect(checked.stdout).toContain('flat     Claude Code, Cursor, Copilot CLI, Codex: search tools themselves');
    expect(checked.stdout).toContain('flat     VS Code: 63 tools are at most 100');
    expect(checked.stdout).toContain('meta     Goose: "clients" of the configuration says so for goose');
    expect(checked.stdout).toMatch(/search {3}Claude Desktop, .* other clients: 63 tools are more than 20/);
    const one = await house.run('check', '--config', house.configPath, '--client', 'gemini-cli', '--json');
    const report = JSON.parse(one.stdout) as { clients: { clients: JsonObject[] }; schemaChanges: JsonObject };
    expect(report.clients.clients).toMatchObject([{ id: 'gemini-cli', mode: 'search', schemas: 'portable' }]);
    expect(report.schemaChanges).toMatchObject({ tools: 63 });
  });
});

describe('the HTTP service in mode auto', () => {
  it('takes the client from the address, in both eras, and otherwise from the handshake only', async () => {
    const { url } = await startHttpProgram(config);
    const modern = async (address: string) => (await connectRawModernHttp({ url: address, token })).names();
    expect(surfaceOf(await modern(url))).toBe('search');
    expect(surfaceOf(await modern(`${url}?client=cursor`))).toBe('flat');
    expect(surfaceOf(await modern(`${url}?client=zed`))).toBe('search');
    for (const odd of ['nonsense', '', '__proto__', 'x'.repeat(500), '%00%ff'])
      expect(surfaceOf(await modern(`${url}?client=${odd}`))).toBe('search');
    // Each toolbox for itself: the small one is shown as it is.
    expect(await modern(`${url}/few`)).toEqual(['read_result', 'few__echo', 'few__add']);
    expect(surfaceOf(await modern(`${url}/many`))).toBe('search');
    expect((await modern(`${url}/many?client=cursor`)).filter((name) => name !== 'read_result')).toHaveLength(61);

    const legacy = async (address: string, id: string) => {
      const ask = async (body: JsonObject, headers: Record<string, string> = {}) => {
        const messages: JsonObject[] = [];
        const sent = {
          headers: { ...headersOf(token), ...headers },
          onMessage: (message: JsonObject) => messages.push(message),
        };
        const { headers: received } = await exchange(address, { ...sent, body }).ended;
        return { received, message: messages[0] as JsonObject };
      };
      const opened = await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params: messageOf(id) });
      const session = { 'mcp-session-id': String(opened.received['mcp-session-id']) };
      return namesOf((await ask({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }, session)).message);
    };
    expect(surfaceOf(await legacy(url, 'claude-code'))).toBe('flat');
    expect(surfaceOf(await legacy(url, 'zed'))).toBe('search');
    expect(surfaceOf(await legacy(`${url}?client=zed`, 'claude-code'))).toBe('search');
  });
});
