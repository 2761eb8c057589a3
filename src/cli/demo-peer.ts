/** The few lines of JSON-RPC that a client speaks over a pipe: requests out, answers in. */
import type { Readable, Writable } from 'node:stream';
import { type Json, type JsonObject, WorkbenchError } from '../index.ts';
import { findMember, findText, isObject } from './json-view.ts';

export interface DemoPeer {
  request(method: string, params: JsonObject): Promise<JsonObject>;
  notify(method: string): void;
}

export function createDemoPeer({ input, output }: { input: Writable; output: Readable }): DemoPeer {
  const waiting = new Map<number, { resolve(result: JsonObject): void; reject(error: Error): void }>();
  let lastId = 0;
  let held = '';
  const send = (message: JsonObject) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const receive = (line: string) => {
    const message = JSON.parse(line) as Json;
    const id = isObject(message) ? findMember(message, 'id') : undefined;
    const waiter = typeof id === 'number' ? waiting.get(id) : undefined;
    if (!isObject(message) || waiter === undefined) return;
    waiting.delete(id as number);
    const result = findMember(message, 'result');
    const error = findMember(message, 'error');
    if (isObject(result)) waiter.resolve(result);
    else waiter.reject(failure((isObject(error) ? findText(error, 'message') : undefined) ?? 'no result'));
  };

  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const lines = (held + chunk).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) if (line !== '') receive(line);
  });
  output.on('end', () => {
    for (const { reject } of waiting.values()) reject(failure('it ended before it answered'));
  });
  input.on('error', () => {}); // the end of the output tells

  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        lastId++;
        waiting.set(lastId, { resolve, reject });
        send({ id: lastId, method, params });
      }),
    notify: (method) => send({ method }),
  };
}

function failure(reason: string): WorkbenchError {
  return new WorkbenchError('WB1999', `The demo server failed: ${reason}`);
}
