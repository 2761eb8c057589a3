/** The official clients over every transport that they have. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  SSEClientTransport as SseV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { metaKey } from '../../support/envelope.ts';
import { startOf } from '../../support/sdk-clients.ts';
import type { LineChildStart } from '../line-child.ts';
import type { Era } from '../support.ts';
import type { Answer, CallOptions, HttpPlace, TransportClient } from './transport-client.ts';

const info = { name: 'sdk-client', version: '1.0.0' };

/** The SDK probes the era on a second process unless the transport is a subclass of its own: then it asks this one. */
class InPlaceStdio extends StdioV2 {}

export const connectV1Stdio = (start: LineChildStart) => connectV1(new StdioV1(toStart(start)));
export const connectV1Http = ({ url, token }: HttpPlace) =>
  connectV1(new HttpV1(new URL(url), { requestInit: withToken(token) }) as TransportV1);
export const connectV1Sse = ({ url, token }: HttpPlace) => connectV1(new SseV1(toSseUrl(url), toSseOptions(token)));

export const connectV2Stdio = (era: Era, start: LineChildStart) => connectV2(era, new InPlaceStdio(toStart(start)));
export const connectV2Http = (era: Era, { url, token }: HttpPlace) =>
  connectV2(era, new HttpV2(new URL(url), { requestInit: withToken(token) }));
export const connectV2Sse = ({ url, token }: HttpPlace) =>
  connectV2('legacy', new SseV2(toSseUrl(url), toSseOptions(token)));

async function connectV1(transport: TransportV1): Promise<TransportClient> {
  const client = new ClientV1(info);
  const logs: JsonObject[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params as JsonObject));
  atEnd(() => client.close());
  await client.connect(transport);
  return {
    era: 'legacy',
    logs,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, options = {}) {
      if (options.logLevel !== undefined) await client.setLoggingLevel(options.logLevel);
      return toAnswer(client.callTool({ name, arguments: args }, undefined, toRequestOptions(options)), options);
    },
    async onToolsChanged(callback) {
      client.setNotificationHandler(ToolListChangedNotificationSchema, callback);
    },
    close: () => client.close(),
  };
}

async function connectV2(era: Era, transport: StdioV2 | HttpV2 | SseV2): Promise<TransportClient> {
  const mode = era === 'legacy' ? era : { pin: '2026-07-28' };
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  const logs: JsonObject[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params as JsonObject));
  atEnd(() => client.close());
  await client.connect(transport);
  if (client.getProtocolEra() !== era) throw new Error(`connected as ${client.getProtocolEra()}`);
  return {
    era,
    logs,
    names: async () => (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name),
    async call(name, args = {}, options = {}) {
      const { logLevel } = options;
      if (era === 'legacy' && logLevel !== undefined) await client.setLoggingLevel(logLevel);
      const meta = era === 'modern' && logLevel !== undefined ? { _meta: { [metaKey('logLevel')]: logLevel } } : {};
      return toAnswer(client.callTool({ name, arguments: args, ...meta }, toRequestOptions(options)), options);
    },
    async onToolsChanged(callback) {
      client.setNotificationHandler('notifications/tools/list_changed', callback);
      if (era === 'modern') await client.listen({ toolsListChanged: true });
    },
    close: () => client.close(),
  };
}

/** The SDKs throw what the server answered as an error, with a prefix of their own in its message. */
async function toAnswer(result: Promise<unknown>, { signal }: CallOptions): Promise<Answer> {
  try {
    return { result: (await result) as JsonObject };
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message: string; data?: JsonObject };
    if (signal?.aborted === true || typeof code !== 'number') throw error;
    return { error: { code, message: message.replace(/^MCP error -?\d+: /, ''), ...(data && { data }) } };
  }
}

function toRequestOptions({ onProgress, signal }: CallOptions) {
  return {
    ...(onProgress && { onprogress: (params: object) => onProgress(params as JsonObject) }),
    ...(signal && { signal }),
  };
}

function withToken(token: string): { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

function toSseUrl(url: string): URL {
  return new URL(url.replace(/\/mcp$/, '/sse'));
}

/** The stream takes its headers from a fetch of its own. */
function toSseOptions(token: string) {
  const requestInit = withToken(token);
  const fetchWithToken = (target: string | URL, init?: RequestInit) =>
    fetch(target, { ...init, headers: { ...(init?.headers as Record<string, string>), ...requestInit.headers } });
  return { requestInit, eventSourceInit: { fetch: fetchWithToken } };
}

function toStart({ command, args, env, dir }: LineChildStart) {
  return startOf(command, args, env, dir);
}
