/** One HTTP request of a raw client, with every message told as it comes: of a plain answer, or of a stream while it lasts. */
import { type Agent, type IncomingMessage, request as startRequest } from 'node:http';
import type { JsonObject } from '../../src/base/json/json.ts';
import { atEnd } from '../support/at-end.ts';

export interface HttpExchange {
  /** Once the headers of the answer are there. */
  readonly opened: Promise<Pick<HttpOpened, 'status' | 'headers'>>;
  /** Once the answer is complete; fails when it was broken off. */
  readonly ended: Promise<HttpOpened>;
  hangUp(): void;
}

export interface HttpOpened {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface HttpSent {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly onMessage?: (message: JsonObject) => void;
  /** For every event, also one that is no message. */
  readonly onEvent?: (event: string, data: string) => void;
  readonly agent?: Agent;
}

export function exchange(url: string, sent: HttpSent): HttpExchange {
  const { method = 'POST', headers, body, onMessage, onEvent, agent } = sent;
  const request = startRequest(url, { method, headers, agent: agent ?? false });
  const opened = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
  });
  const ended = opened.then((response) => readAll(response, { onMessage, onEvent }));
  const begun = opened.then((response) => ({ status: response.statusCode ?? 0, headers: response.headers }));
  // Nobody has to wait for either.
  for (const promise of [begun, ended]) promise.catch(() => {});
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return {
    opened: begun,
    ended,
    hangUp: () => void request.destroy(),
  };
}

/** A stream that lasts as long as the test. */
export function openStream(url: string, sent: Omit<HttpSent, 'method' | 'body'>): HttpExchange {
  const stream = exchange(url, { ...sent, method: 'GET' });
  atEnd(stream.hangUp);
  return stream;
}

function readAll(response: IncomingMessage, tell: Listeners): Promise<HttpOpened> {
  const { statusCode: status = 0, headers } = response;
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const take = isStream ? createEventReader(tell) : undefined;
  let text = '';
  return new Promise((resolve, reject) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      if (take === undefined) text += chunk;
      else take(chunk);
    });
    response.on('error', reject);
    response.on('end', () => {
      if (headers['content-type']?.startsWith('application/json') === true)
        tell.onMessage?.(JSON.parse(text) as JsonObject);
      resolve({ status, headers, text });
    });
  });
}

interface Listeners {
  readonly onMessage: HttpSent['onMessage'] | undefined;
  readonly onEvent: HttpSent['onEvent'] | undefined;
}

function createEventReader({ onMessage, onEvent }: Listeners): (chunk: string) => void {
  let held = '';
  return (chunk) => {
    const blocks = (held + chunk).split('\n\n');
    held = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const [event = 'message', data = ''] = [field('event'), field('data')];
      onEvent?.(event, data);
      if (event === 'message' && data !== '') onMessage?.(JSON.parse(data) as JsonObject);
    }
  };
}
