import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { metaKey } from '../../support/envelope.ts';
import { prepareProgram } from '../../support/program.ts';
import { type RawClient, startRaw } from '../../support/raw-client.ts';
import { openPlace } from './support.ts';
import { walkHome } from './walk.ts';

const done = { content: [{ type: 'text', text: 'done: read' }] };
const call = { name: 'guarded:read', arguments: {} };
const urlCapability = { elicitation: { url: {} } };

async function start(mode: 'flat' | 'meta' = 'flat', more: JsonObject = {}): Promise<RawClient> {
  const { server, issuer } = await openPlace({});
  const guarded = { url: server.url, oauth: { issuer: issuer.issuer }, ...more };
  const { command, args, env, dir } = prepareProgram({ config: { mode, mcpServers: { guarded } } });
  return startRaw(command, args, { env, cwd: dir });
}

/** A modern request whose client says it can open addresses. */
async function modern(client: RawClient, method: string, params: JsonObject): Promise<JsonObject> {
  const _meta = { [metaKey('protocolVersion')]: '2026-07-28', [metaKey('clientCapabilities')]: urlCapability };
  return (await client.request(method, { ...params, _meta }, { timeoutMs: 20_000 })).message;
}

describe('a server that wants a sign-in, behind a client that can open addresses', () => {
  it('makes a client of the handshake era open the address, hear that it is done, and call again', async () => {
    const client = await start();
    await client.legacyHandshake('2025-11-25', urlCapability);
    const { message } = await client.request('tools/call', call, { timeoutMs: 20_000 });
    expect(message.error).toMatchObject({ code: -32042 });
    const { elicitations } = (message.error as JsonObject).data as { elicitations: JsonObject[] };
    const [{ elicitationId, url } = {}] = elicitations;
    expect(elicitations).toEqual([
      {
        mode: 'url',
        elicitationId: expect.any(String),
        url: expect.any(String),
        message: expect.stringContaining("'guarded'"),
      },
    ]);
    const { host } = new URL(String(url));
    expect(elicitations[0]?.message).toMatch(
      new RegExp(`You sign in at ${host}; rights asked for: .+; the token is sent to http://.+ only\\.$`),
    );
    await walkHome(String(url));
    await client.waitFor(
      ({ method, params }) =>
        method === 'notifications/elicitation/complete' && (params as JsonObject).elicitationId === elicitationId,
    );
    expect((await client.request('tools/call', call, { timeoutMs: 20_000 })).message.result).toEqual(done);
    await client.close();
  });

  it('gives all who ask at once the same address', async () => {
    const client = await start();
    await client.legacyHandshake('2025-11-25', urlCapability);
    const answers = await Promise.all(
      [1, 2, 3].map((id) => client.request('tools/call', call, { id: `c${id}`, timeoutMs: 20_000 })),
    );
    expect(new Set(answers.map(({ message }) => JSON.stringify((message.error as JsonObject).data))).size).toBe(1);
    await client.close();
  });

  it('asks a client of the stateless era, waits for the user who agreed, and goes on with the call', async () => {
    const client = await start();
    const asked = (await modern(client, 'tools/call', call)).result as JsonObject;
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const [[id, question] = []] = Object.entries(asked.inputRequests as JsonObject);
    expect(question).toMatchObject({ method: 'elicitation/create', params: { mode: 'url', url: expect.any(String) } });
    const retry = modern(client, 'tools/call', { ...call, inputResponses: { [String(id)]: { action: 'accept' } } });
    await walkHome(String(((question as JsonObject).params as JsonObject).url));
    expect((await retry).result).toMatchObject({ resultType: 'complete', ...done });
    await client.close();
  });

  it('asks for a server whose tools are shown under their own names', async () => {
    const client = await start('flat', { prefix: false });
    const asked = (await modern(client, 'tools/call', { name: 'read', arguments: {} })).result;
    expect(asked).toMatchObject({ resultType: 'input_required' });
    await client.close();
  });

  it('asks again when a call needs rights that nobody was asked for yet', async () => {
    const client = await start();
    /** Calls, signs in when asked to, and calls again: how often was it asked, and what came of it? */
    const callSignedIn = async (name: string): Promise<[number, JsonObject]> => {
      let more: JsonObject = {};
      for (let asked = 0; ; asked++) {
        const result = (await modern(client, 'tools/call', { name, arguments: {}, ...more })).result as JsonObject;
        if (result.resultType !== 'input_required' || asked > 3) return [asked, result];
        const [[id, question] = []] = Object.entries(result.inputRequests as JsonObject);
        await walkHome(String(((question as JsonObject).params as JsonObject).url));
        more = { inputResponses: { [String(id)]: { action: 'accept' } } };
      }
    };
    expect(await callSignedIn('guarded:read')).toEqual([1, expect.objectContaining(done)]);
    expect(await callSignedIn('guarded:write')).toEqual([
      1,
      expect.objectContaining({ content: [{ type: 'text', text: 'done: write' }] }),
    ]);
    await client.close();
  });

  it('tells a client whose user declined which command to run', async () => {
    const client = await start();
    const asked = (await modern(client, 'tools/call', call)).result as JsonObject;
    const [id = ''] = Object.keys(asked.inputRequests as JsonObject);
    const { result } = await modern(client, 'tools/call', { ...call, inputResponses: { [id]: { action: 'decline' } } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toMatch(/Run: .*mcp-workbench.* auth login .*guarded/);
    await client.close();
  });

  it('asks when a toolbox is opened that shows nothing without it', async () => {
    const client = await start('meta');
    const open = { name: 'open_toolbox', arguments: { toolbox: 'guarded' } };
    const asked = (await modern(client, 'tools/call', open)).result as JsonObject;
    const [[id, question] = []] = Object.entries(asked.inputRequests as JsonObject);
    const retry = modern(client, 'tools/call', { ...open, inputResponses: { [String(id)]: { action: 'accept' } } });
    await walkHome(String(((question as JsonObject).params as JsonObject).url));
    expect((await retry).result).toMatchObject({ structuredContent: { toolbox: 'guarded', servers_connected: 1 } });
    await client.close();
  });
});

describe('a server that wants a sign-in, behind a client that cannot open addresses', () => {
  it.each([
    ['2025-11-25', {}],
    ['2025-11-25', { elicitation: {} }],
    ['2025-06-18', urlCapability],
  ])('of version %s with %j answers with the command to run', async (version, capabilities) => {
    const client = await start();
    await client.legacyHandshake(version, capabilities);
    const { message } = await client.request('tools/call', call, { timeoutMs: 20_000 });
    expect(message.result).toMatchObject({ isError: true });
    expect(JSON.stringify(message.result)).toMatch(/Run: .*mcp-workbench.* auth login .*guarded/);
    await client.close();
  });
});
