// @module-tag large
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { openHousehold, writeConfig } from '../../daemon/household.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { startProgram } from '../../support/program.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { fixture } from '../../support/servers.ts';
import { errorOf } from '../support.ts';
import { fileMistakes } from './mistakes.ts';

const first = {
  initialize: (client: RawClient) =>
    client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
  'server/discover': (client: RawClient) => client.request('server/discover', withEnvelope({})),
  'tools/list': (client: RawClient) => client.request('tools/list', withEnvelope({})),
};

function openWrong(text: string | undefined) {
  const house = openHousehold();
  if (text === undefined) rmSync(house.configPath);
  else writeConfig(house.configPath, text);
  return house;
}

async function expectRefusal(
  client: RawClient,
  ask: (client: RawClient) => Promise<{ message: JsonObject }>,
  code: string,
) {
  const error = errorOf((await ask(client)).message);
  expect(error.code).toBe(-32603);
  expect(error.message).toContain('workbench-config.json');
  expect(error.message).toContain(`[${code}]`);
  expect(error.message).toContain('Fix: ');
  expect((await client.exited).code).toBe(2);
  expect(client.stderr).toContain(code);
}

describe.each(fileMistakes)('a configuration of which nothing can be served ($what, $code)', ({ text, code }) => {
  it.each(Object.entries(first))('answers %s on a pipe with what is wrong, and exits with 2', async (_, ask) => {
    await expectRefusal(openWrong(text).serve(), ask, code);
  });

  it('answers an attached client the same', async () => {
    await expectRefusal(openWrong(text).attach(), first.initialize, code);
  });

  it('exits with 2 without a word on stdout when the client leaves without asking', async () => {
    const client = openWrong(text).serve();
    expect((await client.close()).code).toBe(2);
    expect(client.lines).toEqual([]);
  });

  it('is not served over HTTP, and exits at once although stdin is open', async () => {
    const client = openWrong(text).serve(['--http=0', '--token', 'a-token-for-flows']);
    expect((await client.exited).code).toBe(2);
    expect(client.stderr).not.toContain('listens at');
    expect(client.lines).toEqual([]);
  });
});

describe('a client that cannot be served', () => {
  const asked = { jsonrpc: '2.0', method: 'initialize', params: {} };

  it('a client that cannot be served hears nothing of what stands in the file', async () => {
    const text =
      '{"mcpServers": {"one": {"command": "x", "env": {"API_KEY": "sk-very-secret"}, "args": "--token=abcdef"}}}';
    const client = openWrong(text).serve();
    const { message } = await first.initialize(client);
    expect(JSON.stringify(message)).not.toMatch(/very-secret|abcdef/);
    await client.exited;
  });

  it('a client that cannot be served is answered once for each request, in whatever shape it asks, and never for what is no request', async () => {
    const client = openWrong('{').serve();
    client.notify('notifications/initialized');
    client.send('no json');
    client.send(
      JSON.stringify([
        { ...asked, id: 'a' },
        { jsonrpc: '2.0', method: 'x' },
        { ...asked, id: 7 },
      ]),
    );
    client.send(JSON.stringify({ ...asked, id: 'again' }));
    expect((await client.exited).code).toBe(2);
    const [noJson, batch, again] = client.lines.map((line) => JSON.parse(line));
    expect(client.lines).toHaveLength(3);
    expect([noJson.id, noJson.error.code]).toEqual([null, -32700]);
    expect(batch.map(({ id, error }: { id: unknown; error: { code: number } }) => [id, error.code])).toEqual([
      ['a', -32603],
      [7, -32603],
    ]);
    expect(again.id).toBe('again');
  });

  it('a client that cannot be served is told so also when the command line is what is wrong', async () => {
    const client = startProgram({
      config: { mcpServers: { one: fixture('raw-legacy') } },
      args: ['--separator', 'a b'],
    });
    expect(errorOf((await first.initialize(client)).message).message).toContain('[WB1409]');
    expect((await client.exited).code).toBe(2);
    const other = startProgram({ config: {}, args: ['--mode', 'metta'] });
    expect(errorOf((await first.initialize(other)).message).message).toContain('[WB1901]');
    expect((await other.exited).code).toBe(2);
  });
});
