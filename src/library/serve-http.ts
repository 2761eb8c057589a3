/** Serves a workbench to any number of clients over HTTP. What that needs is loaded when it is called. */

import { workbenchName } from '../base/call/trail.ts';
import { WorkbenchError } from '../base/errors/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import { modeFacts } from '../base/mode.ts';
import type { Config } from '../config/model/config.ts';
import { createScopedFronts } from '../front/scoped-fronts.ts';
import { findClientNamed } from '../front/surface/identify-client.ts';
import { type Authenticator, openAuthenticator } from '../serve/http/auth/authenticator.ts';
import type { HttpLimits } from '../serve/http/limits.ts';
import { findToolboxName } from '../serve/http/request/route.ts';
import type { HttpService } from '../serve/http/serve-http.ts';
import { version } from '../version.ts';
import type { Workbench } from '../workbench/workbench.ts';

export interface ServeHttpOptions {
  readonly workbench: Workbench;
  /**
   * Decides which clients may connect: `createTokenAuthenticator`, `openAuthenticator` (on this machine only), or one of your
   * own; or a function that returns it for the port in use, so that a token for one port is not valid on another. Without it:
   * every client with a token that `auth` of the configuration accepts.
   */
  readonly authenticator?: Authenticator | ((port: number) => Authenticator);
  /** How the server presents itself to clients. */
  readonly name?: string;
  readonly version?: string;
  /** The id of the clients that neither their address nor their credential names: how tools are shown to them. */
  readonly client?: string;
  /** This option and the following ones replace what `http` of the configuration says; lists are added to it. */
  readonly host?: string;
  /** The only port that is tried; without it 3917, or the next free one where no token is for another port. */
  readonly port?: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly sse?: boolean;
  readonly limits?: Partial<HttpLimits>;
}

/** Where `serveFronts` listens by default. */
export const usualHttpPort = 3917;

/** Serves any number of clients over HTTP: everything at `/mcp`, each toolbox at `/mcp/<toolbox>`. The caller closes it. */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpService> {
  const { workbench } = options;
  const { http, leftOut } = workbench.config;
  // The rules for who may connect, or what they may use, have mistakes.
  if (leftOut?.closesHttp === true) throw leftOut.error;
  const port = options.port ?? http.port;
  workbench.admit('many');
  const findFront = createScopedFronts(workbench);
  const isReady = watchReadiness(workbench);
  const { serveFronts } = await import('../serve/http/serve-http.ts');
  return serveFronts({
    findFront(path, { toolboxes, client: issuedTo }, stated) {
      const front = findFront({ toolbox: findToolboxName(path), allowed: toolboxes });
      const issued = issuedTo === undefined ? undefined : findClientNamed(workbench.config.clients, issuedTo);
      const id = stated ?? issued ?? options.client;
      return id === undefined ? front : front?.forClient(id);
    },
    isReady,
    identity: { name: options.name ?? workbenchName, version: options.version ?? version },
    log: workbench.log,
    host: options.host ?? http.host,
    port: port ?? usualHttpPort,
    portFixed: port !== undefined || isOneForAllPorts(options.authenticator),
    authenticator: options.authenticator ?? (await createConfiguredAuthenticator(workbench, options.host ?? http.host)),
    allowedHosts: [...publicHosts(http.publicUrl), ...http.allowedHosts, ...(options.allowedHosts ?? [])],
    allowedOrigins: [...http.allowedOrigins, ...(options.allowedOrigins ?? [])],
    sse: options.sse ?? http.sse,
    limits: { bodyBytes: http.maxBodyBytes, ...toHttpLimits(workbench.config), ...options.limits },
  });
}

function toHttpLimits({ limits }: Config): Partial<HttpLimits> {
  return {
    bodyValues: limits.requestValues,
    requestsPerClient: limits.requestsPerClient,
    connections: limits.httpConnections,
    sessions: limits.httpSessions,
    sessionIdleMs: limits.httpSessionIdleMs,
    streams: limits.httpStreams,
    streamsPerSession: limits.httpStreamsPerSession,
    pendingBytes: limits.pendingBytes,
  };
}

/**
 * Resolves when clients can be sent here: the servers that are needed from the beginning have had their time to start. A caller
 * that waits for this has them started, otherwise the first client does, so that the servers can be told what that client can do.
 * A server that is started later, or again, holds up only its own calls.
 */
function watchReadiness(workbench: Workbench): () => boolean {
  const isUnknown = () => workbench.servers().some(({ state }) => state === 'configured' || state === 'starting');
  let ready = !modeFacts[workbench.config.mode].learnsAll || !isUnknown();
  let begun = ready;
  return () => {
    ready ||= !isUnknown();
    if (!ready && !begun) {
      begun = true;
      workbench.startMissing();
      void workbench.settled().then(() => {
        ready = true;
      });
    }
    return ready;
  };
}

/** A client sends our token to the port it knows: if another program has that port, the token must not open the next one. */
function isOneForAllPorts(authenticator: ServeHttpOptions['authenticator']): boolean {
  return typeof authenticator === 'object' && authenticator !== openAuthenticator;
}

async function createConfiguredAuthenticator(workbench: Workbench, host: string): Promise<Authenticator> {
  const { config, log } = workbench;
  if (config.auth === undefined)
    throw new WorkbenchError(
      'WB1901',
      'Clients could not authenticate: there is neither an authenticator nor "auth".',
      {
        fix: 'Pass an authenticator to serveHttp, or add "auth" to the configuration.',
      },
    );
  const { createIssuerAuthenticator } = await import('../serve/http/auth/issuer-authenticator.ts');
  const { publicUrl } = config.http;
  if (publicUrl === undefined && !isLoopback(host))
    throw new WorkbenchError(
      'WB1314',
      `The address that tokens for ${host} are issued for is not known: "publicUrl" is missing.`,
    );
  return createIssuerAuthenticator({
    ...config.auth,
    publicUrl,
    toolboxes: () => workbench.config.toolboxes.keys(),
    log,
  });
}

function publicHosts(publicUrl: string | undefined): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).host];
}
