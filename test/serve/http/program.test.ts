import { createServer } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { assertBuilt, startProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { clientNames, clients } from './sdk-http.ts';
import { initialize, modern, open, rpc, send, token } from './support.ts';

beforeAll(() => assertBuilt());

const config = { toolboxes: { raw: { description: 'Raw tools', mcpServers: { raw: fixture('raw-legacy') } } } };

/** The built program, once it says where it listens. */
async function startHttp(args: readonly string[], more: { env?: Record<string, string> } = {}) {
  const program = startProgram({ config, args: ['serve', ...args], ...more });
  const url = await eventually(() => {
    const [, found] = /listens at (http:\S+)/.exec(program.stderr) ?? [];
    if (found === undefined) throw new Error(`not yet: ${program.stderr}`);
    return found;
  }, 10_000);
  const service = { url, port: Number(new URL(url).port), close: async () => {} };
  return { program, service };
}

describe('the built program over HTTP', () => {
  it('serves every official client at once, and ends in order', async () => {
    const { program, service } = await startHttp(['--http=0', '--sse', '--token', token]);
    await Promise.all(
      clientNames.map(async (name) => {
        const client = await clients[name](`${service.url}/raw`, token);
        expect((await client.listTools()).length).toBeGreaterThan(10);
        expect((await client.callTool('raw:add', { a: 2, b: 3 })).content[0]?.text).toBe('5');
        await client.close();
      }),
    );
    const exit = await program.kill('SIGTERM');
    expect([exit.code, program.lines]).toEqual([0, []]);
    expect(exit.stderr).not.toContain(token);
  });

  it('serves a pipe too, with nothing but the protocol on it, and ends with the client of the pipe', async () => {
    const { program, service } = await startHttp(['--http=0', '--stdio', '--token', token]);
    await program.legacyHandshake();
    const { message } = await program.request('tools/list');
    expect(message.result).toMatchObject({ tools: [{ name: 'open_toolbox' }, { name: 'use_tool' }] });
    expect((await send(service, modern('tools/list'))).json.result).toMatchObject({ tools: [{}, {}] });
    expect((await program.close()).code).toBe(0);
    for (const line of program.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    await expect(send(service, modern('tools/list'))).rejects.toThrow();
  });

  it('lets open calls finish when it is told to stop', async () => {
    const { program, service } = await startHttp(['--http=0', '--token', token]);
    const path = '/mcp/raw';
    const params = { name: 'raw:slow', arguments: { ms: 1_500, steps: 3 } };
    const headers = await initialize(service, { path });
    const listening = await open(service, {
      ...modern('subscriptions/listen', { notifications: {} }, { id: 'l' }),
      path,
    });
    const streaming = await open(service, {
      ...modern('tools/call', params, { meta: { progressToken: 1 } }),
      path,
    });
    const body = rpc('tools/call', { ...params, _meta: { progressToken: 2 } }, 2);
    const inSession = await open(service, { path, headers, body });
    await eventually(() => streaming.text.includes('progress') && inSession.text.includes('progress'));
    const exited = program.kill('SIGTERM');
    expect(await listening.whole).toContain('"id":"l","result"');
    expect(await streaming.whole).toContain('done after 3 steps');
    expect(await inSession.whole).toContain('done after 3 steps');
    expect((await exited).code).toBe(0);
  });

  it('exits with 7 when the port that was named is taken, and takes another when none was named', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => void server.close());
    const { port } = server.address() as { port: number };
    const refused = await startProgram({ config, args: ['serve', `--http=${port}`] }).exited;
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining('WB1301')]);

    const [first, second] = [await startHttp(['--http']), await startHttp(['--http'])];
    expect(first.service.port).not.toBe(second.service.port);
    expect(second.program.stderr).toMatch(/port 3917 is in use by another program.*listens on \d+, with its own token/);
    const given = await startProgram({ config, args: ['serve', '--http', '--token', token] }).exited;
    expect([given.code, given.stderr]).toEqual([7, expect.stringContaining('WB1301')]);
  });

  it('refuses to serve the network without a token', async () => {
    const refused = await startProgram({ config, args: ['serve', '--http=0', '--host', '0.0.0.0', '--no-auth'] })
      .exited;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('WB1901')]);
  });

  it('says that it is ready, and can be used with the entry that it prints', async () => {
    const { program, service } = await startHttp(['--http=0']);
    await eventually(async () => (await send(service, { method: 'GET', path: '/readyz' })).status === 200);
    const json = program.stderr.slice(program.stderr.indexOf('{\n'), program.stderr.lastIndexOf('}') + 1);
    const entry = JSON.parse(json) as {
      mcpServers: { workbench: { url: string; headers: { Authorization: string } } };
    };
    const { url, headers } = entry.mcpServers.workbench;
    expect(url).toBe(service.url);
    const authorization = headers.Authorization;
    const answer = await send(service, modern('tools/list', {}, { headers: { authorization } }));
    expect(answer.status).toBe(200);
  });
});
