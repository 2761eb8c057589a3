/** From an HTTP request to the service that answers it. The checks stand in the order in which they refuse. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chunkedFrom } from '../../base/json/chunked-text.ts';
import { errorText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { Front } from '../../front/front.ts';
import { unread } from '../conversation/inbox.ts';
import { parseLine } from '../conversation/message.ts';
import { turns } from '../conversation/turns.ts';
import { isModernRequest } from '../modern/is-modern-request.ts';
import { isModernVersion } from '../modern/modern.ts';
import { type Authenticator, type Principal, toPrincipalKey } from './auth/authenticator.ts';
import type { WrongTokens } from './auth/wrong-tokens.ts';
import type { Guard } from './guard.ts';
import { answerHome } from './home.ts';
import type { ModernService } from './modern-http.ts';
import { acceptsBoth, eventsType, isJson, isPlain, jsonType } from './request/content.ts';
import { headerOf, type Inbound } from './request/inbound.ts';
import { readBody } from './request/read-body.ts';
import { busy, notAllowed, refuse, sendJson, toHttpRefusal, unavailable } from './request/refusal.ts';
import { findRoute, type Route } from './request/route.ts';
import type { LegacyService } from './sessions/legacy-http.ts';
import type { OldSseService } from './sessions/old-sse.ts';

export interface DispatchOptions {
  readonly guard: Guard;
  readonly authenticator: Authenticator;
  /** Scheme and authority of the address that is listened on. */
  readonly origin: string;
  readonly wrongTokens: WrongTokens;
  /** The request of a connection has shown who it comes from. */
  onAdmitted(socket: IncomingMessage['socket']): void;
  findFront(path: string, principal: Principal, client: string | undefined): Front | undefined;
  isReady(): boolean;
  /** The service is ending: what is open may finish, nothing new begins. */
  isClosing(): boolean;
  readonly bodyBytes: number;
  readonly bodyValues: number;
  readonly modern: ModernService;
  readonly legacy: LegacyService;
  /** Undefined: the old transport is not offered. */
  readonly oldSse: OldSseService | undefined;
}

type ClientRoute = Exclude<Route, { kind: 'home' | 'health' | 'ready' | 'metadata' }>;

