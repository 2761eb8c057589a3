/** A server of the handshake era over Streamable HTTP, without an SDK: sessions, streams that break off, and bad moments on demand. */
import type { ServerResponse } from 'node:http';
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
import { plainTool } from './modern-server.ts';

export interface LegacyServer extends HttpServer {
  readonly url: string;
  tools: JsonObject[];
  /** Sessions that are known; clearing it is what a restart does. */
  readonly sessions: Set<string>;
  /** Open streams of announcements. */
  readonly listening: Set<ServerResponse>;
  /** How many of the next new sessions are forgotten at once. */
  forgetful: number;
  announce(): void;
}

export interface LegacyOptions extends ServerOptions {
  readonly first?: (seen: Seen, response: ServerResponse) => boolean | Promise<boolean>;
  /** Answers GET with 405. */
  readonly withoutGet?: boolean;
}

export async function startLegacy(options: LegacyOptions = {}): Promise<LegacyServer> {
  const names = ['echo', 'headers', 'streamed', 'resumed', 'twice', 'gone', 'asks', 'slow'];
  const state = {
    tools: names.map((name) => plainTool(name)),
    sessions: new Set<string>(),
    listening: new Set<ServerResponse>(),
    forgetful: 0,
  };
  /** What is still to be said on streams that broke off, by the id of the last event. */
  const kept = new Map<string, (response: ServerResponse) => void>();
  let begun = 0;

  const call = (seen: Seen, response: ServerResponse) => {
    const { id } = seen.message;
    const { name, arguments: args, _meta } = seen.message.params as JsonObject;
    const result = (text: string) => ({
      jsonrpc: '2.0',
      id: id as Json,
      result: { content: [{ type: 'text', text }] },
    });
    const progress = (step: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: (_meta as JsonObject | undefined)?.progressToken ?? 0, progress: step },
    });
    const breakOff = (event: string, rest: (response: ServerResponse) => void) => {
      kept.set(event, rest);
      setTimeout(() => response.end(), 20);
    };
    switch (name) {
      case 'headers':
        return sendJson(response, result(JSON.stringify(seen.headers)));
      case 'streamed':
        openEvents(response);
        sendEvent(response, progress(1));
        sendEvent(response, {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 'said' },
        });
        sendEvent(response, result('streamed'));
        return response.end();
      case 'resumed':
      case 'twice':
        openEvents(response);
        response.write(`retry: 10\nid: ${id}-a\ndata:\n\n`);
        sendEvent(response, progress(1), `${id}-b`);
        return breakOff(`${id}-b`, (second) => {
          sendEvent(second, progress(2), `${id}-c`);
          if (name === 'resumed') {
            sendEvent(second, result('resumed'), `${id}-d`);
            return second.end();
          }
          kept.set(`${id}-c`, (third) => {
            sendEvent(third, result('twice'), `${id}-e`);
            third.end();
          });
          return second.end();
        });
      case 'gone':
        openEvents(response);
        return setTimeout(() => response.destroy(), 20);
      case 'asks':
        openEvents(response);
        sendEvent(response, { jsonrpc: '2.0', id: 'are you there', method: 'ping' });
        return setTimeout(() => {
          sendEvent(response, result('asked'));
          response.end();
        }, 100);
      case 'slow':
        return setTimeout(() => sendJson(response, result('slow')), Number((args as JsonObject).ms)).unref();
      default:
        return sendJson(response, result(JSON.stringify(args)));
    }
  };

  const handle = async (seen: Seen, response: ServerResponse) => {
    if ((await options.first?.(seen, response)) === true) return;
    const session = String(seen.headers['mcp-session-id']);
    const { method, id } = seen.message;
    const answer = (result: JsonObject, headers: Record<string, string> = {}) =>
      sendJson(response, { jsonrpc: '2.0', id: id as Json, result }, 200, headers);
    if (method === 'initialize') {
      const fresh = `session-${++begun}`;
      if (state.forgetful > 0) state.forgetful--;
      else state.sessions.add(fresh);
      const capabilities = { tools: { listChanged: true }, logging: {} };
      const serverInfo = { name: 'legacy', version: '1' };
      return answer({ protocolVersion: '2025-06-18', capabilities, serverInfo }, { 'mcp-session-id': fresh });
    }
    if (seen.headers['mcp-session-id'] === undefined)
      return sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } }, 400);
    if (!state.sessions.has(session)) return response.writeHead(404).end();
    if (seen.headers['mcp-protocol-version'] !== '2025-06-18') return response.writeHead(400).end();
    if (seen.method === 'DELETE') {
      state.sessions.delete(session);
      return response.writeHead(204).end();
    }
    if (seen.method === 'GET') {
      const last = seen.headers['last-event-id'];
      const rest = kept.get(String(last));
      if (options.withoutGet === true && rest === undefined) return response.writeHead(405).end();
      openEvents(response);
      if (rest !== undefined) return rest(response);
      state.listening.add(response);
      return response.once('close', () => state.listening.delete(response));
    }
    if (id === undefined || method === undefined) return response.writeHead(202).end();
    if (method === 'tools/list') return answer({ tools: state.tools });
    if (method === 'tools/call') return call(seen, response);
    if (method === 'logging/setLevel') return answer({});
    return sendJson(response, { jsonrpc: '2.0', id: id as Json, error: { code: -32601, message: 'unknown' } });
  };

  const server = await startHttp(handle, options);
  return Object.assign(state, server, {
    url: `${server.origin}/mcp`,
    announce() {
      for (const response of state.listening)
        sendEvent(response, { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} });
    },
  });
}
