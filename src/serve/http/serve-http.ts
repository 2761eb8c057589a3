/**
 * Serves clients of both eras over HTTP. Loaded only when it is used: nothing else may import it, so that a service on a pipe does
 * not pay for it.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Clock, systemClock, within } from '../../base/async/clock.ts';
import { createFairShare } from '../../base/async/fair-share.ts';
import { memoize } from '../../base/async/memoize.ts';
import { toMessage, WorkbenchError } from '../../base/errors/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { Log } from '../../base/text/log.ts';
import type { Front } from '../../front/front.ts';
import { unread } from '../conversation/inbox.ts';
import { turns } from '../conversation/turns.ts';
import { createTaskStore } from '../tasks/task-store.ts';
import { type Authenticator, openAuthenticator, type Principal } from './auth/authenticator.ts';
import { createWrongTokens } from './auth/wrong-tokens.ts';
import { bindPort } from './bind-port.ts';
import { type Connections, createConnections, type Socket } from './connections.ts';
import { createDispatch } from './dispatch.ts';
import { createGuard, type Guard, toAuthority } from './guard.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { createModernService } from './modern-http.ts';
import { toHttpFront } from './request/http-front.ts';
import { busy, refuse, toHttpRefusal, unavailable } from './request/refusal.ts';
import { endpoint } from './request/route.ts';
import { createLegacyService } from './sessions/legacy-http.ts';
import { createOldSseService } from './sessions/old-sse.ts';

export interface ServeFrontsOptions {
  /**
   * The front of an endpoint for a principal and the client that its address names, the same object each time; undefined when
   * it has none.
   */
  findFront(path: string, principal: Principal, client: string | undefined): Front | undefined;
  /** Whether clients can be sent here now. */
  isReady(): boolean;
  readonly identity: { readonly name: string; readonly version: string };
  readonly log: Log;
  readonly host: string;
  readonly port: number;
  /** Without it the next free port is taken when this one is not. */
  readonly portFixed: boolean;
  /** One for the port that is taken, where that is not known before. */
  readonly authenticator: Authenticator | ((port: number) => Authenticator);
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Offers the transport of revision 2024-11-05 too. */
  readonly sse: boolean;
  readonly limits?: Partial<HttpLimits>;
  readonly clock?: Clock;
}

export interface HttpService {
  readonly port: number;
  /** The address of the endpoint that shows everything. */
  readonly url: string;
  /** Stops accepting, lets what is open finish for a while, then ends it. */
  close(): Promise<void>;
}

export async function serveFronts(options: ServeFrontsOptions): Promise<HttpService> {
  const { log, host, identity } = options;
  if (options.authenticator === openAuthenticator && !isLoopback(host))
    throw new WorkbenchError('WB1901', `Without authentication ${host} would let in everybody who can reach it.`, {
      fix: 'Listen on 127.0.0.1, or keep the token.',
    });
  const clock = options.clock ?? systemClock;
  const limits: HttpLimits = { ...defaultHttpLimits, ...options.limits };
  unread.makeRoom(limits.bodyBytes);
  turns.makeRoom(limits.bodyBytes);
  const tasks = createTaskStore(clock);
  const ground = { identity, log, clock, limits, tasks, streams: createFairShare(limits.streams) };
  const modern = createModernService(ground);
  const legacy = createLegacyService({ ...ground, buffered: createFairShare(limits.bufferedInAll) });
  const oldSse = options.sse ? createOldSseService(ground) : undefined;
  let closing: Promise<void> | undefined;
  let guard: Guard | undefined;

  let authenticator: Authenticator | undefined;
  let origin = '';
  const connections = createConnections(limits.connections);
  const dispatch = createDispatch({
    get authenticator() {
      return authenticator as Authenticator;
    },
    get origin() {
      return origin;
    },
    wrongTokens: createWrongTokens({ clock, log }),
    onAdmitted: connections.admit,
    guard: (request) => (guard === undefined ? unavailable('The Workbench is starting.') : guard(request)),
    findFront: withHttpFronts(options.findFront),
    isReady: options.isReady,
    isClosing: () => closing !== undefined,
    bodyBytes: limits.bodyBytes,
    bodyValues: limits.bodyValues,
    modern,
    legacy,
    oldSse,
  });
  const server = await createServer(limits, connections, (request, response) => {
    dispatch(request, response).catch((error: unknown) => {
      log.error('http request failed unexpectedly', { message: toMessage(error) });
      refuse(response, {
        status: 500,
        error: rpcError(rpcCode.internal, 'The Workbench failed to handle this request.'),
      });
    });
  });
  const port = await bindPort(server, options);
  server.on('error', (error) => log.error('http service failed', { message: toMessage(error) }));
  try {
    authenticator = typeof options.authenticator === 'function' ? options.authenticator(port) : options.authenticator;
  } catch (error) {
    server.close();
    throw error;
  }
  origin = `http://${toAuthority(host)}:${port}`;
  guard = createGuard({ ...options, port });

  const end = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    modern.endWaiting();
    legacy.endWaiting();
    oldSse?.endWaiting();
    server.closeIdleConnections();
    await within(clock, limits.drainMs, Promise.all([modern.idle(), legacy.idle(), oldSse?.idle()]));
    tasks.close();
    modern.close();
    legacy.close();
    oldSse?.close();
    // The last answers are on their way; a client that does not take them now never will.
    await within(clock, 200, new Promise((resolve) => setImmediate(() => setImmediate(resolve))));
    server.closeIdleConnections();
    await within(clock, 500, stopped);
    server.closeAllConnections();
    await stopped;
  };
  return {
    port,
    url: `${origin}${endpoint}`,
    close() {
      closing ??= end();
      return closing;
    },
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function createServer(limits: HttpLimits, connections: Connections, answer: Listener): Promise<Server> {
  const http = await import('node:http');
  const server = http.createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.headersMs + limits.bodyMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.max(50, Math.min(limits.headersMs, limits.bodyMs, 2_000) / 2),
    insecureHTTPParser: false,
    requireHostHeader: true,
  });
  // Connections beyond the number are told so; those far beyond are not even listened to.
  server.maxConnections = limits.connections + 64;
  // Node would silently leave out headers beyond its own number.
  server.maxHeadersCount = 0;
  const beyond = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    if (!connections.open(socket)) beyond.add(socket);
  });
  const close = { connection: 'close' };
  const listener: Listener = (request, response) => {
    if (beyond.has(request.socket)) {
      const { headers, ...refusal } = busy('Too many connections are open. Try again in a moment.');
      return refuse(response, { ...refusal, headers: { ...headers, ...close } });
    }
    if (request.rawHeaders.length > 2 * limits.headers)
      return refuse(response, toHttpRefusal(431, `Send at most ${limits.headers} headers.`, close));
    response.once('close', connections.begin(request.socket));
    answer(request, response);
  };
  server.on('request', listener);
  server.on('checkContinue', listener);
  return server;
}

/** The front as HTTP clients see it, once for each front. */
function withHttpFronts(findFront: ServeFrontsOptions['findFront']): ServeFrontsOptions['findFront'] {
  const toShown = memoize(toHttpFront);
  return (path, principal, client) => {
    const front = findFront(path, principal, client);
    return front && toShown(front);
  };
}
