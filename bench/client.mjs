/**
 * Bare JSON-RPC clients: parameters go out as text that was made before, answers come back as bytes nobody has parsed. So what is
 * measured is what lies between, not the client.
 */
import { Agent, request as open } from 'node:http';
import { createLineWriter, readLines } from './programs/lines.mjs';

/** Enough for every envelope that begins with its id. */
const envelope = 80;

/** Over the pipes of a process. */
export function createStdioClient({ stdin, stdout, ended }) {
  const waiting = new Map();
  const write = createLineWriter(stdin);
  let last = 0;
  readLines(stdout, (line) => {
    const id = findId(line);
    const pending = waiting.get(id);
    if (pending === undefined) return;
    waiting.delete(id);
    settle(pending, line);
  });
  ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the program ended before it answered'));
  });
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
      }),
    notify: async (method) => write(`{"jsonrpc":"2.0","method":"${method}"}`),
    close: async () => {},
  };
}

/** Over HTTP, with connections that are kept and a session when the server gives one; `headersOf` adds headers to a request. */
export function createHttpClient(url, { sockets = Number.POSITIVE_INFINITY, headersOf = () => ({}) } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  const { hostname, port, pathname } = new URL(url);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  let last = 0;
  const send = (method, body, added = {}) =>
    new Promise((resolve, reject) => {
      const own = { 'content-length': Buffer.byteLength(body), ...added };
      const options = { hostname, port, path: pathname, method, agent, headers: { ...headers, ...own } };
      const request = open(options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const session = response.headers['mcp-session-id'];
          if (session !== undefined) headers['mcp-session-id'] = session;
          const answer = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
          if (response.statusCode >= 300) reject(new Error(`HTTP ${response.statusCode}`));
          else settle({ resolve, reject }, isStream(response) ? lastData(answer) : answer);
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  return {
    request: (method, params) =>
      send(
        'POST',
        `{"jsonrpc":"2.0","id":${++last},"method":"${method}","params":${params}}`,
        headersOf(method, params),
      ),
    notify: (method) => send('POST', `{"jsonrpc":"2.0","method":"${method}"}`),
    /** Ends the session, where there is one. */
    async close() {
      if (headers['mcp-session-id'] !== undefined) await send('DELETE', '').catch(() => {});
      agent.destroy();
    },
  };
}

/** A client of the stateless era: no handshake, no session, and each request says all of it. */
export function createModernClient(url, options) {
  const version = '2026-07-28';
  const meta = JSON.stringify({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  });
  const client = createHttpClient(url, {
    ...options,
    headersOf(method, params) {
      const { name } = JSON.parse(params);
      return {
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      };
    },
  });
  const withMeta = (params) => `{"_meta":${meta}${params === '{}' ? '' : ','}${params.slice(1)}`;
  return { ...client, request: (method, params) => client.request(method, withMeta(params)) };
}

export async function handshake(client) {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const answer = await client.request('initialize', JSON.stringify(params));
  await client.notify('notifications/initialized');
  return answer;
}

/** All tools, page by page. */
export async function listAll(client) {
  const tools = [];
  let cursor;
  do {
    const answer = await client.request('tools/list', cursor === undefined ? '{}' : JSON.stringify({ cursor }));
    const { result } = JSON.parse(answer.toString('utf8'));
    tools.push(...result.tools);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** An error, also one that a tool reports, must never be counted as a fast answer. */
function settle({ resolve, reject }, answer) {
  const head = answer.toString('latin1', 0, envelope);
  const failed = head.includes('"error":') || (answer.length < 4_096 && answer.includes('"isError":true'));
  if (failed) reject(new Error(`not a result: ${answer.toString('utf8', 0, 500)}`));
  else resolve(answer);
}

function findId(line) {
  const head = line.toString('latin1', 0, envelope);
  if (head.includes('"method"')) return undefined;
  // With what follows: the head may end within the number.
  const found = /"id":(\d+)[,}]/.exec(head)?.[1];
  return found === undefined ? JSON.parse(line.toString('utf8')).id : Number(found);
}

function isStream({ headers }) {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function lastData(events) {
  const text = events.toString('utf8');
  const at = text.lastIndexOf('\ndata: ');
  return Buffer.from(text.slice(at + 7).trimEnd());
}
