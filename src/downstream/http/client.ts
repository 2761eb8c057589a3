/**
 * Plain HTTP requests: connections that are kept and shared, proxies, redirects, failures in our words.
 * Has no time limit of its own, because a call may be silent for as long as its own limit allows.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { notMcp, type Place, toNetworkFailure } from './failure.ts';
import { findServerProxy, type ServerProxy } from './proxy.ts';
import { planRedirect } from './redirect.ts';
import { proxyRefused, proxyUnreachable, TunnelAgent, toAddress } from './tunnel.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  /** Keys in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** Where it came from, after redirects. */
  readonly url: URL;
  /** Media type in lower case, without parameters; empty when there is none. */
  readonly type: string;
  /** `name` in lower case. */
  header(name: string): string | undefined;
  readonly body: IncomingMessage;
}

export interface HttpClient {
  /** Rejects with a WorkbenchError, or with the reason of the signal when that ended it. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends every connection. */
  close(): void;
}

export interface HttpClientOptions {
  /** For messages. */
  readonly server: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a connection is kept without a request; shorter than servers usually keep it. */
  readonly idleMs?: number;
}

export function createHttpClient({ server, env, idleMs = 4_000 }: HttpClientOptions): HttpClient {
  // Only a connection that nobody uses ends by `timeout`. Dead peers are found by the system's own probes.
  const options = { keepAlive: true, timeout: idleMs, keepAliveInitialDelay: 30_000 };
  const agents = new Map<string, HttpAgent>();
  const getAgent = (key: string, create: () => HttpAgent) => {
    const agent = agents.get(key) ?? create();
    agents.set(key, agent);
    return agent;
  };

  const begin = (request: HttpRequest): { sent: ClientRequest; proxy: ServerProxy | undefined } => {
    const { url, method, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const proxy = findServerProxy(url, env);
    if (url.protocol === 'https:') {
      const agent = getAgent(`https ${proxy?.url.href ?? ''}`, () =>
        proxy === undefined ? new HttpsAgent(options) : new TunnelAgent(proxy, options),
      );
      return { sent: httpsRequest(url, { method, headers, signal, agent }), proxy: undefined };
    }
    if (proxy === undefined) {
      return {
        sent: httpRequest(url, { method, headers, signal, agent: getAgent('http', () => new HttpAgent(options)) }),
        proxy,
      };
    }
    const secure = proxy.url.protocol === 'https:';
    const agent = getAgent(`plain ${proxy.url.href}`, () =>
      secure ? new HttpsAgent(options) : new HttpAgent(options),
    );
    const sent = (secure ? httpsRequest : httpRequest)({
      ...toAddress(proxy.url),
      method,
      signal,
      agent,
      path: `${url.origin}${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        ...basicOf(url),
        ...headers,
        ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
      },
    });
    return { sent, proxy };
  };

  const once = (request: HttpRequest): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const { url, body, signal } = request;
      const { sent, proxy } = begin(request);
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) reject(signal.reason);
        else if (proxy !== undefined && error.syscall !== 'read') reject(proxyUnreachable(proxy.url, error));
        else reject(toNetworkFailure({ server, url }, error));
      });
      sent.once('response', (answer) => {
        // A body that breaks off ends whoever reads it by its `close`.
        answer.on('error', () => {});
        if (proxy !== undefined && answer.statusCode === 407) {
          answer.destroy();
          reject(proxyRefused(proxy.url, 407));
        } else resolve(toAnswer(answer, url));
      });
      sent.end(body);
    });

  return {
    async request(request) {
      let { url } = request;
      for (let followed = 0; ; followed++) {
        const answer = await once({ ...request, url });
        const place: Place = { server, url };
        const encoding = answer.header('content-encoding')?.toLowerCase() ?? 'identity';
        if (encoding !== 'identity' && encoding !== '') {
          answer.body.destroy();
          throw notMcp(place, 'sent a compressed answer although none was asked for');
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
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
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

/** A user name and password in the address; Node does this itself where it is given the address. */
function basicOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
