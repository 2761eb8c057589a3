// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { startEra, textOf } from '../../flows/support.ts';
import { eventually } from '../../support/eventually.ts';
import { sendJson } from './http-server.ts';
import { startLegacy } from './legacy-server.ts';

const configOf = (url: string) => ({ mcpServers: { far: { url } }, separator: '__' });
const error = (code: number, data?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message: 'no', ...(data && { data }) },
});

/** A server of the handshake era that answers the probe in its own way. */
const startProbed = (status: number, body: JsonObject | string) =>
  startLegacy({
    first: ({ message }, response) => {
      if (message.method !== 'server/discover') return false;
      if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
      else sendJson(response, { ...body, id: status === 200 ? message.id : null }, status);
      return true;
    },
  });

describe('the era of a server behind a URL', () => {
  it.each<[number, JsonObject | string]>([
    [400, error(-32000)],
    [400, 'Bad Request'],
    [400, error(-32602)],
    [404, 'Not Found'],
    [404, error(-32601)],
    [405, ''],
    [406, ''],
    [415, ''],
    [422, 'unprocessable'],
    [200, error(-32601)],
    [200, error(-32602)],
    [400, error(-32022, { supported: ['2025-11-25'] })],
  ])('is the handshake era when the probe is answered %i %o', async (status, body) => {
    const server = await startProbed(status, body);
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    expect(textOf(await client.call('far__echo', { a: 1 }))).toBe('{"a":1}');
    expect(server.asked('server/discover')).toHaveLength(1);
  });

  it.each<[number, JsonObject | string, string]>([
    [400, error(-32022, { supported: ['2099-01-01'] }), 'WB1008'],
    [400, error(-32020), 'WB1007'],
    [400, error(-32021), 'WB1007'],
    [401, '', 'WB1201'],
    [403, '', 'WB1203'],
    [500, '', 'WB1307'],
    [502, error(-32601), 'WB1307'],
  ])('stays open when the probe is answered %i %o: the start fails with %s', async (status, body, code) => {
    const server = await startProbed(status, body);
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    await eventually(() => expect(client.stderr).toContain(code));
    expect(server.asked('initialize')).toEqual([]);
  });
});
