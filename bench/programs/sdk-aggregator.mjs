/**
 * The thinnest aggregator on the official SDK (version 1): `sdk-aggregator.mjs CONFIG stdio` or `… http PORT`. It connects to all
 * servers at once, asks for their lists once, and passes calls on; nothing else. What the SDK costs is what it costs.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, isInitializeRequest, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [file, transport, port] = process.argv.slice(2);
const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
const info = { name: 'sdk-aggregator', version: '1.0.0' };

const owners = new Map();
const lists = Object.entries(mcpServers).map(async ([server, { command, args }]) => {
  const client = new Client(info);
  await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
  const { tools } = await client.listTools();
  return tools.map((tool) => {
    const name = `${server}__${tool.name}`;
    owners.set(name, { client, name: tool.name });
    return { ...tool, name };
  });
});
const tools = Promise.all(lists).then((each) => each.flat());

if (transport === 'stdio') await createFront().connect(new StdioServerTransport());
else serveHttp();
process.stdin.resume();
process.stdin.on('end', () => process.exit());

function createFront() {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const owner = owners.get(params.name);
    if (owner === undefined) throw new Error('There is no such tool.');
    return owner.client.callTool({ name: owner.name, arguments: params.arguments });
  });
  return server;
}

function serveHttp() {
  const sessions = new Map();
  const service = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
    let session = sessions.get(request.headers['mcp-session-id']);
    if (session === undefined && isInitializeRequest(body)) {
      session = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, session),
        onsessionclosed: (id) => sessions.delete(id),
      });
      await createFront().connect(session);
    }
    if (session === undefined) response.writeHead(404).end();
    else await session.handleRequest(request, response, body);
  });
  service.listen(Number(port), '127.0.0.1');
}
