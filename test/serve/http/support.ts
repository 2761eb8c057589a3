/** An HTTP service over a front that a test controls, and a client that sends exactly what it is told. */
import { type IncomingMessage, type OutgoingHttpHeaders, request as startRequest } from 'node:http';
import { createConnection } from 'node:net';
import { createEmitter } from '../../../src/base/async/emitter.ts';
import type { Call, CallOutcome, Outcome } from '../../../src/base/call/call.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { silentLog } from '../../../src/base/text/log.ts';
import type { Front } from '../../../src/front/front.ts';
import { type Authenticator, createTokenAuthenticator } from '../../../src/serve/http/auth/authenticator.ts';
import { type HttpService, type ServeFrontsOptions, serveFronts } from '../../../src/serve/http/serve-http.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';

export const token = 'a-token-for-tests';
export const bearer = { authorization: `Bearer ${token}` };
export const both = 'application/json, text/event-stream';
export const jsonHeaders = { ...bearer, 'content-type': 'application/json', accept: both };
export const modernVersion = '2026-07-28';

export interface FakeFront extends Front {
  /** What arrived, in order. */
  readonly calls: Call[];
  /** Tells everybody that the list has changed. */
  change(): void;
  /** How many sessions are open. */
  readonly connected: number;
}

export interface FakeFrontOptions {
  readonly tools?: readonly JsonObject[];
  call?(call: Call): Promise<CallOutcome> | CallOutcome;
}

const echoTool: JsonObject = { name: 'echo', inputSchema: { type: 'object' } };

export function createFakeFront({ tools = [echoTool], call = echo }: FakeFrontOptions = {}): FakeFront {
  const changed = createEmitter<void>();
  const calls: Call[] = [];
  const page = RawJson.of({ tools: [...tools] });
  let connected = 0;
  return {
    calls,
    change: () => changed.emit(),
    get connected() {
      return connected;
    },
    connect() {
      connected++;
      return {
        instructions: 'Be brief.',
        list: async (_kind, cursor) => (cursor === undefined ? page : undefined),
        async callTool(each) {
          calls.push(each);
          return call(each);
        },
        getPrompt: async () => ({ result: RawJson.of({ messages: [] }) }),
        readResource: async () => ({ result: RawJson.of({ contents: [] }) }),
        complete: async () => ({ result: RawJson.of({ completion: { values: [] } }) }),
        hint: () => ({ ttlMs: 0, cacheScope: 'private' }),
        subscribe: async () => ({ stop() {} }),
        findInputSchema: (name) => tools.find((tool) => tool.name === name)?.inputSchema as JsonObject | undefined,
        onClientListChanged: (_capability, listener) => changed.on(listener),
        close() {
          connected--;
        },
      };
    },
    clientConnected() {},
    findOwn: () => undefined,
    setLogLevel() {},
    findLoop: () => undefined,
    reaches: () => [],
    onWarning: () => () => {},
    forClient() {
      return this;
    },
  };
}

/** The first call, once it has arrived. */
export async function firstCall({ calls }: FakeFront): Promise<Call> {
  await eventually(() => calls.length > 0);
  return calls[0] as Call;
}

/** Repeats a request until its answer has a status. */
export function untilStatus(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  return eventually(async () => {
    const answer = await ask();
    if (answer.status !== status) throw new Error(`still ${answer.status}: ${answer.text}`);
    return answer;
  });
}

/** Gives its arguments back. */
export function echo({ params }: Call): Outcome {
  return { result: RawJson.of({ content: [{ type: 'text', text: JSON.stringify(params.arguments ?? null) }] }) };
}

/** Answers only when told to, or never. */
export function createGate(): { call(call: Call): Promise<Outcome>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { call: (call) => opened.then(() => echo(call)), open: () => open() };
}

