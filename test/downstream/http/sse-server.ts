/** A server that speaks only the transport of 2024-11-05. */
import type { ServerResponse } from 'node:http';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { type HttpServer, openEvents, startHttp } from './http-server.ts';
import { plainTool } from './modern-server.ts';

export interface SseServer extends HttpServer {
  readonly url: string;
  readonly streams: Set<ServerResponse>;
}

/** `endpoint` is what its first event says. */
export async function startSse(endpoint = '/messages?session=1'): Promise<SseServer> {
  const streams = new Set<ServerResponse>();
  const server = await startHttp((seen, response) => {
    if (seen.method === 'GET' && seen.path === '/sse') {
      openEvents(response);
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      streams.add(response);
      return response.once('close', () => streams.delete(response));
    }
    if (seen.method !== 'POST' || !seen.path.startsWith('/messages')) return response.writeHead(405).end();
    response.writeHead(202).end('Accepted');
    const { id, method, params } = seen.message;
    if (id === undefined || method === undefined) return undefined;
    const say = (message: JsonObject) => {
      for (const stream of streams)
        stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    };
    const answer = (result: JsonObject) => say({ id: id as Json, result });
    if (method === 'initialize') {
      const serverInfo = { name: 'old', version: '1' };
      return answer({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo });
    }
    if (method === 'tools/list') return answer({ tools: [plainTool('echo'), plainTool('hang')] });
    const { name, arguments: args, _meta } = params as JsonObject;
    if (name === 'hang') return undefined;
    const token = (_meta as JsonObject | undefined)?.progressToken;
    if (token !== undefined) say({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } });
    return answer({ content: [{ type: 'text', text: JSON.stringify(args) }] });
  });
  return Object.assign({ url: `${server.origin}/sse`, streams }, server);
}