export function createDispatch(
  options: DispatchOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { modern, legacy, oldSse } = options;

  return async (request, response) => {
    const refusal = options.guard(request);
    if (refusal !== undefined) return refuse(response, refusal);
    const route = findRoute(request.url ?? '');
    const offered = route !== undefined && (oldSse !== undefined || !isOld(route));
    if (!offered) return refuse(response, toHttpRefusal(404, 'There is nothing here. The MCP endpoint is /mcp.'));
    if (route.kind === 'home')
      return isReading(request) ? answerHome(response, options.origin) : refuse(response, notAllowed(['GET', 'HEAD']));
    if (route.kind === 'health' || route.kind === 'ready') return answerProbe(route.kind, request, response);
    if (route.kind === 'metadata') return answerMetadata(route.path, request, response);

    const { headers } = request;
    const asking = { headers, path: route.path, origin: options.origin };
    // Also where nothing has to be waited for: the parser first says what it thinks of the bytes behind the headers.
    const verdict = await options.authenticator.authenticate(asking);
    if (!('principal' in verdict)) {
      const { status, challenge, message } = verdict;
      if (status === 503) return refuse(response, unavailable(message));
      if (status === 401 && headers.authorization !== undefined)
        await options.wrongTokens.refused(request.socket.remoteAddress ?? '');
      return refuse(response, toHttpRefusal(status, message, { 'www-authenticate': challenge }));
    }
    const { principal } = verdict;
    options.onAdmitted(request.socket);
    const front = options.findFront(route.path, principal, 'client' in route ? route.client : undefined);
    if (front === undefined) return refuse(response, toHttpRefusal(404, 'There is no such toolbox here.'));
    if (options.isClosing()) return refuse(response, unavailable('The Workbench is shutting down.'));
    const place = { owner: toPrincipalKey(principal), path: route.path };
    return toMethod(route, { request, response, front, place });
  };

  function toMethod(route: ClientRoute, inbound: Inbound): Promise<void> | void {
    const { request, response } = inbound;
    const { method } = request;
    if (route.kind === 'sse') return method === 'GET' ? oldSse?.open(inbound) : refuse(response, notAllowed(['GET']));
    if (method === 'POST') return post(route, inbound);
    if (route.kind === 'messages') return refuse(response, notAllowed(['POST']));
    if (isModernVersion(headerOf(inbound, 'mcp-protocol-version') ?? '')) return refuse(response, notAllowed(['POST']));
    if (method === 'GET') return legacy.get(inbound);
    if (method === 'DELETE') return legacy.delete(inbound);
    return refuse(response, notAllowed(['POST', 'GET', 'DELETE']));
  }

  async function post(route: ClientRoute, inbound: Inbound): Promise<void> {
    const { request, response } = inbound;
    if (!isJson(request.headers['content-type'])) return refuse(response, toHttpRefusal(415, `Send ${jsonType}.`));
    if (!isPlain(request.headers['content-encoding']))
      return refuse(
        response,
        toHttpRefusal(415, 'Send the body as it is, not encoded.', { 'accept-encoding': 'identity' }),
      );
    if (route.kind === 'mcp' && !acceptsBoth(request.headers.accept))
      return refuse(response, toHttpRefusal(406, `Accept ${jsonType} and ${eventsType}.`));
    const { owner } = inbound.place;
    const body = await readBody(request, response, { maxBytes: options.bodyBytes, budget: unread, owner });
    if ('refusal' in body) return refuse(response, body.refusal);
    if (body.bytes < chunkedFrom) return answer(body.take(), route, inbound);
    await new Promise<void>((resolve, reject) => {
      turns.take({
        owner,
        length: body.bytes,
        begin: (done) => void answer(body.take(), route, inbound).finally(done).then(resolve, reject),
        giveUp() {
          body.take();
          refuse(response, busy('Too many large requests are under way. Try again in a moment.'));
          resolve();
        },
      });
    });
  }

  async function answer(text: string, route: ClientRoute, inbound: Inbound): Promise<void> {
    const { response } = inbound;
    const parsed = parseLine(text, options.bodyValues);
    const [message] = parsed.messages;
    if (message === undefined) return;
    if (message.kind === 'invalid' && !parsed.batch)
      return sendJson(response, errorText(message.id, message.error), { status: message.tooMuch ? 413 : 400 });
    if (route.kind === 'messages')
      return parsed.batch
        ? refuse(response, toHttpRefusal(400, 'Send one message at a time here.'))
        : oldSse?.post(message, route.sessionId, inbound);

    if (!parsed.batch && message.kind === 'request' && isModernRequest(message)) return modern.handle(message, inbound);
    if (!isModernVersion(headerOf(inbound, 'mcp-protocol-version') ?? '')) return legacy.post(parsed, inbound);
    if (!parsed.batch && message.kind === 'notification') return void response.writeHead(202).end();
    const id = !parsed.batch && message.kind === 'request' ? message.id : null;
    const error =
      id === null
        ? rpcError(rpcCode.invalidRequest, 'In this protocol version a body is one request or one notification.')
        : rpcError(rpcCode.invalidParams, '"params._meta" must name the protocol version, as the header does.');
    return refuse(response, { status: 400, error, id });
  }

  function answerProbe(kind: 'health' | 'ready', request: IncomingMessage, response: ServerResponse): void {
    const good = kind === 'health' || (options.isReady() && !options.isClosing());
    const status = kind === 'health' ? 'up' : good ? 'ready' : 'not ready';
    if (!isReading(request)) refuse(response, notAllowed(['GET', 'HEAD']));
    else sendJson(response, JSON.stringify({ status }), { status: good ? 200 : 503 });
  }

  function answerMetadata(path: string, request: IncomingMessage, response: ServerResponse): void {
    const document = options.authenticator.metadata?.(path, options.origin);
    if (!isReading(request)) refuse(response, notAllowed(['GET', 'HEAD']));
    else if (document === undefined) refuse(response, toHttpRefusal(404, 'This service does not use OAuth.'));
    else sendJson(response, JSON.stringify(document));
  }
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isOld({ kind }: Route): boolean {
  return kind === 'sse' || kind === 'messages';
}
