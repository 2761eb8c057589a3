// @module-tag large
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { assertOnlyMessages } from '../support/wire-check.ts';
import { hostileLines } from './hostile-lines.ts';
import { hostileLists, hostileStrikes } from './hostile-strikes.ts';

const good = fixture('raw-legacy');

async function start(config: object): Promise<RawClient> {
  const client = startProgram({ config });
  await client.legacyHandshake();
  return client;
}

const call = (client: RawClient, name: string, args: JsonObject = {}) =>
  client.request('tools/call', { name, arguments: args, _meta: { progressToken: 'token' } });

const textOf = (text: unknown) => ({ result: { content: [{ type: 'text', text }] } });

/** Nothing but the protocol, no request answered twice, and a program that ends as it should. */
async function endWell(client: RawClient): Promise<void> {
  assertOnlyMessages(client.lines);
  const answered = client.messages
    .filter(({ message }) => typeof message.id === 'number')
    .map(({ message }) => message.id);
  expect(answered).toEqual([...new Set(answered)]);
  expect((await client.close()).code).toBe(0);
}

describe.each(['flat', 'meta', 'dynamic'])('a hostile client of mode %s', (mode) => {
  let client: RawClient;
  let pings = 0;
  beforeAll(async () => {
    client = await start({ mode, mcpServers: { good } });
  });
  afterAll(async () => {
    assertOnlyMessages(client.lines);
    expect((await client.close()).code).toBe(0);
  });

  it.each(hostileLines)('that sends $title gets at most one answer, and one to what it asks next', async (row) => {
    const old = new Set(client.messages.map(({ message }) => message));
    const isNew = (message: JsonObject) => !old.has(message) && message.method === undefined;
    const ping = `ping ${++pings}`;
    client.send(row.line());
    if (row.id !== undefined) await client.waitFor((message) => isNew(message) && message.id === row.id);
    await client.request('ping', {}, { id: ping });
    const answers = client.messages.map(({ message }) => message).filter(isNew);
    expect(answers.map(({ id }) => id)).toEqual(row.id === undefined ? [ping] : [row.id, ping]);
  });
});

describe.each(['legacy', 'modern'] as const)('a hostile server of the %s era', (era) => {
  let client: RawClient;
  beforeAll(async () => {
    client = await start({ mcpServers: { good, bad: fixture('hostile', { ERA: era }) } });
    await client.request('logging/setLevel', { level: 'debug' });
    await client.request('tools/list');
  });
  afterAll(() => endWell(client));

  it.each(hostileStrikes(era))('that sends $title harms nobody', async ({ title, answer }) => {
    const { message } = await call(client, 'bad:strike', { behaviour: title });
    expect(message).toMatchObject(answer);
    expect((await call(client, 'good:echo', { a: 1 })).message).toMatchObject(textOf('{"a":1}'));
    expect((await call(client, 'bad:echo')).message).toMatchObject(textOf('echo is honest'));
    expect((await client.request('ping')).message).toMatchObject({ result: {} });
  });
});

describe('a hostile server', () => {
  it('a hostile server gets an error for what it asks of the client, and an answer to its ping', async () => {
    const client = await start({ mcpServers: { bad: fixture('hostile') } });
    await call(client, 'bad:strike', { behaviour: 'requests of its own' });
    const { message } = await call(client, 'bad:heard');
    expect(message.result).toMatchObject({
      structuredContent: {
        heard: ['result', -32602, -32602, -32602, -32601, -32601].map((code, index) => ({ id: `r${index}`, code })),
      },
    });
    await endWell(client);
  });

  it.each(hostileLists)('a hostile server that says of itself $title harms nobody', async ({ title, usable }) => {
    const client = await start({ startWaitMs: 1_000, mcpServers: { good, bad: fixture('hostile', { LIST: title }) } });
    const { message } = await client.request('tools/list');
    const names = ((message.result as JsonObject).tools as JsonObject[]).map((tool) => String(tool.name));
    expect(names).toContain('good:echo');
    expect(names.includes('bad:echo')).toBe(usable);
    expect(names.filter((name) => name.startsWith('bad:')).length).toBeLessThanOrEqual(5_000);
    expect((await call(client, 'good:echo', { a: 1 })).message).toMatchObject(textOf('{"a":1}'));
    const { result } = (await call(client, 'bad:echo')).message;
    expect(JSON.stringify(result)?.includes('echo is honest') ?? false).toBe(usable);
    await endWell(client);
  });

  it.each<[string, (name: string) => [tool: string, args: JsonObject]]>([
    ['flat', (name) => [`bad:${name}`, {}]],
    ['dynamic', (name) => [`default__bad__${name}`, {}]],
    ['meta', (name) => ['use_tool', { tool: { toolbox: 'bad', server: 'bad', name } }]],
  ])(
    'a hostile server has its tools called by their own names in mode %s, whatever these are',
    async (mode, toCall) => {
      const client = await start({ mode, mcpServers: { bad: fixture('hostile', { LIST: 'names of the prototype' }) } });
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const { message } = await call(client, ...toCall(name));
        expect(message).toMatchObject(textOf(`${name} is honest`));
      }
      await endWell(client);
    },
  );
});
