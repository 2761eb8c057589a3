/** A server of the stateless era over HTTP, without an SDK: it checks every header and answers what a test tells it to. */
import type { ServerResponse } from 'node:http';
import { decodeHeaderValue } from '../../../src/base/call/header-value.ts';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import {
  type HttpServer,
  openEvents,
  type Seen,
  type ServerOptions,
  sendEvent,
  sendJson,
  startHttp,
} from './http-server.ts';

const version = '2026-07-28';
const key = (name: string) => `io.modelcontextprotocol/${name}`;
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] });

export interface ModernServer extends HttpServer {
  readonly url: string;
  /** The tools it lists; may be changed. */
  tools: JsonObject[];
  /** Names of calls whose requests were ended by the client. */
  readonly cancelled: string[];
  /** Open streams of announcements. */
  readonly listening: Set<ServerResponse>;
  announce(): void;
}

export interface ModernOptions extends ServerOptions {
  /** Takes over a request before anything else looks at it. True when it answered. */
  readonly first?: (seen: Seen, response: ServerResponse) => boolean | Promise<boolean>;
}

export const plainTool = (name: string, properties: JsonObject = {}): JsonObject => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties },
});

export async function startModern(options: ModernOptions = {}): Promise<ModernServer> {
  const cancelled: string[] = [];
  const listening = new Set<ServerResponse>();
  const state = {
    tools: ['echo', 'headers', 'slow', 'streamed', 'pretty', 'cut', 'boom'].map((name) => plainTool(name)),
  };

  const answer = (response: ServerResponse, { message }: Seen, result: JsonObject) =>
    sendJson(response, { jsonrpc: '2.0', id: message.id as Json, result: { resultType: 'complete', ...result } });

  const call = (seen: Seen, response: ServerResponse) => {
    const params = seen.message.params as JsonObject;
    const meta = params._meta as JsonObject;
    const id = seen.message.id as Json;
    const result = (value: string) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...text(value) } });
    const note = (method: string, extra: JsonObject) => ({ jsonrpc: '2.0', method, params: extra });
    switch (params.name) {
      case 'headers':
        return answer(response, seen, text(JSON.stringify(seen.headers)));
      case 'slow':
        response.once('close', () => {
          if (!response.writableFinished) cancelled.push('slow');
        });
        return setTimeout(
          () => answer(response, seen, text('slow')),
          Number((params.arguments as JsonObject).ms),
        ).unref();
      case 'streamed':
        openEvents(response);
        response.write(': a comment\r\n\r\n');
        sendEvent(response, note('notifications/progress', { progressToken: meta.progressToken ?? 0, progress: 1 }));
        sendEvent(response, note('notifications/message', { level: 'info', data: 'said on the stream' }));
        sendEvent(response, result('streamed'));
        return response.end();
      case 'pretty':
        openEvents(response);
        response.write(`${JSON.stringify(result('pretty'), null, 2).replace(/^/gm, 'data: ')}\n\n`);
        return response.end();
      case 'cut':
        openEvents(response);
        return setTimeout(() => response.destroy(), 50);
      case 'boom':
        return sendJson(response, { jsonrpc: '2.0', id, error: { code: 4711, message: 'boom', data: { why: 1 } } });
      default:
        return answer(response, seen, text(JSON.stringify(params.arguments)));
    }
  };

  const handle = async (seen: Seen, response: ServerResponse) => {
    if ((await options.first?.(seen, response)) === true) return;
    const { method, params } = seen.message as { method?: string; params?: JsonObject };
    const refuse = (status: number, code: number, message: string, data?: JsonObject) =>
      sendJson(
        response,
        { jsonrpc: '2.0', id: seen.message.id ?? null, error: { code, message, ...(data && { data }) } },
        status,
      );
    if (seen.method !== 'POST') return response.writeHead(405).end();
    const meta = (params?._meta ?? {}) as JsonObject;
    if (meta[key('protocolVersion')] !== version)
      return refuse(400, -32022, 'Unsupported protocol version', { supported: [version] });
    const fault = findHeaderFault(seen, state.tools);
    if (fault !== undefined) return refuse(400, -32020, fault);
    const stamp = { ttlMs: 0, cacheScope: 'private' };
    if (method === 'server/discover') {
      const capabilities = { tools: { listChanged: true }, logging: {} };
      return answer(response, seen, { ...stamp, supportedVersions: [version], capabilities });
    }
    if (method === 'tools/list') return answer(response, seen, { ...stamp, tools: state.tools });
    if (method === 'tools/call') return call(seen, response);
    if (method === 'subscriptions/listen') {
      openEvents(response);
      const _meta = { [key('subscriptionId')]: seen.message.id as Json };
      sendEvent(response, { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { _meta } });
      listening.add(response);
      return response.once('close', () => listening.delete(response));
    }
    return refuse(404, -32601, 'Method not found');
  };

  const server = await startHttp(handle, options);
  return Object.assign(state, server, {
    url: `${server.origin}/mcp`,
    cancelled,
    listening,
    announce() {
      for (const response of listening)
        sendEvent(response, { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} });
    },
  });
}

function findHeaderFault({ headers, message }: Seen, tools: readonly JsonObject[]): string | undefined {
  const params = (message.params ?? {}) as JsonObject;
  if (headers['mcp-protocol-version'] !== version) return 'wrong MCP-Protocol-Version';
  if (headers['mcp-method'] !== message.method) return 'wrong Mcp-Method';
  const accept = headers.accept ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return 'wrong Accept';
  if (message.method !== 'tools/call') return undefined;
  if (decodeHeaderValue(String(headers['mcp-name'])) !== params.name) return 'wrong Mcp-Name';
  const tool = tools.find(({ name }) => name === params.name);
  const properties = ((tool?.inputSchema as JsonObject)?.properties ?? {}) as Record<string, JsonObject>;
  for (const [name, schema] of Object.entries(properties)) {
    const header = schema['x-mcp-header'];
    const value = ((params.arguments ?? {}) as JsonObject)[name];
    if (typeof header !== 'string' || value === undefined || value === null) continue;
    const given = headers[`mcp-param-${header.toLowerCase()}`];
    if (given === undefined || decodeHeaderValue(String(given)) !== String(value)) return `wrong Mcp-Param-${header}`;
  }
  return undefined;
}
