import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { metaKey } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { fixture } from '../../support/servers.ts';
import type { HttpPlace } from '../clients/transport-client.ts';
import { startHttpProgram } from '../http-program.ts';
import { linesOf } from '../support.ts';

const meta = {
  [metaKey('protocolVersion')]: '2026-07-28',
  [metaKey('clientInfo')]: { name: 'walker', version: '1' },
  [metaKey('clientCapabilities')]: { elicitation: { form: {} } },
};
let id = 0;

/** One request of a stateless client; its answer, whatever way it comes. */
async function call({ url, token }: HttpPlace, params: JsonObject): Promise<JsonObject> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': String(params.name),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { ...params, _meta: meta } }),
  });
  const text = await response.text();
  const last = text.startsWith('{') ? text : (text.trim().split('data: ').at(-1) ?? '');
  return JSON.parse(last) as JsonObject;
}

const order = { name: 'shop:order', arguments: { item: 'tea' } };
const answered = (result: JsonObject, content: JsonObject): JsonObject => ({
  ...order,
  inputResponses: Object.fromEntries(
    Object.keys(result.inputRequests as JsonObject).map((key) => [key, { action: 'accept', content }]),
  ),
  requestState: result.requestState as string,
});

/** A shop of the handshake era on a pipe, which asks before it orders and notes every order it begins and makes. */
function startShop() {
  const notes = join(tempDir(), 'notes');
  const config = { mcpServers: { shop: { ...fixture('raw-asking', { NOTES: notes }), sharing: 'perSession' } } };
  return { config, noted: () => (existsSync(notes) ? linesOf(notes) : []) };
}

describe('a server of the handshake era on a pipe that asks a stateless client over HTTP', () => {
  it('a server of the handshake era on a pipe that asks a stateless client over HTTP gets its answer, and the call its result', async () => {
    const { config, noted } = startShop();
    const place = await startHttpProgram(config);
    const first = (await call(place, order)).result as JsonObject;
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: { method: 'elicitation/create', params: { message: 'How many?' } } },
    });
    expect(noted()).toEqual(['begins tea']);
    const second = (await call(place, answered(first, { count: 3 }))).result;
    expect(second).toMatchObject({ resultType: 'complete', content: [{ text: 'ordered 3 of tea' }] });
    expect(noted()).toEqual(['begins tea', 'orders 3 of tea']);
  });

  it('a server of the handshake era on a pipe that asks a stateless client over HTTP is not asked to do it again when the Workbench was started anew: the client is told to call again', async () => {
    const { config, noted } = startShop();
    const before = await startHttpProgram(config);
    const asked = (await call(before, order)).result as JsonObject;
    await before.program.kill('SIGTERM');
    const place = await startHttpProgram(config);
    const { error } = await call(place, answered(asked, { count: 3 }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('all the tool again') });
    // Nothing ran, neither the rest of the first nor another one.
    expect(noted()).toEqual(['begins tea']);
    const again = (await call(place, order)).result as JsonObject;
    expect((await call(place, answered(again, { count: 1 }))).result).toMatchObject({ resultType: 'complete' });
    expect(noted()).toEqual(['begins tea', 'begins tea', 'orders 1 of tea']);
  });

  it('a server of the handshake era on a pipe that asks a stateless client over HTTP gets each answer once: a state that was used, altered or given for another order does nothing', async () => {
    const { config, noted } = startShop();
    const place = await startHttpProgram(config);
    const asked = (await call(place, order)).result as JsonObject;
    const reply = answered(asked, { count: 2 });
    const state = String(reply.requestState);
    const spoiled = `${state.slice(0, -3)}${state.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    expect(await call(place, { ...reply, requestState: spoiled })).toMatchObject({ error: { code: -32602 } });
    expect(await call(place, { ...reply, arguments: { item: 'gold' } })).toMatchObject({ error: { code: -32602 } });
    expect(await call(place, reply)).toMatchObject({ result: { resultType: 'complete' } });
    expect(await call(place, reply)).toMatchObject({ error: { code: -32602 } });
    expect(noted()).toEqual(['begins tea', 'orders 2 of tea']);
  });

  it('a server of the handshake era on a pipe that asks a stateless client over HTTP is asked who calls, whoever has used the server before', async () => {
    const { config, noted } = startShop();
    const { sharing: _, ...shop } = config.mcpServers.shop;
    const place = await startHttpProgram({ mcpServers: { shop } });
    await call(place, { name: 'shop:look', arguments: {} });
    const asked = (await call(place, order)).result as JsonObject;
    expect(asked.resultType).toBe('input_required');
    expect((await call(place, answered(asked, { count: 5 }))).result).toMatchObject({ resultType: 'complete' });
    await eventually(() => expect(noted()).toEqual(['begins tea', 'orders 5 of tea']));
  });
});
