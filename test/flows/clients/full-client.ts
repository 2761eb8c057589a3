/** A client that can do everything its era has, on the official SDK of that era, at any of the three doors of the program. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { atEnd } from '../../support/at-end.ts';
import { metaKey } from '../../support/envelope.ts';
import type { More, SdkClient, startOf, ToolResult } from '../../support/sdk-clients.ts';
import type { Era } from '../support.ts';

type Start = ReturnType<typeof startOf>;
/** A process with pipes, or an address. */
export type Door = { readonly start: Start } | { readonly url: string; readonly token: string };

export interface FullCallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: number) => void;
  /** Log messages of this call are wanted down to this level; else none. */
  readonly logLevel?: 'debug' | 'error';
}

export interface FullClient extends Pick<SdkClient, 'listTools'> {
  readonly name: string;
  readonly era: Era;
  readonly more: More;
  call(tool: string, args?: Record<string, unknown>, options?: FullCallOptions): Promise<ToolResult>;
  /** What it was asked: the words of the question. */
  readonly asked: string[];
  readonly logs: { readonly level: string; readonly data: unknown }[];
  readonly updated: string[];
  readonly changes: { tools: number; prompts: number };
  readonly roots: { uri: string; name: string }[];
  /** What it does when it is asked to fill in a form. */
  answerForms(action: 'accept' | 'decline'): void;
  watch(uri: string): Promise<void>;
  /** Begins to hear of changes of lists, where that has to be asked for. */
  hearChanges(): Promise<void>;
  rootsChanged(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
type Words = { readonly params: { readonly message?: string; readonly messages?: unknown } };

function createSeen(name: string) {
  const seen = {
    asked: [] as string[],
    logs: [] as { level: string; data: unknown }[],
    updated: [] as string[],
    changes: { tools: 0, prompts: 0 },
    roots: [{ uri: `file:///home/${name}`, name }],
  };
  let action: 'accept' | 'decline' = 'accept';
  return {
    ...seen,
    answerForms(wanted: 'accept' | 'decline') {
      action = wanted;
    },
    fillIn({ params }: Words) {
      seen.asked.push(params.message ?? '');
      const content = { name, response: name, color: 'blue', ok: true, context: name };
      return action === 'accept' ? { action, content } : { action };
    },
    /** Says back what it was asked, and who says it. */
    sample({ params }: Words) {
      const [asked] = params.messages as { content: { text: string } }[];
      const text = `${name} heard ${asked?.content.text}`;
      seen.asked.push(asked?.content.text ?? '');
      return { role: 'assistant' as const, content: { type: 'text' as const, text }, model: 'm' };
    },
  };
}

const withToken = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
class InPlaceStdio extends StdioV2 {}

export async function connectLegacy(door: Door, name: string): Promise<FullClient> {
  const client = new ClientV1({ name, version: '1.0.0' }, { capabilities });
  const { fillIn, sample, ...seen } = createSeen(name);
  client.setRequestHandler(types.ElicitRequestSchema, fillIn);
  client.setRequestHandler(types.CreateMessageRequestSchema, sample);
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: seen.roots }));
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => void seen.logs.push(params));
  client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params: { uri } }) => {
    seen.updated.push(uri);
  });
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => void seen.changes.tools++);
  client.setNotificationHandler(types.PromptListChangedNotificationSchema, () => void seen.changes.prompts++);
  atEnd(() => client.close());
  const transport = 'url' in door ? new HttpV1(new URL(door.url), withToken(door.token)) : new StdioV1(door.start);
  await client.connect(transport as Transport);
  let level: FullCallOptions['logLevel'];
  return {
    ...seen,
    name,
    era: 'legacy',
    more: client,
    listTools: async () => (await client.listTools()).tools,
    async call(tool, args = {}, { signal, onProgress, logLevel } = {}) {
      // Here it is a setting of the session.
      if (logLevel !== undefined && logLevel !== level) await client.setLoggingLevel(logLevel);
      level = logLevel ?? level;
      const options = {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }),
      };
      return (await client.callTool({ name: tool, arguments: args }, undefined, options)) as ToolResult;
    },
    watch: async (uri) => void (await client.subscribeResource({ uri })),
    async hearChanges() {
      // Who has not seen a list cannot miss a change of it.
      await client.listTools();
      await client.listPrompts();
    },
    rootsChanged: () => client.sendRootsListChanged(),
    ping: async () => void (await client.ping()),
    close: async () => {
      if (transport instanceof HttpV1) await transport.terminateSession();
      await client.close();
    },
  };
}

export async function connectModern(door: Door, name: string): Promise<FullClient> {
  const versionNegotiation = { mode: { pin: '2026-07-28' as const } };
  const client = new ClientV2({ name, version: '1.0.0' }, { capabilities, versionNegotiation });
  const { fillIn, sample, ...seen } = createSeen(name);
  client.setRequestHandler('elicitation/create', fillIn as never);
  client.setRequestHandler('sampling/createMessage', sample as never);
  client.setRequestHandler('roots/list', () => ({ roots: seen.roots }));
  client.setNotificationHandler('notifications/message', ({ params }) => void seen.logs.push(params as never));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void seen.updated.push(params.uri));
  client.setNotificationHandler('notifications/tools/list_changed', () => void seen.changes.tools++);
  client.setNotificationHandler('notifications/prompts/list_changed', () => void seen.changes.prompts++);
  atEnd(() => client.close());
  await client.connect(
    'url' in door ? new HttpV2(new URL(door.url), withToken(door.token)) : new InPlaceStdio(door.start),
  );
  return {
    ...seen,
    name,
    era: 'modern',
    more: client,
    listTools: async () => (await client.listTools(undefined, { cacheMode: 'bypass' })).tools,
    async call(tool, args = {}, { signal, onProgress, logLevel } = {}) {
      const _meta = logLevel === undefined ? undefined : { [metaKey('logLevel')]: logLevel };
      const options = {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }),
      };
      const params = { name: tool, arguments: args, ...(_meta && { _meta }) };
      return (await client.callTool(params, options)) as ToolResult;
    },
    watch: async (uri) => void (await client.listen({ resourceSubscriptions: [uri] })),
    hearChanges: async () => void (await client.listen({ toolsListChanged: true, promptsListChanged: true })),
    // Neither is part of this era.
    rootsChanged: async () => {},
    ping: async () => {},
    close: () => client.close(),
  };
}
