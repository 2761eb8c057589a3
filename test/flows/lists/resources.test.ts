// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { aMoment, combinations, type Era, type EraClient, eras, errorOf, resultOf, startEra } from '../support.ts';

const offering = (era: Era, options = {}) =>
  fixture(`raw-${era}`, { TOOLS: 'grow', OFFERS: 'prompts,resources,completions', ...options });
const shown = ['server+file:///readme.md', 'https://example.com/page', 'ui://server+app/main.html'];
const shownTemplates = ['server+file:///{+path}', 'server+{scheme}://any'];

const changed = 'notifications/resources/list_changed';
const read = (client: EraClient, uri: string) => client.ask('resources/read', { uri });
const contentsOf = (answer: JsonObject) => resultOf(answer).contents as JsonObject[];

async function listed(client: EraClient, kind: 'resources' | 'resourceTemplates'): Promise<unknown[]> {
  const method = kind === 'resources' ? 'resources/list' : 'resources/templates/list';
  const found: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = resultOf(await client.ask(method, cursor === undefined ? {} : { cursor }));
    found.push(...(page[kind] as JsonObject[]).map(({ uri, uriTemplate }) => uri ?? uriTemplate));
    cursor = page.nextCursor as string | undefined;
  } while (cursor !== undefined);
  return found;
}

