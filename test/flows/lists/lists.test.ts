// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { metaKey } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import {
  aMoment,
  combinations,
  type Era,
  type EraClient,
  errorOf,
  listChanged,
  pagesOf,
  resultOf,
  startEra,
} from '../support.ts';

const acknowledged = 'notifications/subscriptions/acknowledged';
const tools = ['grow', 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'].map((name) => `server:${name}`);

/** Ten tools, in pages of three behind us and of four in front of us. */
const start = (client: Era, server: Era, options = {}) => {
  const paged = fixture(`raw-${server}`, { TOOLS: 'grow', TOOL_COUNT: 9, PAGE_SIZE: 3, ...options });
  return startEra(client, { config: { pageSize: 4, mcpServers: { server: paged } } });
};

const subscriptionOf = ({ _meta }: JsonObject) => (_meta as JsonObject)[metaKey('subscriptionId')];

/** Makes sure that the client will hear of changes, in the way of its era. */
async function subscribe(client: EraClient, id: string | number = 'listen'): Promise<void> {
  await client.names();
  if (client.era === 'legacy') return;
  // Stays open until it is cancelled or the program ends.
  client.post('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id });
  await client.waitFor(({ method, params }) => method === acknowledged && subscriptionOf(params as JsonObject) === id);
}

async function finish(client: EraClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe.each(combinations)('the list of a %s client in front of a %s server', (clientEra, serverEra) => {
  it.each([
    ['opaque cursors', {}],
    ['the empty string as a cursor', { EMPTY_CURSOR: 1 }],
  ])('comes in our pages, complete and in order, from a server that pages with %s', async (_, options) => {
    const client = await start(clientEra, serverEra, options);
    expect(await pagesOf(client)).toEqual([tools.slice(0, 4), tools.slice(4, 8), tools.slice(8)]);
    expect(await pagesOf(client)).toEqual([tools.slice(0, 4), tools.slice(4, 8), tools.slice(8)]);
    await finish(client);
  });

  it('refuses a cursor that it never gave, and one of a list that has changed', async () => {
    const client = await start(clientEra, serverEra);
    const { nextCursor } = resultOf(await client.ask('tools/list'));
    const ask = (cursor: unknown) => client.ask('tools/list', { cursor } as JsonObject);
    for (const cursor of ['made up', '', 0, 4, null, {}, ['x'], `${nextCursor}x`]) {
      expect(errorOf(await ask(cursor))).toMatchObject({ code: -32602, message: expect.stringContaining('cursor') });
    }
    expect(resultOf(await ask(nextCursor)).tools).toHaveLength(4);
    await client.call('server:grow', { count: 1 });
    await eventually(async () => expect(await client.names()).toEqual([...tools, 'server:extra_1']));
    expect(errorOf(await ask(nextCursor)).code).toBe(-32602);
    await finish(client);
  });

  it('is announced once when it has grown, though the server says so five times', async () => {
    const client = await start(clientEra, serverEra);
    await subscribe(client);
    await client.call('server:grow', { count: 2 });
    await client.waitFor(({ method }) => method === listChanged);
    expect(await client.names()).toEqual([...tools, 'server:extra_1', 'server:extra_2']);
    await aMoment();
    expect(client.heard(listChanged)).toHaveLength(1);
    await finish(client);
  });

  it('is not announced when the server says that it changed and it is the same', async () => {
    const client = await start(clientEra, serverEra);
    await subscribe(client);
    await client.call('server:grow', { count: 0 });
    // Longer than the pause in which announcements of a server are gathered.
    await aMoment(400);
    expect(client.heard(listChanged)).toEqual([]);
    // The same way is open for a change that is one.
    await client.call('server:grow', { count: 1 });
    await client.waitFor(({ method }) => method === listChanged);
    expect(client.heard(listChanged)).toHaveLength(1);
    await finish(client);
  });
});

describe.each(['legacy', 'modern'] as const)('subscriptions/listen in front of a %s server', (serverEra) => {
  it('tags what it sends with the id of the request, in its JSON type, after the acknowledgement', async () => {
    const client = await start('modern', serverEra);
    const ids = ['listen', 77, '77', 0];
    for (const id of ids) await subscribe(client, id);
    expect(client.heard(acknowledged)).toEqual(
      ids.map((id) => ({ notifications: { toolsListChanged: true }, _meta: { [metaKey('subscriptionId')]: id } })),
    );
    expect(client.heard(listChanged)).toEqual([]);
    await client.call('server:grow');
    await eventually(() => client.heard(listChanged).length === ids.length);
    expect(client.heard(listChanged).map(subscriptionOf)).toEqual(ids);
    await finish(client);
    const ends = client.messages
      .map(({ message }) => message)
      .filter(({ id, result }) => result && ids.includes(id as string));
    for (const id of ids) {
      const end = ends.find((message) => message.id === id);
      expect(end?.result).toMatchObject({ resultType: 'complete', _meta: { [metaKey('subscriptionId')]: id } });
    }
  });

  it('sends nothing for a subscription to something else, or one that was cancelled', async () => {
    const client = await start('modern', serverEra);
    client.post('subscriptions/listen', { notifications: { somethingElse: true } }, { id: 'other' });
    await client.waitFor(({ method }) => method === acknowledged);
    expect(client.heard(acknowledged)).toEqual([
      { notifications: {}, _meta: { [metaKey('subscriptionId')]: 'other' } },
    ]);
    for (const id of ['cancelled', 'kept']) await subscribe(client, id);
    client.notify('notifications/cancelled', { requestId: 'cancelled' });
    await client.call('server:grow');
    // Subscriptions are told in the order in which they began: this one is the last.
    const isKept = ({ params }: JsonObject) => subscriptionOf(params as JsonObject) === 'kept';
    await client.waitFor((message) => message.method === listChanged && isKept(message));
    await finish(client);
    expect(client.heard(listChanged).map(subscriptionOf)).toEqual(['kept']);
    expect(client.messages.filter(({ message }) => message.id === 'cancelled')).toEqual([]);
  });

  it('is the only way to hear of changes', async () => {
    const client = await start('modern', serverEra);
    await client.names();
    await client.call('server:grow');
    // Asking for the list any earlier would be a reason not to announce it.
    await aMoment(400);
    expect(client.heard(listChanged)).toEqual([]);
    expect(await client.names()).toContain('server:extra_1');
    await finish(client);
  });
});
