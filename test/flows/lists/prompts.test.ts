// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { metaKey } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { aMoment, combinations, type Era, type EraClient, eras, errorOf, resultOf, startEra } from '../support.ts';

const changed = 'notifications/prompts/list_changed';
const usual = ['greet', 'linked', 'seen_prompt', 'grow_prompts'];
const offering = (era: Era, options = {}) => fixture(`raw-${era}`, { TOOLS: 'grow', OFFERS: 'prompts', ...options });

async function pagesOf(client: EraClient): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = resultOf(await client.ask('prompts/list', cursor === undefined ? {} : { cursor }));
    pages.push((page.prompts as JsonObject[]).map(({ name }) => String(name)));
    cursor = page.nextCursor as string | undefined;
  } while (cursor !== undefined);
  return pages;
}

const namesOf = async (client: EraClient) => (await pagesOf(client)).flat();
const get = (client: EraClient, name: string, args: JsonObject = {}) =>
  client.ask('prompts/get', { name, arguments: args });
const saidBy = (answer: JsonObject) => {
  const [message] = resultOf(answer).messages as { content: { text: string } }[];
  return message?.content.text;
};

async function finish(client: EraClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe.each(combinations)('prompts of a %s client in front of a %s server, in mode flat', (clientEra, serverEra) => {
  const start = (options = {}, more = {}) =>
    startEra(clientEra, { config: { pageSize: 3, mcpServers: { server: offering(serverEra, options) }, ...more } });

  it('are listed in our pages under public names, definitions untouched, and got under them', async () => {
    const client = await start({ PROMPT_COUNT: 3, PAGE_SIZE: 2 });
    const all = [...usual, 'p0', 'p1', 'p2'].map((name) => `server:${name}`);
    expect(await pagesOf(client)).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    const page = resultOf(await client.ask('prompts/list'));
    expect((page.prompts as JsonObject[])[0]).toEqual({
      name: 'server:greet',
      description: 'Greets someone.',
      arguments: [{ name: 'who', required: true }],
      vendor: { kept: true },
    });
    expect(page.ttlMs).toBe(clientEra === 'modern' ? 0 : undefined);
    expect(page.cacheScope).toBe(clientEra === 'modern' ? (serverEra === 'modern' ? 'public' : 'private') : undefined);
    expect(saidBy(await get(client, 'server:greet', { who: 'Ada' }))).toBe('greet: Ada');
    const seen = JSON.parse(saidBy(await get(client, 'server:seen_prompt', { a: 'b' })) ?? '') as JsonObject;
    expect(seen).toMatchObject({ name: 'seen_prompt', arguments: { a: 'b' } });
    expect(Object.keys((seen._meta ?? {}) as JsonObject)).toHaveLength(serverEra === 'modern' ? 3 : 0);
    await finish(client);
  });

  it('are announced once when the list has grown', async () => {
    const client = await start();
    await namesOf(client);
    if (clientEra === 'modern') {
      const notifications = { promptsListChanged: true, toolsListChanged: true };
      client.post('subscriptions/listen', { notifications }, { id: 'listen' });
      await client.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
      expect(client.heard('notifications/subscriptions/acknowledged')[0]).toMatchObject({ notifications });
    }
    await get(client, 'server:grow_prompts');
    await client.waitFor(({ method }) => method === changed);
    expect(await namesOf(client)).toEqual([...usual, 'extra_4'].map((name) => `server:${name}`));
    await aMoment();
    expect(client.heard(changed)).toHaveLength(1);
    expect(client.heard('notifications/tools/list_changed')).toEqual([]);
    if (clientEra === 'modern')
      expect(client.heard(changed)[0]?._meta).toEqual({ [metaKey('subscriptionId')]: 'listen' });
    await finish(client);
  });

  it('that are unknown, malformed or of a server that fails say so, each in its own way', async () => {
    const broken = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
    const server = offering(serverEra, { MALFORMED: 1 });
    const client = await startEra(clientEra, { config: { mcpServers: { server, broken } } });
    expect(await namesOf(client)).toEqual(['odd_arguments', ...usual].map((name) => `server:${name}`));
    expect(errorOf(await get(client, 'server:gret'))).toEqual({
      code: -32602,
      message: "Unknown prompt 'server:gret'. Did you mean: server:greet?",
    });
    const failed = errorOf(await get(client, 'broken:any'));
    if (clientEra === 'legacy') expect(failed).toMatchObject({ code: -32000, data: { code: 'WB1004' } });
    else expect(failed).toMatchObject({ code: -32603, data: { original: { data: { code: 'WB1004' } } } });
    expect(failed.message).toContain("Failed to connect to server 'broken'");
    const nameless = await client.ask('prompts/get', { name: 7 });
    expect(errorOf(nameless).message).toContain('the name of a prompt');
    await finish(client);
  });

  it('keep their names with "prefix": false', async () => {
    const server = { ...offering(serverEra), prefix: false };
    const client = await startEra(clientEra, { config: { mcpServers: { server } } });
    expect(await namesOf(client)).toEqual(usual);
    expect(saidBy(await get(client, 'greet', { who: 'Ada' }))).toBe('greet: Ada');
    await finish(client);
  });

  it('that cannot be listed cost nothing else', async () => {
    const client = await start({ NO_PROMPT_LIST: 1 });
    expect(await client.names()).toEqual(['server:grow']);
    expect(await namesOf(client)).toEqual([]);
    await finish(client);
  });
});

describe.each(eras)('prompts of a %s client with toolboxes', (clientEra) => {
  const toolbox = () => ({ description: '', mcpServers: { s: offering('legacy') } });
  const open = (client: EraClient, name: string) => client.call('open_toolbox', { toolbox: name });
  const boxed = usual.map((name) => `one__s__${name}`);

  it.each(['meta', 'dynamic'])('are shown for those opened in mode %s, as far as its list may change', async (mode) => {
    const client = await startEra(clientEra, { config: { mode, toolboxes: { one: toolbox(), two: toolbox() } } });
    expect(await namesOf(client)).toEqual([]);
    const opened = resultOf(await open(client, 'one')).structuredContent as JsonObject;
    expect((opened.prompts as JsonObject[]).map(({ name }) => name)).toEqual(boxed);
    if (clientEra === 'legacy') await client.waitFor(({ method }) => method === changed);
    expect(await namesOf(client)).toEqual(clientEra === 'legacy' ? boxed : []);
    expect(saidBy(await get(client, 'one__s__greet', { who: 'Ada' }))).toBe('greet: Ada');
    await finish(client);
  });

  it.each(['meta', 'dynamic'])('of a toolbox that nobody opened can be had in mode %s', async (mode) => {
    const client = await startEra(clientEra, { config: { mode, toolboxes: { one: toolbox(), two: toolbox() } } });
    expect(saidBy(await get(client, 'two__s__greet', { who: 'Ada' }))).toBe('greet: Ada');
    expect(errorOf(await get(client, 'two__s__gret'))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('two__s__greet'),
    });
    for (const name of ['nowhere__s__greet', 'two__nobody__greet', 'greet', '__proto__'])
      expect(errorOf(await get(client, name)).code).toBe(-32602);
    await finish(client);
  });

  it('of the only toolbox are shown from the beginning in mode meta', async () => {
    const client = await startEra(clientEra, { config: { mode: 'meta', toolboxes: { one: toolbox() } } });
    expect(await namesOf(client)).toEqual(boxed);
    await open(client, 'one');
    await eventually(async () => expect(await namesOf(client)).toEqual(boxed));
    await aMoment();
    expect(client.heard(changed)).toEqual([]);
    await finish(client);
  });

  it('are not mentioned by a toolbox that has none', async () => {
    const none = { description: '', mcpServers: { s: fixture('raw-legacy', { TOOLS: 'grow' }) } };
    const client = await startEra(clientEra, { config: { mode: 'meta', toolboxes: { one: none } } });
    expect(resultOf(await open(client, 'one')).structuredContent).not.toHaveProperty('prompts');
    await finish(client);
  });
});
