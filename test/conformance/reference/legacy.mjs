/**
 * The reference server of the handshake era, on SDK 1: `node legacy.mjs` speaks stdio, `node legacy.mjs http` prints its address
 * and serves sessions there. It asks its client by sending requests.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { complete, prompts, readResource, resources, resourceTemplates } from './content.mjs';
import { createEventStore } from './event-store.mjs';
import { listTools } from './tools.mjs';

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};
const answerShapes = new Map([
  ['elicitation/create', types.ElicitResultSchema],
  ['sampling/createMessage', types.CreateMessageResultSchema],
  ['roots/list', types.ListRootsResultSchema],
]);

const needs = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);
/** Of all sessions: the lists are the same in each, so all are told. */
const servers = new Set();

function build() {
  const server = new Server({ name: 'reference-legacy', version: '1.0.0' }, { capabilities });

  const handFor = ({ params }, extra) => ({
    capabilities: () => server.getClientCapabilities() ?? {},
    lacks: (requiredCapabilities) =>
      new types.McpError(-32021, 'The client lacks a capability', { requiredCapabilities }),
    async ask(requests) {
      const declared = server.getClientCapabilities() ?? {};
      for (const { method } of Object.values(requests))
        if (declared[needs.get(method)] === undefined) throw new Error(`The client does not support ${method}`);
      const asked = Object.entries(requests).map(async ([key, request]) => [
        key,
        await extra.sendRequest(request, answerShapes.get(request.method)),
      ]);
      return Object.fromEntries(await Promise.all(asked));
    },
    log: (data) => extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } }),
    async progress(progress) {
      const progressToken = params._meta?.progressToken;
      if (progressToken === undefined) return;
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    },
    closeStream: () => extra.closeSSEStream?.(),
    signal: extra.signal,
    updated: (uri) =>
      Promise.all(
        [...servers].filter((each) => each.watched.has(uri)).map((each) => each.sendResourceUpdated({ uri })),
      ),
    changed: (kind) =>
      Promise.all(
        [...servers].map((each) => (kind === 'tools' ? each.sendToolListChanged() : each.sendPromptListChanged())),
      ),
  });

  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: listTools().map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async (request, extra) => {
    const found = new Map(listTools()).get(request.params.name);
    if (found === undefined) throw new types.McpError(-32602, `Unknown tool: ${request.params.name}`);
    try {
      return await found.run(request.params.arguments ?? {}, handFor(request, extra));
    } catch (error) {
      if (error.code === -32021) throw error;
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  });
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
    prompts: [...prompts].map(([name, prompt]) => ({ name, description: name, arguments: prompt.arguments })),
  }));
  server.setRequestHandler(types.GetPromptRequestSchema, (request, extra) => {
    const found = prompts.get(request.params.name);
    if (found === undefined) throw new types.McpError(-32602, `Unknown prompt: ${request.params.name}`);
    return found.get(request.params.arguments ?? {}, handFor(request, extra));
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = readResource(uri);
    if (found === undefined) throw new types.McpError(-32002, 'Resource not found', { uri });
    return { contents: [found] };
  });
  server.watched = new Set();
  server.setRequestHandler(types.SubscribeRequestSchema, ({ params }) => {
    server.watched.add(params.uri);
    return {};
  });
  server.setRequestHandler(types.UnsubscribeRequestSchema, ({ params }) => {
    server.watched.delete(params.uri);
    return {};
  });
  server.setRequestHandler(types.CompleteRequestSchema, ({ params }) => ({
    completion: complete(params.argument.value),
  }));
  servers.add(server);
  server.onclose = () => servers.delete(server);
  return server;
}

async function serveHttp() {
  const sessions = new Map();
  const listener = createServer(async (request, response) => {
    const hosts = [`localhost:${listener.address().port}`, `127.0.0.1:${listener.address().port}`];
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined && request.headers['mcp-session-id'] !== undefined) {
      response.writeHead(404).end();
      return;
    }
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: createEventStore(),
        retryInterval: 500,
        enableDnsRebindingProtection: true,
        allowedHosts: hosts,
        allowedOrigins: hosts.map((host) => `http://${host}`),
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      await build().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  listener.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${listener.address().port}/mcp\n`));
}

// Where a test counts how often it runs.
if (process.env.PID_LOG !== undefined) appendFileSync(process.env.PID_LOG, `${process.pid}\n`);
if (process.argv[2] === 'http') await serveHttp();
else await build().connect(new StdioServerTransport());
