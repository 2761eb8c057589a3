// @module-tag large
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { canReadProcesses, childTree, waitUntilDead } from '../../support/processes.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import type { HttpPlace, TransportClient } from '../clients/transport-client.ts';
import { connectRawLegacyHttp, connectRawModernHttp, connectRawSse, headersOf } from '../clients/transport-raw.ts';
import { exchange } from '../http-exchange.ts';
import { startHttpProgram } from '../http-program.ts';
import { toEraClient } from '../support.ts';

const config = { mcpServers: { raw: fixture('raw-legacy') } };
const textOf = (result: JsonObject | undefined) => (result?.content as JsonObject[] | undefined)?.[0]?.text;
const get = (url: string, headers = {}) => exchange(url, { method: 'GET', headers }).ended;

const clients: [string, (place: HttpPlace) => Promise<TransportClient>][] = [
  ['the handshake era', connectRawLegacyHttp],
  ['the stateless era', connectRawModernHttp],
  ['the transport of 2024-11-05', connectRawSse],
];

describe('SIGTERM', () => {
  it.each(clients)('SIGTERM lets a call of %s finish, takes nothing new, and leaves no process', async (_, connect) => {
    const { program, url, token, origin } = await startHttpProgram(config, { args: ['--sse'] });
    const client = await connect({ url, token });
    let steps = 0;
    const call = client.call('raw:slow', { ms: 1_500, steps: 15 }, { onProgress: () => steps++ });
    await eventually(() => steps > 0);
    const processes = canReadProcesses ? childTree(program.pid) : [];
    if (canReadProcesses) expect(processes.length).toBeGreaterThan(0);

    const exited = program.kill('SIGTERM');
    const isRefused = ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED';
    await eventually(() => get(`${origin}/healthz`).then(() => false, isRefused));
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize' };
    await expect(exchange(url, { headers: headersOf(token), body }).ended).rejects.toThrow('ECONNREFUSED');

    expect(textOf((await call).result)).toBe('done after 15 steps');
    expect(steps).toBe(15);
    expect(await exited).toMatchObject({ code: 0, signal: null });
    await waitUntilDead(processes);
  });

  it('SIGTERM ends at once when nothing is under way, though clients are connected', async () => {
    const { program, ...place } = await startHttpProgram(config, { args: ['--sse'] });
    for (const [, connect] of clients) expect(await (await connect(place)).names()).toContain('raw:echo');
    const processes = canReadProcesses ? childTree(program.pid) : [];
    expect(await program.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
    await waitUntilDead(processes);
  });
});

describe('one process that serves stdio and HTTP', () => {
  it('one process that serves stdio and HTTP answers both at once with the same servers, and keeps each to its own', async () => {
    const { program, ...place } = await startHttpProgram(config, { args: ['--stdio'] });
    await program.legacyHandshake();
    const piped = toEraClient('legacy', program);
    const far = await connectRawLegacyHttp(place);
    const [heardFar, pids]: [number[], unknown[]] = [[], []];
    const [one, other] = await Promise.all([
      piped.call('raw:slow', { ms: 150, steps: 2 }, { id: 'same', progressToken: 'token 2' }),
      far.call('raw:slow', { ms: 150, steps: 3 }, { onProgress: ({ total }) => heardFar.push(Number(total)) }),
    ]);
    expect(textOf(one.result as JsonObject)).toBe('done after 2 steps');
    expect(textOf(other.result)).toBe('done after 3 steps');
    expect(piped.heard('notifications/progress').map(({ total }) => total)).toEqual([2, 2]);
    expect(heardFar).toEqual([3, 3, 3]);
    pids.push(((await piped.call('raw:pid')).result as JsonObject).structuredContent);
    pids.push((await far.call('raw:pid')).result?.structuredContent);
    expect(pids[0]).toEqual(pids[1]);
    assertOnlyMessages(program.lines);
    expect((await program.close()).code).toBe(0);
  });
});

describe('a restart', () => {
  it('a restart loses the sessions: 404 says so, and a client that begins anew goes on', async () => {
    const first = await startHttpProgram(config);
    const { url, token } = first;
    const connect = async () => {
      const client = new Client({ name: 'sdk-client', version: '1.0.0' });
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headersOf(token) } });
      atEnd(() => client.close());
      await client.connect(transport as Transport);
      return { client, session: transport.sessionId };
    };
    const before = await connect();
    expect((await before.client.listTools()).tools.length).toBeGreaterThan(0);
    expect((await first.program.kill('SIGTERM')).code).toBe(0);

    await startHttpProgram(config, { port: Number(new URL(url).port) });
    const headers = { ...headersOf(token), 'mcp-session-id': String(before.session) };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await exchange(url, { headers, body }).ended).status).toBe(404);
    // This SDK tells its user and does not begin anew by itself.
    await expect(before.client.listTools()).rejects.toMatchObject({ code: 404 });
    const after = await connect();
    expect(after.session).not.toBe(before.session);
    expect((await after.client.listTools()).tools.map(({ name }) => name)).toContain('raw:echo');
  });

  it('a restart goes unnoticed by a client of the stateless era', async () => {
    const first = await startHttpProgram(config);
    const client = await connectRawModernHttp(first);
    expect(await client.names()).toContain('raw:echo');
    expect((await first.program.kill('SIGTERM')).code).toBe(0);
    await startHttpProgram(config, { port: Number(new URL(first.url).port) });
    expect(textOf((await client.call('raw:add', { a: 1, b: 2 })).result)).toBe('3');
  });
});

describe('the health of the program', () => {
  it('the health of the program is told to anybody, and nothing else is', async () => {
    const { origin, url, token } = await startHttpProgram(config);
    expect(await (await connectRawModernHttp({ url, token })).names()).toContain('raw:echo');
    const health = await get(`${origin}/healthz`);
    const ready = await get(`${origin}/readyz`);
    expect([health.status, ready.status]).toEqual([200, 200]);
    expect([health.text, ready.text]).toEqual(['{"status":"up"}', '{"status":"ready"}']);
    expect((await get(url)).status).toBe(401);
  });

  it('the health of the program is not ready before the servers of a flat list had their time, and ready whatever becomes of them', {
    tags: 'long',
  }, async () => {
    const slow = { ...config.mcpServers, slow: fixture('raw-legacy', { START_DELAY_MS: 1_500 }) };
    const { origin } = await startHttpProgram({ mcpServers: slow });
    expect((await get(`${origin}/readyz`)).status).toBe(503);
    await eventually(async () => (await get(`${origin}/readyz`)).status === 200, 10_000);
    const dead = { dead: { command: process.execPath, args: ['-e', 'process.exit(1)'] } };
    const other = await startHttpProgram({ mcpServers: dead });
    await eventually(async () => (await get(`${other.origin}/readyz`)).status === 200, 10_000);
  });

  it('the health of the program is ready at once where servers start when a toolbox is opened', async () => {
    const toolboxes = {
      a: { description: 'A', mcpServers: { slow: fixture('raw-legacy', { START_DELAY_MS: 60_000 }) } },
    };
    const { origin } = await startHttpProgram({ toolboxes });
    expect((await get(`${origin}/readyz`)).status).toBe(200);
  });
});
