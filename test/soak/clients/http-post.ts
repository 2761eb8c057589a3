/** One HTTP request of a client, with every message told as it comes. */
import { Agent, type IncomingMessage, request as open } from 'node:http';
import { isObject, type Json } from './answer.ts';

export interface Post {
  readonly url: string;
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly agent: Agent;
  readonly onMessage?: (message: Json) => void;
}

export interface Posted {
  /** When the answer is complete; rejects when it was broken off. */
  readonly done: Promise<{ readonly status: number; readonly headers: IncomingMessage['headers'] }>;
  hangUp(): void;
}

export function post({ url, method = 'POST', headers, body, agent, onMessage = () => {} }: Post): Posted {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(text)) } : {};
  const request = open(url, { method, agent, headers: { ...headers, ...length } });
  const done = new Promise<{ status: number; headers: IncomingMessage['headers'] }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      const take = headers['content-type']?.startsWith('text/event-stream') ? readEvents(onMessage) : undefined;
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => (take === undefined ? parts.push(part) : take(part)));
      response.on('error', reject);
      response.on('end', () => {
        const whole = Buffer.concat(parts).toString('utf8');
        if (whole !== '') tell(whole, onMessage);
        resolve({ status, headers });
      });
    });
  });
  request.end(text);
  return { done, hangUp: () => void request.destroy() };
}

export function newAgent(): Agent {
  // Connections that nobody uses end before the service would end them, so that none ends while a request is on its way.
  return new Agent({ keepAlive: true, timeout: 20_000 });
}

function tell(text: string, onMessage: (message: Json) => void): void {
  const message: unknown = JSON.parse(text);
  if (isObject(message)) onMessage(message);
}

const blank = Buffer.from('\n\n');

/** Events as our own service writes them: one line of data each. */
function readEvents(onMessage: (message: Json) => void): (part: Buffer) => void {
  let held: Buffer[] = [];
  return (part) => {
    held.push(part);
    // A large event comes in many parts; only one that may end it is worth a look.
    if (!part.includes(0x0a)) return;
    let all = Buffer.concat(held);
    for (let at = all.indexOf(blank); at >= 0; at = all.indexOf(blank)) {
      const lines = all.toString('utf8', 0, at).split('\n');
      all = all.subarray(at + blank.length);
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      if (data !== undefined && data !== '') tell(data, onMessage);
    }
    held = [all];
  };
}
