/** The small part of JSON-RPC that a client needs on a pipe or a connection: requests out, answers and progress in. */

import type { Readable, Writable } from 'node:stream';
import { defined } from '../../base/json/defined.ts';
import { findMember, findString, isObject } from '../../base/json/json.ts';
import { type Json, type JsonObject, type ToolProgress, WorkbenchError } from '../../index.ts';

export interface McpRequest {
  /** Cancels the request, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal;
  onProgress?(progress: ToolProgress): void;
}

export interface McpPeer {
  request(method: string, params: JsonObject, options?: McpRequest): Promise<JsonObject>;
  notify(method: string, params?: JsonObject): void;
}

interface Waiting extends McpRequest {
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
}

export interface McpPeerOptions {
  readonly input: Writable;
  readonly output: Readable;
  /** The name of the other side in errors. */
  readonly whom: string;
  /** Translates a protocol error; by default it is a fault of the other side. */
  toFailure?(error: JsonObject): WorkbenchError;
}

export function createMcpPeer({ input, output, whom, toFailure }: McpPeerOptions): McpPeer {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended = false;
  const send = (message: JsonObject) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const fail = (reason: string) => new WorkbenchError('WB1999', `${whom} failed: ${reason}`);

  const explain = (error: Json | undefined) => {
    if (!isObject(error)) return fail('it did not give a result');
    return toFailure?.(error) ?? fail(findString(error, 'message') ?? 'it does not say why');
  };

  const receive = (message: JsonObject) => {
    const id = findMember(message, 'id');
    if (findString(message, 'method') === 'notifications/progress') return tellProgress(message);
    const waiter = typeof id === 'number' ? waiting.get(id) : undefined;
    if (waiter === undefined) return;
    waiting.delete(id as number);
    const result = findMember(message, 'result');
    if (isObject(result)) waiter.resolve(result);
    else waiter.reject(explain(findMember(message, 'error')));
  };
  const tellProgress = (message: JsonObject) => {
    const params = findMember(message, 'params');
    const token = isObject(params) ? findMember(params, 'progressToken') : undefined;
    if (isObject(params) && typeof token === 'number') waiting.get(token)?.onProgress?.(toProgress(params));
  };
  readMessages(output, receive);
  const end = () => {
    ended = true;
    for (const { reject } of waiting.values()) reject(fail('it ended before it answered'));
    waiting.clear();
  };
  output.on('end', end).on('close', end);
  input.on('error', () => {}); // the end of the output reports this

  const notify = (method: string, params: JsonObject = {}) => void send({ method, params });
  return {
    request: (method, params, options = {}) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(fail('it is no longer running'));
        const id = ++lastId;
        const cancel = () => {
          waiting.delete(id);
          notify('notifications/cancelled', { requestId: id });
          reject(options.signal?.reason);
        };
        const settled = () => options.signal?.removeEventListener('abort', cancel);
        options.signal?.addEventListener('abort', cancel, { once: true });
        waiting.set(id, {
          ...options,
          resolve: (result) => {
            settled();
            resolve(result);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        });
        const meta = options.onProgress === undefined ? {} : { _meta: { progressToken: id } };
        send({ id, method, params: { ...params, ...meta } });
      }),
    notify,
  };
}

/** The first messages of a client, to any server. */
export async function introduce(peer: McpPeer, clientInfo: { name: string; version: string }): Promise<void> {
  await peer.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  peer.notify('notifications/initialized');
}

/** A line that is not a message is skipped. */
function readMessages(output: Readable, receive: (message: JsonObject) => void): void {
  let held: string[] = [];
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n');
    held.push(first);
    for (const next of rest) {
      const message = parse(held.join(''));
      held = [next];
      if (isObject(message)) receive(message);
    }
  });
  // The reader of its beginning has stopped it there.
  output.resume();
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

/** As far as the words are usable. */
function toProgress(params: JsonObject): ToolProgress {
  const [progress, total] = [findMember(params, 'progress'), findMember(params, 'total')];
  const message = findString(params, 'message');
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' ? { total } : {}),
    ...defined({ message }),
  };
}
