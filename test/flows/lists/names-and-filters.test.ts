// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { callTool, listNames, startLegacy } from '../../contract/support.ts';
import { fixture } from '../../support/servers.ts';
import { eras, errorOf, resultOf, startEra } from '../support.ts';

const gallery = { 'io.github.upstash/context7': fixture('raw-legacy'), 'Microsoft Docs': fixture('raw-modern') };

describe('servers with names from a gallery', () => {
  it('servers with names from a gallery are opened and used in mode meta, a plain file with one toolbox for each', async () => {
    const client = await startLegacy({ config: { mode: 'meta', mcpServers: gallery } });
    const opened = await callTool(client, 'open_toolbox', { toolbox: 'context7' });
    expect(opened.result.structuredContent).toMatchObject({
      toolbox: 'context7',
      servers_connected: 1,
      tools: expect.arrayContaining([
        expect.objectContaining({ name: 'echo', server: 'context7', toolbox: 'context7' }),
      ]),
    });
    const tool = { toolbox: 'Microsoft-Docs', server: 'Microsoft-Docs', name: 'echo' };
    expect((await callTool(client, 'use_tool', { tool, arguments: { a: 1 } })).isError).toBe(false);
    await client.close();
  });

  it('servers with names from a gallery are opened and used in mode dynamic, under names that every client takes', async () => {
    const toolboxes = { docs: { description: 'Docs', mcpServers: gallery } };
    const client = await startLegacy({ config: { mode: 'dynamic', toolboxes } });
    await callTool(client, 'open_toolbox', { toolbox: 'docs' });
    const names = await listNames(client);
    expect(names).toContain('docs__context7__echo');
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect((await callTool(client, 'docs__Microsoft-Docs__echo', { a: 1 })).isError).toBe(false);
    await client.close();
  });

  it('servers with names from a gallery keep their names in mode flat', async () => {
    const client = await startLegacy({ config: { mcpServers: gallery } });
    expect(await listNames(client)).toContain('Microsoft Docs:echo');
    await client.close();
  });
});

describe.each(eras)('what filters leave out, for a %s client', (era) => {
  const offering = fixture(`raw-${era}`, { TOOLS: 'grow', OFFERS: 'prompts,resources,completions' });
  const server = { ...offering, promptFilters: ['nothing'], resourceFilters: ['https:*', 'file:///open/*'] };
  const start = () => startEra(era, { config: { mcpServers: { server } } });

  it('is not listed', async () => {
    const client = await start();
    expect(resultOf(await client.ask('prompts/list', {})).prompts).toEqual([]);
    const { resources } = resultOf(await client.ask('resources/list', {}));
    expect((resources as JsonObject[]).map(({ uri }) => uri)).toEqual(['https://example.com/page']);
    expect(resultOf(await client.ask('resources/templates/list', {})).resourceTemplates).toEqual([]);
    await client.close();
  });

  it.each(['server+file:///readme.md', 'file:///readme.md', 'server+file:///open/../readme.md'])(
    'cannot be read, watched or completed by guessing: %s',
    async (uri) => {
      const client = await start();
      await client.ask('resources/list', {});
      expect(errorOf(await client.ask('resources/read', { uri })).message).toContain('not found');
      const ref = { type: 'ref/resource', uri };
      const completed = await client.ask('completion/complete', { ref, argument: { name: 'path', value: '' } });
      expect(errorOf(completed).message).toContain('not found');
      if (era === 'legacy')
        expect(errorOf(await client.ask('resources/subscribe', { uri })).message).toContain('not found');
      await client.close();
    },
  );

  it('leaves what is kept readable, listed or not', async () => {
    const client = await start();
    await client.ask('resources/list', {});
    const { contents } = resultOf(await client.ask('resources/read', { uri: 'server+file:///open/x.md' }));
    expect(contents).toMatchObject([{ text: 'text of file:///open/x.md' }]);
    await client.close();
  });

  it('is a prompt that cannot be got', async () => {
    const client = await start();
    await client.ask('prompts/list', {});
    expect(errorOf(await client.ask('prompts/get', { name: 'server:greet' })).message).toContain('Unknown prompt');
    await client.close();
  });
});
