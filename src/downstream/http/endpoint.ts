/**
 * The one address of a server: adds configured headers and credentials to every request, retries once after a refusal, and
 * separates the answers of the server from those that only say that it could not be asked.
 */
import type { HttpTransport } from '../../config/model/config.ts';
import type { Identity } from '../era/edge.ts';
import type { HttpAnswer, HttpClient } from './client.ts';
import type { Credentials } from './credentials.ts';
import { toStatusFailure } from './failure.ts';
import { dropBody } from './read-body.ts';

export interface EndpointRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Keys in lower case. */
  readonly headers: Iterable<readonly [string, string]>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Another address of the same origin. */
  readonly url?: URL;
}

export interface ServerEndpoint {
  readonly server: string;
  readonly url: URL;
  /** Rejects with a WorkbenchError when the server cannot be reached, refuses us, or is failing (5xx, 429, 408). */
  ask(request: EndpointRequest): Promise<HttpAnswer>;
}

export interface EndpointOptions {
  readonly server: string;
  readonly transport: HttpTransport;
  readonly identity: Identity;
  readonly client: HttpClient;
  readonly credentials: Credentials | undefined;
}

/** Headers of a connection or a body: we set these ourselves. */
const ours = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

export function createEndpoint(options: EndpointOptions): ServerEndpoint {
  const { server, transport, identity, client, credentials } = options;
  const url = new URL(transport.url);
  url.hash = '';
  const fixed = noHeaders();
  fixed['user-agent'] = toAscii(`${identity.name}/${identity.version}`);
  for (const [name, value] of Object.entries(transport.headers))
    if (!ours.has(name.toLowerCase())) fixed[name.toLowerCase()] = toBytes(value);

  const attempt = (request: EndpointRequest, authorization: string | undefined): Promise<HttpAnswer> => {
    const headers = Object.assign(noHeaders(), fixed);
    if (authorization !== undefined) headers.authorization = authorization;
    headers['accept-encoding'] = 'identity';
    for (const [name, value] of request.headers) headers[name] = value;
    const { method, body, signal } = request;
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const given = { method, url: request.url ?? url, headers, signal };
    return client.request(body === undefined ? given : { ...given, body });
  };

  return {
    server,
    url,
    async ask(request) {
      const sent = await credentials?.header();
      let answer = await attempt(request, sent);
      if (credentials !== undefined && (answer.status === 401 || answer.status === 403)) {
        const { status } = answer;
        const challenge = answer.header('www-authenticate');
        dropBody(answer);
        if (!(await credentials.refused({ status, challenge, sent }))) throw toStatusFailure({ server, url }, status);
        answer = await attempt(request, await credentials.header());
      }
      const { status } = answer;
      if (status === 401 || status === 403 || status === 407 || status === 408 || status === 429 || status >= 500) {
        dropBody(answer);
        throw toStatusFailure({ server, url: answer.url }, status);
      }
      return answer;
    },
  };
}

/** The names of headers come from outside, so the object inherits nothing. */
function noHeaders(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

/** Headers are bytes: text beyond Latin-1 travels as UTF-8. */
function toBytes(value: string): string {
  return /^[\t\x20-\xff]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

function toAscii(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, '-');
}
