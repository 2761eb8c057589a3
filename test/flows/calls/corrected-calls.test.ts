/** A model that calls wrongly is told the call to make, and that call works as it stands. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { fixture, reference } from '../../support/servers.ts';
import { type EraClient, eras, startEra } from '../support.ts';

const one = fixture('raw-legacy');
const other = fixture('raw-modern');
const toolboxes = {
  test: { description: 'For tests.', mcpServers: { everything: one, more: other, memory: reference('memory') } },
  Prod: { description: 'For use.', mcpServers: { everything: one } },
};

/** The text of a refusal, be it a result or an error. */
async function refusalOf(client: EraClient, name: string, args: unknown): Promise<string> {
  const { result, error } = await client.ask('tools/call', { name, arguments: args as JsonObject });
  const [block] = ((result as JsonObject | undefined)?.content ?? []) as JsonObject[];
  if (error === undefined) expect((result as JsonObject).isError).toBe(true);
  return String((error as JsonObject | undefined)?.message ?? block?.text);
}

/** The JSON that a text ends with. */
function callIn(text: string): JsonObject {
  const found = /(?:Call|call)(?: \w+ with)? (\{.*\})\.$/s.exec(text)?.[1];
  if (found === undefined) throw new Error(`no call in: ${text}`);
  return JSON.parse(found) as JsonObject;
}

describe.each(eras)('in mode meta, a client of the %s era', (era) => {
  let client: EraClient;
  beforeAll(async () => {
    client = await startEra(era, { config: { toolboxes } });
    await client.call('open_toolbox', { toolbox: 'test' });
  });
  const echo = { toolbox: 'test', server: 'everything', name: 'echo' };
  const args = { text: 'hello "you"' };
  const corrected = { tool: echo, arguments: args };

  it.each<[string, JsonObject]>([
    ['arguments as a string', { tool: echo, arguments: JSON.stringify(args) }],
    ['the tool as a string of JSON', { tool: JSON.stringify(echo), arguments: args }],
    ['flattened keys', { ...echo, arguments: args }],
    [
      'flattened keys with the tool under its old key',
      { toolbox: 'test', server: 'everything', tool: 'echo', arguments: args },
    ],
    ['everything flattened', { ...echo, ...args }],
    ['a path', { tool: 'test/everything/echo', arguments: args }],
    ['a public name', { tool: 'test__everything__echo', arguments: args }],
    ['another case', { tool: { ...echo, toolbox: 'Test' }, arguments: args }],
    ['another case of the server', { tool: { ...echo, server: 'Everything' }, arguments: args }],
    ['old keys', { toolbox_name: 'test', tool_name: 'echo', tool: { server: 'everything' }, arguments: args }],
    ['the old key of the name', { tool: { toolbox: 'test', server: 'everything', tool: 'echo' }, arguments: args }],
    ['another key for the arguments', { tool: echo, args }],
    ['a mistyped tool', { tool: { ...echo, name: 'ehco' }, arguments: args }],
    ['a mistyped server', { tool: { ...echo, server: 'evrything' }, arguments: args }],
    ['an unknown toolbox', { tool: { ...echo, toolbox: 'tset' }, arguments: args }],
  ])('is told the call to make for %s', async (_, input) => {
    const call = callIn(await refusalOf(client, 'use_tool', input));
    expect(call).toEqual(corrected);
    const { result } = await client.call('use_tool', call);
    expect((result as JsonObject).structuredContent).toEqual(args);
  });

  it('is told the server where only one has such a tool', async () => {
    const tool = { toolbox: 'test', name: 'search_nodes' };
    const call = callIn(await refusalOf(client, 'use_tool', { tool, arguments: { query: 'x' } }));
    expect(call).toEqual({ tool: { ...tool, server: 'memory' }, arguments: { query: 'x' } });
  });

  it.each<[JsonObject, string]>([
    [{ toolbox_name: 'test' }, 'test'],
    [{ toolbox: 'Test' }, 'test'],
    [{ toolbox: 'prod' }, 'Prod'],
    [{ name: 'tset' }, 'test'],
    [{ toolbox: 'more' }, 'test'],
    [{ toolbox: 'test/everything' }, 'test'],
    [{ toolbox: 'test', extra: 1 }, 'test'],
    [{}, 'test'],
  ])('is told which toolbox to open for %j', async (input, toolbox) => {
    expect(callIn(await refusalOf(client, 'open_toolbox', input))).toEqual({ toolbox });
  });

  it.each(['echo', 'everything__echo', 'test/everything/echo', 'test__everything__echo', 'Echo'])(
    'is told the call to make when it calls %s directly',
    async (name) => {
      expect(callIn(await refusalOf(client, name, args))).toEqual(corrected);
    },
  );

  it('is given the error of a server with its code and text, and where it comes from', async () => {
    const tool = { ...echo, name: 'boom' };
    const { error } = await client.call('use_tool', { tool });
    expect(error).toMatchObject({ message: '[test/everything/boom] Error: boom' });
    if (era === 'legacy') expect(error).toMatchObject({ code: -32077, data: { why: 'boom' }, extra: { kept: true } });
  });

  it('does not repeat arguments that are too long, and says so', async () => {
    const text = await refusalOf(client, 'use_tool', { ...echo, arguments: { text: 'x'.repeat(100_000) } });
    expect(text.length).toBeLessThan(700);
    expect(text).toContain('"tool":{"toolbox":"test","server":"everything","name":"echo"}');
    expect(text).toContain('the same "arguments"');
  });
});