/** `toolbox` is an endpoint of its own; any other is not there. */
export async function startService(
  front: Front = createFakeFront(),
  options: Partial<ServeFrontsOptions> = {},
): Promise<HttpService> {
  const service = await serveFronts({
    findFront: (path) => (path === '/mcp' || path === '/mcp/toolbox' ? front : undefined),
    isReady: () => true,
    identity: { name: 'workbench', version: '1.0.0' },
    log: silentLog,
    host: '127.0.0.1',
    port: 0,
    portFixed: true,
    authenticator: createTokenAuthenticator(token),
    allowedHosts: [],
    allowedOrigins: [],
    sse: false,
    ...options,
    limits: { drainMs: 200, ...options.limits },
  });
  atEnd(() => service.close());
  return service;
}

/** Lets whoever sends `Bearer <name>` in as that name. */
export const byName: Authenticator = {
  authenticate: ({ headers }) => ({ principal: { id: headers.authorization?.slice('Bearer '.length) ?? '' } }),
};

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly json: JsonObject;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** One request on a connection of its own; the answer when it is complete. */
export async function send(service: HttpService, sent: Sent): Promise<Answer> {
  const opened = await open(service, sent);
  const text = await opened.whole;
  return {
    status: opened.status,
    headers: opened.headers,
    text,
    get json() {
      return JSON.parse(text) as JsonObject;
    },
  };
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** What has come so far. */
  readonly text: string;
  readonly whole: Promise<string>;
  /** Hangs up. */
  leave(): void;
}

/** The same, as soon as the headers of the answer are there. */
export function open({ port }: HttpService, sent: Sent): Promise<OpenAnswer> {
  const { method = 'POST', path = '/mcp', headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const request = startRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
    atEnd(() => void request.destroy());
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const whole = new Promise<string>((done) => response.on('close', () => done(text)));
      response.on('error', () => {});
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        get text() {
          return text;
        },
        whole,
        leave: () => void request.destroy(),
      });
    });
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** Bytes as they are on a connection of their own; everything that comes back until it is closed. */
export function sendRaw({ port }: HttpService, bytes: string, { end = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection({ host: '127.0.0.1', port }, () => {
      if (end) socket.end(bytes);
      else socket.write(bytes);
    });
    atEnd(() => void socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

export function rpc(method: string, params: JsonObject = {}, id: string | number = 1): JsonObject {
  return { jsonrpc: '2.0', id, method, params };
}

export function modernMeta(more: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  };
}

/** A stateless request as it has to be; `headers` change it, undefined takes one away. */
export function modern(
  method: string,
  params: JsonObject = {},
  { headers = {}, id = 1, meta = {} }: { headers?: OutgoingHttpHeaders; id?: string | number; meta?: JsonObject } = {},
): { headers: OutgoingHttpHeaders; body: JsonObject } {
  const all: OutgoingHttpHeaders = {
    ...jsonHeaders,
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    ...headers,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return { headers: kept, body: rpc(method, { _meta: modernMeta(meta), ...params }, id) };
}

export interface Sse {
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
}

/** The events of a stream so far. */
export function eventsOf(text: string): Sse[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line]));
    const value = (name: string) => fields.get(name)?.slice(name.length + 2);
    const data = value('data');
    if (data === undefined) return [];
    const [event, id] = [value('event'), value('id')];
    return [{ data, ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }) }];
  });
}

/** The messages in the events of a stream so far. */
export function messagesOf(text: string): JsonObject[] {
  return eventsOf(text).flatMap(({ data }) => (data === '' ? [] : [JSON.parse(data) as JsonObject]));
}

/** Opens a session of the handshake era and gives the headers to use it with. */
export async function initialize(
  service: HttpService,
  {
    version = '2025-11-25',
    path = '/mcp',
    headers = {},
    capabilities = {},
  }: { version?: string; path?: string; headers?: OutgoingHttpHeaders; capabilities?: JsonObject } = {},
): Promise<OutgoingHttpHeaders> {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'raw', version: '1' } };
  const all = { ...jsonHeaders, ...headers };
  const answer = await send(service, { path, headers: all, body: rpc('initialize', params) });
  const id = answer.headers['mcp-session-id'];
  if (answer.status !== 200 || typeof id !== 'string') throw new Error(`no session: ${answer.status} ${answer.text}`);
  return { ...all, 'mcp-session-id': id, 'mcp-protocol-version': version };
}
