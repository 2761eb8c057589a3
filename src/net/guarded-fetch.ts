/**
 * The one fetch for every address that an outside party can name: metadata, keys, token endpoints. It connects only to the public
 * internet over https (or to what the user configured), keeps to small limits, and shows nothing of the response in its errors.
 * It has the signature of the global `fetch`, so that it can be passed to libraries.
 */

import { request as requestHttp } from 'node:http';
import { systemClock } from '../base/async/clock.ts';
import { codeOf } from '../base/errors/code-of.ts';
import { WorkbenchError } from '../base/errors/errors.ts';
import { defined } from '../base/json/defined.ts';
import { connectTo, openSocket, type Road, resolveHost } from './open-socket.ts';
import { type AllowedOrigins, getTarget, type Target, toOrigin } from './target.ts';

export interface FetchLimits {
  readonly bodyBytes: number;
  /** For all steps together: resolving, connecting, all redirects, the last byte. */
  readonly timeMs: number;
  readonly redirects: number;
}

export interface GuardedFetchOptions extends Partial<Road> {
  /** Origins on this machine that the user configured; they may be http. */
  readonly allowLoopbackHttp: readonly string[];
  /** Origins that the user configured and that may be in a private network. They must still be https. */
  readonly allowPrivate?: readonly string[];
  readonly limits?: Partial<FetchLimits>;
}

export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const defaultLimits: FetchLimits = { bodyBytes: 65_536, timeMs: 5_000, redirects: 3 };

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const limits = { ...defaultLimits, ...options.limits };
  const allowed: AllowedOrigins = {
    loopback: new Set(options.allowLoopbackHttp),
    private: new Set(options.allowPrivate),
  };
  const road: Road = {
    lookup: options.lookup ?? resolveHost,
    connect: options.connect ?? connectTo,
    env: options.env ?? process.env,
    ...defined({ ca: options.ca }),
  };
  return async (input, init) => {
    const first = getTarget(input instanceof Request ? input.url : input, allowed);
    const request = new Request(input instanceof Request ? input : first.url, init);
    const timeUp = new AbortController();
    const cancel = systemClock.after(limits.timeMs, () => timeUp.abort());
    const signal = AbortSignal.any([request.signal, timeUp.signal]);
    let target = first;
    try {
      const message = await toMessage(request);
      for (let redirects = 0; ; redirects++) {
        const socket = await openSocket(target, road, signal);
        const answer = await exchange(socket, target, message, limits, signal);
        const next = findRedirect(answer, target, request, allowed);
        if (next === undefined) return answer;
        if (redirects === limits.redirects) throw failed(target, `it redirects more than ${limits.redirects} times`);
        // Credentials for one origin are not sent to another.
        if (next.url.origin !== target.url.origin) for (const name of credentialHeaders) message.headers.delete(name);
        target = next;
      }
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (error instanceof WorkbenchError) throw error;
      if (timeUp.signal.aborted) throw failed(target, `it took longer than ${limits.timeMs} ms`);
      throw failed(target, toReason(error));
    } finally {
      cancel();
    }
  };
}

interface Message {
  readonly method: string;
  readonly headers: Map<string, string>;
  readonly body: Buffer;
}

const credentialHeaders = ['authorization', 'cookie', 'proxy-authorization'];
/** Headers that we always set ourselves. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'expect']);

async function toMessage(request: Request): Promise<Message> {
  const headers = new Map([...request.headers].filter(([name]) => !ownHeaders.has(name)));
  return { method: request.method, headers, body: Buffer.from(await request.arrayBuffer()) };
}

function exchange(
  socket: Awaited<ReturnType<typeof openSocket>>,
  target: Target,
  { method, headers, body }: Message,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise<Response>((done, fail) => {
    const request = requestHttp({
      createConnection: () => socket,
      method,
      path: `${target.url.pathname}${target.url.search}`,
      headers: {
        ...Object.fromEntries(headers),
        host: target.url.host,
        connection: 'close',
        'accept-encoding': 'identity',
        ...(body.length > 0 || method === 'POST' ? { 'content-length': body.length } : {}),
      },
      maxHeaderSize: 16_384,
      signal,
    });
    request.on('error', fail);
    request.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.bodyBytes) {
          fail(failed(target, `its answer is larger than ${limits.bodyBytes} bytes`));
          request.destroy();
        } else chunks.push(chunk);
      });
      incoming.on('error', fail);
      incoming.on('end', () => {
        try {
          done(toResponse(incoming.statusCode ?? 0, incoming.rawHeaders, Buffer.concat(chunks), target));
        } catch (error) {
          fail(error);
        }
      });
    });
    request.end(body);
  }).finally(() => socket.destroy());
}

const emptyStatuses = [204, 205, 304];

function toResponse(status: number, rawHeaders: readonly string[], body: Buffer, target: Target): Response {
  if (status < 200 || status > 599) throw failed(target, `it answered with status ${status}`);
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (!['', 'identity'].includes(headers.get('content-encoding') ?? ''))
    throw failed(target, 'its answer is compressed although that was not requested');
  const response = new Response(emptyStatuses.includes(status) ? null : body, { status, headers });
  Object.defineProperty(response, 'url', { value: target.url.href });
  return response;
}

const redirectStatuses = [301, 302, 303, 307, 308];

/** The next address, checked like the first one; undefined when this is the final response. */
function findRedirect(answer: Response, target: Target, request: Request, allowed: AllowedOrigins): Target | undefined {
  if (!redirectStatuses.includes(answer.status) || request.redirect === 'manual') return undefined;
  if (request.redirect === 'error' || !['GET', 'HEAD'].includes(request.method))
    throw failed(target, `it redirects a ${request.method}, which is not followed`);
  const location = answer.headers.get('location') ?? '';
  if (location === '' || !URL.canParse(location, target.url.href))
    throw failed(target, 'it redirects to an address that is not valid');
  return getTarget(new URL(location, target.url), allowed);
}

function failed({ url }: Target, why: string): WorkbenchError {
  return new WorkbenchError('WB1309', `the request to ${toOrigin(url)} failed: ${why}`);
}

/** The code of the system or the TLS library; never its text, which may quote the response. */
function toReason(error: unknown): string {
  const code = codeOf(error);
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : 'the connection failed';
}