async function finish(client: EraClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe.each(combinations)('resources of a %s client in front of a %s server', (clientEra, serverEra) => {
  const start = (servers: Record<string, object> = {}) =>
    startEra(clientEra, { config: { pageSize: 2, mcpServers: { server: offering(serverEra), ...servers } } });
  const notFound = clientEra === 'legacy' ? -32002 : -32602;

  it('are listed and read under URIs that name their server', async () => {
    const client = await start();
    expect(await listed(client, 'resources')).toEqual(shown);
    expect(await listed(client, 'resourceTemplates')).toEqual(shownTemplates);
    const answer = resultOf(await read(client, 'server+file:///readme.md'));
    expect(answer.contents).toEqual([{ uri: 'server+file:///readme.md', text: 'text of file:///readme.md' }]);
    expect(answer.ttlMs).toBe(clientEra === 'modern' ? 0 : undefined);
    expect(answer.cacheScope).toBe(
      clientEra === 'modern' ? (serverEra === 'modern' ? 'public' : 'private') : undefined,
    );
    const cases = [
      ['https://example.com/page', 'https://example.com/page', 'https://example.com/page'],
      ['ui://server+app/main.html', 'ui://app/main.html', 'ui://server+app/main.html'],
      ['ui://server+other/unlisted', 'ui://other/unlisted', 'ui://server+other/unlisted'],
      ['server+file:///expanded', 'file:///expanded', 'server+file:///expanded'],
      ['file:///readme.md', 'file:///readme.md', 'server+file:///readme.md'],
      ['file:///by/template', 'file:///by/template', 'server+file:///by/template'],
    ];
    for (const [asked = '', own, uri] of cases)
      expect(contentsOf(await read(client, asked))).toEqual([{ uri, text: `text of ${own}` }]);
    await finish(client);
  });

  it('that are not there are said to be so with the code of the era', async () => {
    const client = await start({ other: offering(serverEra) });
    await listed(client, 'resources');
    expect(errorOf(await read(client, 'server+file:///missing'))).toMatchObject({ code: notFound });
    expect(errorOf(await read(client, 'nobody+x:y'))).toMatchObject({ code: notFound });
    // One that is there and empty is another matter.
    expect(contentsOf(await read(client, 'server+file:///empty'))).toEqual([]);
    expect(errorOf(await client.ask('resources/read', { uri: 7 })).message).toContain('the URI of a resource');
    await finish(client);
  });

  it('with a label that no server has go to none, also where one server alone has resources', async () => {
    const client = await start();
    for (const uri of ['nobody+file:///readme.md', 'nobody+note://x', 'ui://nobody+app/main.html', 'wb-00+a://b'])
      expect(errorOf(await read(client, uri)).code, uri).toBe(notFound);
    await finish(client);
  });

  it('that several servers may have are refused with the URIs that tell them apart', async () => {
    const client = await start({ other: offering(serverEra) });
    const each = ['server', 'other'];
    const own = each.flatMap((key) => [`${key}+file:///readme.md`, `ui://${key}+app/main.html`]);
    expect(await listed(client, 'resources')).toEqual(own);
    for (const uri of ['file:///readme.md', 'file:///by/template', 'https://example.com/page']) {
      const candidates = each.map((key) => `${key}+${uri}`);
      const error = errorOf(await read(client, uri));
      expect(error).toMatchObject({ code: -32602, data: { candidates } });
      for (const candidate of candidates) {
        expect(error.message).toContain(candidate);
        expect(contentsOf(await read(client, candidate))).toHaveLength(1);
      }
    }
    await finish(client);
  });

  it('are announced once when their list has grown', async () => {
    const client = await start();
    await listed(client, 'resources');
    await listed(client, 'resourceTemplates');
    if (clientEra === 'modern') {
      client.post('subscriptions/listen', { notifications: { resourcesListChanged: true } }, { id: 'listen' });
      await client.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
    }
    await read(client, 'server+note:grow');
    await client.waitFor(({ method }) => method === changed);
    expect(await listed(client, 'resources')).toEqual([...shown, 'server+note:extra-3']);
    await aMoment();
    expect(client.heard(changed)).toHaveLength(1);
    await finish(client);
  });

  it('keep their URIs with "prefix": false', async () => {
    const client = await start({ server: { ...offering(serverEra), prefix: false } });
    const own = ['file:///readme.md', 'https://example.com/page', 'ui://app/main.html'];
    expect(await listed(client, 'resources')).toEqual(own);
    for (const uri of [...own, 'ui://other/unlisted'])
      expect(contentsOf(await read(client, uri))).toEqual([{ uri, text: `text of ${uri}` }]);
    await finish(client);
  });

  it('are named alike in results, prompts, definitions and completion, and nothing else changes a byte', async () => {
    const client = await start();
    await client.names();
    const { raw } = await client
      .waitFor(() => true)
      .then(async () => {
        await client.call('server:links', {}, { id: 'links' });
        return client.waitFor(({ id }) => id === 'links');
      });
    for (const part of [
      '{"type":"resource_link","name":"a", "uri":"server+file:///readme.md","size":9007199254740993}',
      '{"type":"resource","resource":{"uri":"ui://server+app/main.html","text":"file:///readme.md","one":1.0}}',
      '{"type":"resource_link","name":"b","uri":"https://example.com/page"}',
      '{"type":"text","text":"file:///readme.md","uri":"file:///readme.md"}',
      '{"type":"resource_link","name":"c","uri":"server+file:///ünlisted.md"}',
      '"structuredContent":{"uri":"file:///readme.md"}',
    ])
      expect(raw).toContain(part);
    await client.ask('prompts/get', { name: 'server:linked' }, { id: 'prompt' });
    const prompt = await client.waitFor(({ id }) => id === 'prompt');
    expect(prompt.raw).toContain('{"uri":"server+file:///readme.md","text":"t","size":9007199254740993}');
    expect(prompt.raw).toContain('"uri":"https://example.com/page","name":"page","n":1.0');
    const tools = resultOf(await client.ask('tools/list')).tools as JsonObject[];
    expect(tools.find(({ name }) => name === 'server:links')?._meta).toEqual({
      ui: { resourceUri: 'ui://server+app/main.html', kept: 1 },
      'ui/resourceUri': 'ui://server+app/main.html',
      kept: 2,
    });
    const ref = { type: 'ref/resource', uri: 'server+file:///{+path}' };
    const answer = await client.ask('completion/complete', { ref, argument: { name: 'path', value: 'r' } });
    const { values } = resultOf(answer).completion as { values: string[] };
    expect(JSON.parse(values[0] ?? '')).toMatchObject({ ref: { type: 'ref/resource', uri: 'file:///{+path}' } });
    await finish(client);
  });
});

describe.each(eras)('resources of a %s client with toolboxes', (clientEra) => {
  const toolbox = () => ({ description: '', mcpServers: { server: offering('legacy') } });

  it.each(['meta', 'dynamic'])(
    'are shown for those opened in mode %s, as far as its lists may change',
    async (mode) => {
      const client = await startEra(clientEra, { config: { mode, toolboxes: { one: toolbox(), two: toolbox() } } });
      expect(await listed(client, 'resources')).toEqual([]);
      const { structuredContent } = resultOf(await client.call('open_toolbox', { toolbox: 'one' }));
      const opened = structuredContent as {
        resources: JsonObject[];
        resourceTemplates: JsonObject[];
        tools: JsonObject[];
      };
      expect(opened.resources.map(({ uri }) => uri)).toEqual(shown);
      expect(opened.resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(shownTemplates);
      expect(opened.tools.at(-1)?._meta).toMatchObject({ ui: { resourceUri: 'ui://server+app/main.html' } });
      if (clientEra === 'legacy') await client.waitFor(({ method }) => method === changed);
      expect(await listed(client, 'resources')).toEqual(clientEra === 'legacy' ? shown : []);
      expect(contentsOf(await read(client, 'server+file:///readme.md'))).toHaveLength(1);
      await finish(client);
    },
  );

  it.each(['meta', 'dynamic'])('of a toolbox that nobody opened can be read in mode %s', async (mode) => {
    const client = await startEra(clientEra, { config: { mode, toolboxes: { one: toolbox(), two: toolbox() } } });
    expect(contentsOf(await read(client, 'server+file:///readme.md'))).toHaveLength(1);
    await finish(client);
  });
});
