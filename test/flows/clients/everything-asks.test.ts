// @module-tag large
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { metaKey } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { prepareProgram } from '../../support/program.ts';
import { startOf } from '../../support/sdk-clients.ts';
import { reference } from '../../support/servers.ts';

/** Everything that the reference server asks and tells, for a client that can do everything. */
interface AskedClient {
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The messages of questions, in order. */
  readonly asked: string[];
  readonly logs: { level?: unknown; logger?: unknown }[];
  readonly updated: string[];
  readonly progress: number[];
  readonly roots: { uri: string; name: string }[];
  tellRootsChanged(): Promise<void>;
  firstResource(): Promise<string>;
  watch(uri: string): Promise<void>;
}

const info = { name: 'everything-client', version: '1.0.0' };
const answers = {
  form: { action: 'accept' as const, content: { name: 'Ann', check: true, integer: 7 } },
  url: { action: 'accept' as const },
  sampling: { role: 'assistant' as const, content: { type: 'text' as const, text: 'sampled words' }, model: 'm' },
};
const capabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

const textOf = (result: unknown) =>
  ((result as { content: { text?: string }[] }).content ?? []).map(({ text }) => text ?? '').join('\n');

function prepare() {
  const every = reference('everything', 'stdio');
  const { command, args, env, dir } = prepareProgram({ config: { mcpServers: { every } } });
  return startOf(command, args, env, dir);
}

async function startV1(): Promise<AskedClient> {
  const client = new ClientV1(info, { capabilities });
  const seen = { asked: [] as string[], logs: [] as object[], updated: [] as string[], progress: [] as number[] };
  const roots = [{ uri: 'file:///home/ann', name: 'home' }];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    seen.asked.push(params.message);
    return params.mode === 'url' ? answers.url : answers.form;
  });
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    seen.asked.push(JSON.stringify(params.messages));
    return answers.sampling;
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.logs.push(params));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.updated.push(params.uri));
  atEnd(() => client.close());
  await client.connect(new StdioV1(prepare()));
  await client.setLoggingLevel('debug');
  return {
    ...seen,
    roots,
    async call(name, args = {}) {
      const onprogress = ({ progress }: { progress: number }) => void seen.progress.push(progress);
      return textOf(await client.callTool({ name, arguments: args }, undefined, { onprogress }));
    },
    tellRootsChanged: () => client.sendRootsListChanged(),
    firstResource: async () => (await client.listResources()).resources[0]?.uri ?? '',
    watch: async (uri) => void (await client.subscribeResource({ uri })),
  };
}

/** The SDK probes the era on a second process unless the transport is a subclass of its own: then it asks this one. */
class InPlaceStdio extends StdioV2 {}

async function startModern(): Promise<AskedClient> {
  const client = new ClientV2(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const seen = { asked: [] as string[], logs: [] as object[], updated: [] as string[], progress: [] as number[] };
  const roots = [{ uri: 'file:///home/ann', name: 'home' }];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    seen.asked.push(params.message);
    return params.mode === 'url' ? answers.url : answers.form;
  });
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    seen.asked.push(JSON.stringify(params.messages));
    return answers.sampling;
  });
  client.setRequestHandler('roots/list', () => ({ roots }));
  client.setNotificationHandler('notifications/message', ({ params }) => void seen.logs.push(params));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void seen.updated.push(params.uri));
  atEnd(() => client.close());
  await client.connect(new InPlaceStdio(prepare()));
  return {
    ...seen,
    roots,
    async call(name, args = {}) {
      const onprogress = ({ progress }: { progress: number }) => void seen.progress.push(progress);
      const _meta = { [metaKey('logLevel')]: 'debug' };
      return textOf(await client.callTool({ name, arguments: args, _meta }, { onprogress }));
    },
    // There is nothing to tell in this era.
    tellRootsChanged: async () => {},
    firstResource: async () => (await client.listResources()).resources[0]?.uri ?? '',
    watch: async (uri) => void (await client.listen({ resourceSubscriptions: [uri] })),
  };
}

describe.each([
  ['SDK v1', startV1, 'legacy'],
  ['SDK v2 in the stateless era', startModern, 'modern'],
] as const)('what the reference server asks and tells a client on %s', (_, start, era) => {
  it('gets its forms filled in', async () => {
    const client = await start();
    const text = await client.call('every:trigger-elicitation-request');
    expect(client.asked).toEqual(['Please provide inputs for the following fields:']);
    expect(text).toContain('- Name: Ann');
    expect(text).toContain('- Favorite Integer: 7');
  });

  it('gets an address opened', async () => {
    const client = await start();
    const address = { url: 'https://example.com/sign', message: 'Please sign.' };
    expect(await client.call('every:trigger-url-elicitation', address)).toContain('User completed the URL');
    expect(client.asked).toEqual(['Please sign.']);
  });

  it('gets an address opened before a call that cannot be made without', async () => {
    const client = await start();
    const address = { url: 'https://example.com/sign', message: 'Please sign.', errorPath: true };
    if (era === 'legacy') {
      await expect(client.call('every:trigger-url-elicitation', address)).rejects.toMatchObject({ code: -32042 });
      return;
    }
    expect(await client.call('every:trigger-url-elicitation', address)).toContain('User completed the URL');
    expect(client.asked).toEqual([expect.stringContaining('prerequisite'), 'Please sign.']);
  });

  it('gets words from the model', async () => {
    const client = await start();
    const text = await client.call('every:trigger-sampling-request', { prompt: 'Say something.', maxTokens: 10 });
    expect(text).toContain('sampled words');
    expect(client.asked).toEqual([expect.stringContaining('Say something.')]);
  });

  it('gets the roots, and the new ones after they have changed', async () => {
    const client = await start();
    expect(await client.call('every:get-roots-list')).toContain('file:///home/ann');
    if (era === 'modern') return;
    client.roots.push({ uri: 'file:///srv', name: 'more' });
    await client.tellRootsChanged();
    await eventually(async () => expect(await client.call('every:get-roots-list')).toContain('file:///srv'));
  });

  it('tells how far it is', async () => {
    const client = await start();
    await client.call('every:trigger-long-running-operation', { duration: 1, steps: 4 });
    // The SDKs lose what comes together with the answer, and v2 counts rounds as progress of its own.
    expect([...new Set(client.progress)].slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('tells its log', async () => {
    const client = await start();
    await client.call('every:toggle-simulated-logging');
    await eventually(() => expect(client.logs).not.toEqual([]));
    expect(client.logs[0]).toMatchObject({ logger: expect.stringMatching(/^every/) });
  });

  it('tells of resources that are watched', async () => {
    const client = await start();
    const uri = await client.firstResource();
    await client.watch(uri);
    await client.call('every:toggle-subscriber-updates');
    await eventually(() => expect(client.updated).toContain(uri));
  });
});
