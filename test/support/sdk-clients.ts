/** The official clients behind one small interface, so that one test can run with each of them. */
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { atEnd } from './at-end.ts';

export interface Tool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export interface SdkClient {
  /** What the server said of itself. */
  readonly serverName: string | undefined;
  readonly instructions: string | undefined;
  readonly pid: number | null;
  /** All pages, never from a cache. */
  listTools(): Promise<Tool[]>;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  /** Calls back for every announcement; resolves once the server will announce. */
  onToolsChanged(callback: () => void): Promise<void>;
  /** What is not about tools, as the SDK gives it. */
  readonly more: More;
  close(): Promise<void>;
}

export interface More {
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ readonly messages: unknown }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ readonly contents: readonly { readonly uri: string }[] }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
  }): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
}

export type Connect = (command: string, args: readonly string[], env?: Env, cwd?: string) => Promise<SdkClient>;
type Env = Readonly<Record<string, string | undefined>>;

const info = { name: 'sdk-client', version: '1.0.0' };

/** SDK 1.x, which most clients in the field are built on. */
export const connectV1: Connect = async (command, args, env, cwd) => {
  const transport = new StdioV1(startOf(command, args, env, cwd));
  const client = new ClientV1(info);
  atEnd(() => client.close());
  await client.connect(transport);
  return {
    serverName: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    pid: transport.pid,
    async listTools() {
      const tools: Tool[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? undefined : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    async callTool(name, args = {}, options = {}) {
      return (await client.callTool({ name, arguments: args }, undefined, toRequestOptions(options))) as ToolResult;
    },
    async onToolsChanged(callback) {
      client.setNotificationHandler(ToolListChangedNotificationSchema, callback);
    },
    more: client,
    close: () => client.close(),
  };
};

/** SDK 2.x as it behaves by default: the handshake era. */
export const connectV2Legacy: Connect = async (command, args, env, cwd) => {
  const transport = new StdioV2(startOf(command, args, env, cwd));
  const client = new ClientV2(info, { versionNegotiation: { mode: 'legacy' } });
  return connectV2(client, transport);
};

/** The SDK probes the era on a second process unless the transport is a subclass of its own: then it asks this one. */
class InPlaceStdio extends StdioV2 {}

/** SDK 2.x pinned to revision 2026-07-28, with one process. */
export const connectV2Modern: Connect = async (command, args, env, cwd) => {
  const transport = new InPlaceStdio(startOf(command, args, env, cwd));
  const client = new ClientV2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  return connectV2(client, transport);
};

async function connectV2(client: ClientV2, transport: StdioV2): Promise<SdkClient> {
  atEnd(() => client.close());
  await client.connect(transport);
  return {
    serverName: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    pid: transport.pid,
    listTools: async () => (await client.listTools(undefined, { cacheMode: 'bypass' })).tools,
    async callTool(name, args = {}, options = {}) {
      return (await client.callTool({ name, arguments: args }, toRequestOptions(options))) as ToolResult;
    },
    async onToolsChanged(callback) {
      client.setNotificationHandler('notifications/tools/list_changed', callback);
      if (client.getProtocolEra() === 'modern') await client.listen({ toolsListChanged: true });
    },
    more: client,
    close: () => client.close(),
  };
}

function toRequestOptions({ onProgress, signal }: CallOptions) {
  return { ...(onProgress && { onprogress: onProgress }), ...(signal && { signal }) };
}

/** The SDKs pass on only a few variables by themselves; a test gives its server the whole environment. */
export function startOf(command: string, args: readonly string[], env: Env = {}, cwd?: string) {
  const whole = Object.entries({ ...process.env, ...env }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    command,
    args: [...args],
    env: Object.fromEntries(whole),
    stderr: 'ignore' as const,
    ...(cwd === undefined ? {} : { cwd }),
  };
}
