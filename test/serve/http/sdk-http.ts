/** The official clients over HTTP behind one small interface, so that one test can run with each of them. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { atEnd } from '../../support/at-end.ts';
import type { CallOptions, SdkClient, ToolResult } from '../../support/sdk-clients.ts';

export type HttpClient = Pick<SdkClient, 'listTools' | 'callTool' | 'onToolsChanged' | 'more' | 'close'>;
export type ConnectHttp = (url: string, token: string) => Promise<HttpClient>;

const info = { name: 'sdk-client', version: '1.0.0' };

export const clients: Record<'v1' | 'v1 over old SSE' | 'v2 legacy' | 'v2 modern', ConnectHttp> = {
  v1: (url, token) => connectV1(new HttpV1(new URL(url), { requestInit: withToken(token) }) as Transport),
  'v1 over old SSE': (url, token) => {
    const init = withToken(token);
    const fetchWithToken = (target: string | URL, options?: RequestInit) =>
      fetch(target, { ...options, headers: { ...(options?.headers as Record<string, string>), ...init.headers } });
    const sse = new URL(url.replace('/mcp', '/sse'));
    return connectV1(new SSEClientTransport(sse, { requestInit: init, eventSourceInit: { fetch: fetchWithToken } }));
  },
  'v2 legacy': (url, token) => connectV2(url, token, 'legacy'),
  'v2 modern': (url, token) => connectV2(url, token, 'auto'),
};

export const clientNames = Object.keys(clients) as (keyof typeof clients)[];

async function connectV1(transport: Transport): Promise<HttpClient> {
  const client = new ClientV1(info);
  atEnd(() => client.close());
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args = {}, options = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, toOptions(options))) as ToolResult,
    onToolsChanged: async (callback) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => callback()),
    more: client,
    close: () => client.close(),
  };
}

async function connectV2(url: string, token: string, mode: 'auto' | 'legacy'): Promise<HttpClient> {
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  atEnd(() => client.close());
  await client.connect(new HttpV2(new URL(url), { requestInit: withToken(token) }));
  const era = client.getProtocolEra();
  if (era !== (mode === 'auto' ? 'modern' : 'legacy')) throw new Error(`connected as ${era}`);
  return {
    listTools: async () => (await client.listTools(undefined, { cacheMode: 'bypass' })).tools,
    callTool: async (name, args = {}, options = {}) =>
      (await client.callTool({ name, arguments: args }, toOptions(options))) as ToolResult,
    async onToolsChanged(callback) {
      client.setNotificationHandler('notifications/tools/list_changed', callback);
      if (era === 'modern') await client.listen({ toolsListChanged: true });
    },
    more: client,
    close: () => client.close(),
  };
}

function withToken(token: string): { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

function toOptions({ onProgress, signal }: CallOptions) {
  return { ...(onProgress && { onprogress: onProgress }), ...(signal && { signal }) };
}
