/**
 * The reference server of the stateless era, on SDK 2: `node modern.mjs` speaks stdio, `node modern.mjs http` prints its address.
 * It asks its client by answering `input_required`; when the client comes back, the tool runs again with the answers it has.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  hostHeaderValidationResponse,
  LOG_LEVEL_META_KEY,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  MissingRequiredClientCapabilityError,
  originValidationResponse,
  ProtocolError,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { complete, prompts, readResource, resources, resourceTemplates } from './content.mjs';
import { listTools } from './tools.mjs';

const codec = createRequestStateCodec({ key: randomBytes(32) });
const needs = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Thrown by `ask` where the tool cannot go on. */
class NeedsInput extends Error {
  constructor(inputRequests, answers) {
    super('input is required');
    Object.assign(this, { inputRequests, answers });
  }
}

function build({ changed, updated }) {
  const server = new McpServer(
    { name: 'reference-modern', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: codec.verify },
    },
  );

  const handFor = ({ mcpReq }) => {
    const capabilities = () => mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    const lacks = (requiredCapabilities) => new MissingRequiredClientCapabilityError({ requiredCapabilities });
    const answers = { ...mcpReq.requestState()?.answers, ...mcpReq.inputResponses };
    return {
      capabilities,
      lacks,
      async ask(requests) {
        const lacking = Object.values(requests)
          .map(({ method }) => needs.get(method))
          .filter((capability) => capabilities()[capability] === undefined);
        if (lacking.length > 0) throw lacks(Object.fromEntries(lacking.map((capability) => [capability, {}])));
        const isAnswered = Object.keys(requests).every((key) => typeof answers[key] === 'object');
        if (!isAnswered) throw new NeedsInput(requests, answers);
        return answers;
      },
      async log(data) {
        if (mcpReq.envelope?.[LOG_LEVEL_META_KEY] === undefined) return;
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      },
      async progress(progress) {
        const progressToken = mcpReq._meta?.progressToken;
        if (progressToken === undefined) return;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      },
      closeStream() {},
      signal: mcpReq.signal,
      updated: (uri) => updated(uri, server),
      changed(kind) {
        syncTools();
        changed(kind, server);
      },
    };
  };

  /** Runs what may ask, and turns a question into the answer of this round. */
  const interact = async (run, args, context) => {
    try {
      return await run(args ?? {}, handFor(context));
    } catch (error) {
      if (!(error instanceof NeedsInput)) throw error;
      const requestState = await codec.mint({ answers: error.answers });
      return { resultType: 'input_required', inputRequests: error.inputRequests, requestState };
    }
  };

  const registered = new Map();
  /** A connection over stdio keeps its server, so what comes and goes must come and go there. */
  const syncTools = () => {
    const tools = new Map(listTools());
    for (const [name, { description, inputSchema }] of tools) {
      if (registered.has(name)) continue;
      const shown = { description, inputSchema: fromJsonSchema(inputSchema) };
      registered.set(
        name,
        server.registerTool(name, shown, () => ({ content: [] })),
      );
    }
    for (const [name, tool] of registered) {
      if (tools.has(name)) continue;
      tool.remove();
      registered.delete(name);
    }
  };
  syncTools();

  const low = server.server;
  // Registered tools are listed and have their headers checked, but would turn a missing capability into a result.
  low.setRequestHandler('tools/call', async ({ params }, context) => {
    const found = new Map(listTools()).get(params.name);
    if (found === undefined) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    return interact(found.run, params.arguments, context);
  });
  low.setRequestHandler('prompts/list', () => ({
    prompts: [...prompts].map(([name, prompt]) => ({ name, description: name, arguments: prompt.arguments })),
  }));
  low.setRequestHandler('prompts/get', ({ params }, context) => {
    const found = prompts.get(params.name);
    if (found === undefined) throw new ProtocolError(-32602, `Unknown prompt: ${params.name}`);
    return interact(found.get, params.arguments, context);
  });
  low.setRequestHandler('resources/list', () => ({ resources }));
  low.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  low.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = readResource(uri);
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [found] };
  });
  low.setRequestHandler('completion/complete', ({ params }) => ({ completion: complete(params.argument.value) }));
  return server;
}

function serveHttp() {
  const announce = {
    changed: (kind) => (kind === 'tools' ? handler.notify.toolsChanged() : handler.notify.promptsChanged()),
    updated: (uri) => handler.notify.resourceUpdated(uri),
  };
  const handler = createMcpHandler(() => build(announce), { legacy: 'reject' });
  const answer = async (incoming, response) => {
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const { method, headers } = incoming;
    const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
    const request = new Request(`http://${headers.host}${incoming.url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      signal: ended.signal,
      ...body,
    });
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    const { status, headers: answered, body: stream } = refused ?? (await handler.fetch(request));
    response.writeHead(status, Object.fromEntries(answered)).flushHeaders();
    if (stream === null) response.end();
    else
      Readable.fromWeb(stream)
        .on('error', () => response.destroy())
        .pipe(response);
  };
  const listener = createServer((request, response) => void answer(request, response));
  listener.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${listener.address().port}/mcp\n`));
}

// Where a test counts how often it runs.
if (process.env.PID_LOG !== undefined) appendFileSync(process.env.PID_LOG, `${process.pid}\n`);
if (process.argv[2] === 'http') serveHttp();
else {
  const announce = {
    changed: (kind, server) => (kind === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged()),
    updated: (uri, server) => server.server.sendResourceUpdated({ uri }),
  };
  serveStdio(() => build(announce), { legacy: 'reject' });
}