describe('in mode dynamic, a client', () => {
  it('is told the call to make under the public name', async () => {
    const client = await startEra('legacy', { config: { mode: 'dynamic', toolboxes } });
    await client.call('open_toolbox', { toolbox: 'test' });
    for (const name of [
      'test_everything_echo__',
      'Test__everything__echo',
      'test__everythin__echo',
      'echo',
      'test__everything__ehco',
    ]) {
      const call = callIn(await refusalOf(client, name, { text: 'x' }));
      expect(call).toEqual({ name: 'test__everything__echo', arguments: { text: 'x' } });
    }
    const { result } = await client.ask('tools/call', { name: 'test__everything__echo', arguments: { text: 'x' } });
    expect((result as JsonObject).structuredContent).toEqual({ text: 'x' });
  });
});

describe.each(eras)('in mode flat, a client of the %s era', (era) => {
  it('is told the call to make, and first what its server has', async () => {
    const client = await startEra(era, { config: { mcpServers: { everything: one, more: other } } });
    await client.names();
    const meant = { tool: { toolbox: 'x', server: 'everything', name: 'echo' }, arguments: { text: 'x' } };
    const calls: [string, JsonObject][] = [
      ['everything:ehco', { text: 'x' }],
      ['Everything:echo', { text: 'x' }],
      ['everything/echo', { text: 'x' }],
      ['everything__echo', { text: 'x' }],
      ['use_tool', meant],
    ];
    for (const [name, given] of calls) {
      const call = callIn(await refusalOf(client, name, given));
      expect(call).toEqual({ name: 'everything:echo', arguments: { text: 'x' } });
    }
    const text = await refusalOf(client, 'more:ehco', {});
    expect(text).toMatch(/Did you mean: more:echo/);
  });
});

describe('a tool that was given wrong arguments', () => {
  it('a tool that was given wrong arguments comes back with its signature behind the words of its server, in every mode', async () => {
    const strict = reference('everything');
    const name = 'get-sum';
    for (const mode of ['meta', 'dynamic', 'flat']) {
      const client = await startEra('legacy', {
        config: { mode, toolboxes: { test: { description: 'T', mcpServers: { strict } } } },
      });
      await client.names();
      const call = (args: JsonObject) =>
        mode === 'meta'
          ? client.call('use_tool', { tool: { toolbox: 'test', server: 'strict', name }, arguments: args })
          : client.call(mode === 'flat' ? `strict:${name}` : `test__strict__${name}`, args);
      const wrong = JSON.stringify(await call({ a: 'one' }));
      expect(wrong).toContain('Signature: get-sum(a: number, b: number)');
      expect(wrong.indexOf('Signature')).toBeGreaterThan(wrong.indexOf('Invalid'));
      const right = JSON.stringify(await call({ a: 1, b: 2 }));
      expect(right).not.toContain('Signature');
    }
  });
});
