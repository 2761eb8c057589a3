/**
 * Makes plain HTTP requests: keeps and shares connections, uses proxies, follows redirects, names failures.
 * It has no time limit of its own, because a call may be silent for as long as its own limit allows.
 */
import type { IncomingMessage } from 'node:http';
import { bytesOf, chunkedFrom } from '../../base/json/chunked-text.ts';
import { createAgentRoutes } from './agent-route.ts';
import { notMcp, type ServerAddress, toNetworkFailure } from './failure.ts';
import { planRedirect } from './redirect.ts';
import { proxyRefused, proxyUnreachable } from './tunnel.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  /** Keys in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: URL;
  /** Media type in lower case, without parameters; empty when there is none. */
  readonly type: string;
  /** `name` in lower case. */
  header(name: string): string | undefined;
  readonly body: IncomingMessage;
}

export interface HttpClient {
  /** Rejects with a WorkbenchError, or with the reason of the signal when the signal ended the request. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends every connection. */
  close(): void;
}

export interface HttpClientOptions {
  /** Name of the server, for messages. */
  readonly server: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a connection is kept without a request; shorter than servers usually keep it. */
  readonly idleMs?: number;
}

export function createHttpClient({ server, env, idleMs = 4_000 }: HttpClientOptions): HttpClient {
  const ways = createAgentRoutes(env, { idleMs });

  const once = (request: HttpRequest, url: URL): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const { method, headers, body, signal } = request;
      if (signal.aborted) throw signal.reason;
      const { proxy, begin } = ways.to(url);
      const sent = begin({ method, headers });
      // Node's own way to end a request by a signal watches the whole stream, which costs as much as the rest of the request.
      const stop = () => sent.destroy();
      signal.addEventListener('abort', stop);
      sent.once('close', () => {
        signal.removeEventListener('abort', stop);
        // Settled long ago, unless the request was stopped before an answer came.
        if (signal.aborted) reject(signal.reason);
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) reject(signal.reason);
        else if (proxy !== undefined && error.syscall !== 'read') reject(proxyUnreachable(proxy.url, error));
        else reject(toNetworkFailure({ server, url }, error));
      });
      sent.once('response', (answer) => {
        // A body that breaks off ends its reader by `close`.
        answer.on('error', () => {});
        if (proxy !== undefined && answer.statusCode === 407) {
          answer.destroy();
          reject(proxyRefused(proxy.url, 407));
        } else resolve(toAnswer(answer, url));
      });
      if (body === undefined || body.length <= chunkedFrom) sent.end(body);
      else {
        const { bytes, release } = bytesOf(body);
        sent.end(bytes, release);
      }
    });

  return {
    async request(request) {
      let { url } = request;
      for (let followed = 0; ; followed++) {
        const answer = await once(request, url);
        const place: ServerAddress = { server, url };
        const encoding = answer.header('content-encoding')?.toLowerCase() ?? 'identity';
        if (encoding !== 'identity' && encoding !== '') {
          answer.body.destroy();
          throw notMcp(place, 'sent a compressed answer, although the request did not allow it');
        }
        const { method } = request;
        const location = answer.header('location');
        const next = planOrDrop(answer, () =>
          planRedirect(place, { method, status: answer.status, location, followed }),
        );
        if (next === undefined) return answer;
        answer.body.resume();
        url = next;
      }
    },
    close: ways.close,
  };
}

function planOrDrop<T>(answer: HttpAnswer, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

function toAnswer(body: IncomingMessage, url: URL): HttpAnswer {
  const header = (name: string) => {
    const value = body.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    status: body.statusCode ?? 0,
    url,
    type: (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    header,
    body,
  };
}
