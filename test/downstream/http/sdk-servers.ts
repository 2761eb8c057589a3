/**
 * Servers on the official SDKs behind a URL: what is met in the field. `steps` answers a moment after its progress, because SDK
 * clients lose progress that arrives together with the answer.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { type HttpServer, type Seen, startHttp } from './http-server.ts';

export interface SdkHttpServer extends HttpServer {
  readonly url: string;
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const asked = { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'asked' } }] };
const noted = (uri: string) => ({ contents: [{ uri, text: 'noted' }] });
const noteUri = 'note://one';
const region = { type: 'string', 'x-mcp-header': 'Region' };

function buildV1(): ServerV1 {
  const server = new ServerV1(
    { name: 'sdk-v1', version: '1' },
    { capabilities: { tools: {}, prompts: {}, resources: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['echo', 'steps'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: 'ask' }] }));
  server.setRequestHandler(GetPromptRequestSchema, () => asked);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: noteUri, name: 'note' }] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => noted(params.uri));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    if (params.name === 'echo') return text(JSON.stringify(params.arguments));
    const progressToken = params._meta?.progressToken ?? 0;
    for (const progress of [1, 2])
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    await sleep(50);
    return text('done');
  });
  return server;
}

/** SDK 1.x with sessions; `json` answers without streams. */
export async function startV1({ json = false } = {}): Promise<SdkHttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = await startHttp(async ({ headers, message }, response, request) => {
    let transport = sessions.get(String(headers['mcp-session-id']));
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        onsessioninitialized: (id) => void sessions.set(id, made),
      });
      await buildV1().connect(made as Transport);
      transport = made;
    }
    await transport.handleRequest(request, response, request.method === 'POST' ? message : undefined);
  });
  return Object.assign({ url: `${server.origin}/mcp` }, server);
}

/** SDK 1.x with the transport of 2024-11-05. */
export async function startV1Sse(): Promise<SdkHttpServer> {
  const sessions = new Map<string, SSEServerTransport>();
  const server = await startHttp(async ({ method, path, message, headers }, response, request) => {
    const { pathname, searchParams } = new URL(path, 'http://x');
    if (method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      await buildV1().connect(transport);
      return;
    }
    const transport = pathname === '/messages' ? sessions.get(String(searchParams.get('sessionId'))) : undefined;
    if (transport === undefined) response.writeHead(headers.accept === undefined ? 400 : 404).end();
    else await transport.handlePostMessage(request, response, message);
  });
  return Object.assign({ url: `${server.origin}/sse` }, server);
}

/** SDK 2.x, of the stateless era only or of both. */
export async function startV2(legacy: 'reject' | 'stateless'): Promise<SdkHttpServer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'sdk-v2', version: '1' });
      const inputSchema = fromJsonSchema({ type: 'object', properties: { region } });
      server.registerTool('echo', { inputSchema }, (args) => text(JSON.stringify(args)));
      server.registerTool('steps', { inputSchema }, async (_args, { mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken ?? 0;
        for (const progress of [1, 2])
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
        await sleep(50);
        return text('done');
      });
      server.registerPrompt('ask', {}, () => asked);
      server.registerResource('note', noteUri, {}, ({ href }) => noted(href));
      return server;
    },
    { legacy },
  );
  const server = await startHttp((seen, response) => serveFetch(handler.fetch, seen, response));
  return Object.assign({ url: `${server.origin}/mcp` }, server);
}

async function serveFetch(fetch: (request: Request) => Promise<Response>, seen: Seen, response: ServerResponse) {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const headers = Object.entries(seen.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const init: RequestInit = { method: seen.method, headers, signal: ended.signal };
  const request = new Request(
    `http://localhost${seen.path}`,
    seen.method === 'POST' ? { ...init, body: seen.body } : init,
  );
  const answer = await fetch(request);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body === null) response.end();
  else
    Readable.fromWeb(answer.body as ReadableStream)
      .on('error', () => response.destroy())
      .pipe(response);
}
