import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { callError, callTool, listNames, startLegacy } from './support.ts';

const config = { mcpServers: { one: fixture('raw-legacy'), two: fixture('raw-modern') } };

describe('mode flat, the default for a plain mcpServers file', () => {
  let client: RawClient;
  beforeAll(async () => {
    client = await startLegacy({ config });
  });

  it('mode flat shows all tools of all servers as {server}:{tool}, in the order of the file', async () => {
    const names = await listNames(client);
    expect(names).toContain('one:echo');
    expect(names).toContain('two:my__special__tool');
    expect(names.indexOf('one:echo')).toBeLessThan(names.indexOf('two:echo'));
    expect(await listNames(client)).toEqual(names);
  });

  it('mode flat keeps the definition apart from the name', async () => {
    const { message } = await client.request('tools/list');
    expect(((message.result as JsonObject).tools as JsonObject[]).find(({ name }) => name === 'one:add')).toEqual({
      name: 'one:add',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    });
  });

  it('mode flat calls either server', async () => {
    expect((await callTool(client, 'one:add', { a: 1, b: 2 })).result).toEqual({
      content: [{ type: 'text', text: '3' }],
      structuredContent: { sum: 3 },
    });
    expect((await callTool(client, 'two:add', { a: 1, b: 2 })).result).toEqual({
      content: [{ type: 'text', text: '3' }],
      structuredContent: { sum: 3 },
    });
  });

  it.each(['echo', ':echo', 'one:', ':', ''])(
    "answers -32600 with the expected form for the name '%s'",
    async (name) => {
      const error = await callError(client, name);
      expect(error.code).toBe(-32600);
      expect(error.message.startsWith(`Invalid tool name '${name}'. Expected format: {server}:{tool}`)).toBe(true);
    },
  );

  it('mode flat answers -32601 with the nearest names for an unknown name', async () => {
    const error = await callError(client, 'one:ecoh');
    expect(error.code).toBe(-32601);
    expect(error.message).toContain('one:echo');
    expect((await callError(client, 'nobody:echo')).code).toBe(-32601);
  });

  it('mode flat answers -32602 for an unknown name to a client of the stateless era', async () => {
    const modern = startProgram({ config });
    const { message } = await modern.modern('tools/call', { name: 'one:ecoh', arguments: {} });
    expect(message.error).toMatchObject({ code: -32602 });
    await modern.close();
  });

  it('mode flat names the separator once on stderr, with the remedy', async () => {
    const said = client.stderr.split('\n').filter((line) => line.includes('WB1702'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('--separator __');
  });
});

describe('the separator', () => {
  it.each(['__', '::', '→', '/', '_', 'xyz'])("'%s' is taken from the flag", async (separator) => {
    const client = await startLegacy({ config, args: ['--separator', separator] });
    expect(await listNames(client)).toContain(`one${separator}echo`);
    expect((await callTool(client, `one${separator}my__special__tool`)).text).toBe('special');
    await client.close();
  });

  it('the separator is taken from the file, and the flag wins over it', async () => {
    const inFile = await startLegacy({ config: { ...config, separator: '.' } });
    expect(await listNames(inFile)).toContain('one.echo');
    const byFlag = await startLegacy({ config: { ...config, separator: '.' }, args: ['--separator=--'] });
    expect(await listNames(byFlag)).toContain('one--echo');
    await Promise.all([inFile.close(), byFlag.close()]);
  });

  it.each([
    ['', /^.*Separator cannot be empty\. Use --separator <chars>/m],
    [' ', /^.*Separator cannot contain whitespace\. Use non-whitespace characters/m],
    ['x y', /^.*Separator cannot contain whitespace\. Use non-whitespace characters/m],
    ['\t', /^.*Separator cannot contain whitespace\. Use non-whitespace characters/m],
  ])("'%s' is refused at start, by flag and in the file", async (separator, text) => {
    for (const options of [{ config, args: ['--separator', separator] }, { config: { ...config, separator } }]) {
      // A client that does not speak is waited for; this one leaves.
      const { code, stderr } = await startProgram(options).close();
      expect(code).toBe(2);
      expect(stderr).toMatch(text);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('the separator may occur in the name of a server: the lookup decides', async () => {
    const client = await startLegacy({
      config: { mcpServers: { my_server: fixture('raw-legacy') } },
      args: ['--separator', '_'],
    });
    expect((await callTool(client, 'my_server_add', { a: 1, b: 1 })).result.structuredContent).toEqual({ sum: 2 });
    await client.close();
  });
});

describe('names without a prefix and names that collide', () => {
  it('"prefix": false keeps the names of a server', async () => {
    const client = await startLegacy({
      config: { mcpServers: { one: { ...fixture('raw-legacy'), prefix: false }, two: fixture('raw-modern') } },
    });
    const names = await listNames(client);
    expect(names).toContain('echo');
    expect(names).toContain('two:echo');
    expect((await callTool(client, 'add', { a: 2, b: 3 })).result.structuredContent).toEqual({ sum: 5 });
    await client.close();
  });

  it('mode flat reports both owners of one name and the remedy, and shows neither', async () => {
    const both = {
      one: { ...fixture('raw-legacy'), prefix: false },
      two: { ...fixture('raw-legacy', { NAME: 'other' }), prefix: false },
    };
    const client = await startLegacy({ config: { mcpServers: both } });
    expect(await listNames(client)).not.toContain('echo');
    const error = await callError(client, 'echo');
    for (const part of ["'echo' of server 'one'", "'echo' of server 'two'", 'toolFilters', '"prefix": false'])
      expect(error.message).toContain(part);
    expect(client.stderr).toContain('WB1701');
    await client.close();
  });

  it('mode flat shows a server that stands in several toolboxes once', async () => {
    const shared = { mcpServers: { one: { ...fixture('raw-legacy') } } };
    const toolboxes = { a: { description: 'A', servers: ['one'] }, b: { description: 'B', servers: ['one'] } };
    const client = await startLegacy({ config: { ...shared, toolboxes, mode: 'flat' } });
    const names = await listNames(client);
    expect(names.filter((name) => name === 'one:echo')).toHaveLength(1);
    await client.close();
  });

  it('mode flat shortens and cleans names when asked to, stably, and finds them by lookup', async () => {
    const options = { config: { ...config, safeNames: true, maxNameLength: 16 } };
    const [first, second] = [await startLegacy(options), await startLegacy(options)];
    const names = await listNames(first);
    expect(await listNames(second)).toEqual(names);
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,15}$/);
    const short = names.find((name) => name.startsWith('one__my__'));
    expect(short).toMatch(/_[0-9a-f]{6}$/);
    expect((await callTool(first, String(short))).text).toBe('special');
    await Promise.all([first.close(), second.close()]);
  });
});
