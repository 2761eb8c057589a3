/**
 * A person signs in at a server, with the browser of this machine or any other. A sign-in begins only when a person asks
 * for it, and there is one at a time for each server, also when several processes want one.
 */
import { type Clock, systemClock } from '../../base/async/clock.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import { checkAuthorizationUrl } from '../../net/authorization-url.ts';
import { learnTokens } from './oauth-credentials.ts';
import {
  type AuthorizationRequest,
  answersRequest,
  createAuthorizationRequest,
  getCode,
} from './protocol/authorization-request.ts';
import { type Callback, openCallback } from './protocol/callback.ts';
import { type Discovery, discover } from './protocol/discover.ts';
import { findChallenge } from './protocol/probe.ts';
import { obtainClient, toStoredClient } from './protocol/register-client.ts';
import { joinScopes, splitScopes } from './protocol/scopes.ts';
import { requestTokens } from './protocol/token-request.ts';
import { requestOwnTokens } from './renew.ts';
import type { SignInContext } from './sign-in-context.ts';
import { bindingKey, type Grant } from './tokens/grant.ts';

/** What a person agrees to by signing in. */
export interface SignInRequest {
  /** Scopes to request; without any, the authorization server decides. */
  readonly scopes: readonly string[];
  /** The one address that the token is sent to, without its query. */
  readonly sentTo: string;
}

export interface LoginOptions {
  /** Shows the person where to sign in, and to what; the address has been checked and may be opened. */
  show(url: URL, issuer: string, request: SignInRequest): void;
  /** Lines the person typed: the address the browser ended up at, when it could not reach this machine. */
  readonly pasted?: AsyncIterable<string>;
  /** A pasted line is not an answer to this sign-in. */
  onUnusable?(): void;
  /** Called when another process is signing in at the same server; the sign-in waits for it. */
  onWait?(): void;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** How long a person may take. */
const limitMs = 5 * 60_000;

export async function login(context: SignInContext, options: LoginOptions): Promise<Grant> {
  const { grants, store, transport } = context;
  const before = (await grants.findFor(transport.url))?.tokens?.accessToken;
  const { onWait, signal } = options;
  let waited = false;
  const wait = () => {
    waited = true;
    onWait?.();
  };
  const lock = { staleMs: limitMs * 2, onWait: wait, signal };
  return store.locked(`login-${bindingKey(transport.url)}`, lock, async () => {
    const other = waited ? await grants.findFor(transport.url) : undefined;
    if (other?.tokens !== undefined && other.tokens.accessToken !== before) return other;
    return signIn(context, options);
  });
}

async function signIn(context: SignInContext, options: LoginOptions): Promise<Grant> {
  const { settings, transport, fetch, grants } = context;
  const challenge = await findChallenge(transport, fetch);
  if (settings.grant === 'client_credentials') {
    const known = await grants.findFor(transport.url);
    return requestOwnTokens(context, { challenge, scope: undefined, known });
  }
  const discovery = await discover({ serverUrl: transport.url, challenge, issuer: settings.issuer, fetch });
  const earlier = await grants.find({ issuer: discovery.server.issuer, resource: discovery.resource });
  const preferred = earlier?.client.redirectUri;
  const callback = await openCallback({
    port: settings.redirectPort,
    preferred: preferred === undefined ? undefined : Number(new URL(preferred).port),
  });
  try {
    return await throughBrowser({ context, options, discovery, earlier, callback });
  } catch (error) {
    // The server may have deleted our registration; the next sign-in registers again.
    if (earlier !== undefined) await grants.saveFor(transport.url, withoutRegistration(earlier));
    throw error;
  } finally {
    callback.close();
  }
}

/** The tokens stay valid; the client is not used for another sign-in. */
function withoutRegistration(grant: Grant): Grant {
  const { redirectUri: _, ...client } = grant.client;
  return { ...grant, client };
}

async function throughBrowser(parts: {
  context: SignInContext;
  options: LoginOptions;
  discovery: Discovery;
  earlier: Grant | undefined;
  callback: Callback;
}): Promise<Grant> {
  const { context, options, discovery, earlier, callback } = parts;
  const { settings, transport, fetch, grants, now } = context;
  const { server, resource } = discovery;
  const { redirectUri } = callback;
  const scope = chooseScope(parts);
  const client = await obtainClient({ server, settings, redirectUri, earlier: earlier?.client, fetch });
  const request = await createAuthorizationRequest({ server, clientId: client.clientId, redirectUri, resource, scope });
  const asked = { scopes: splitScopes(scope), sentTo: withoutQuery(transport.url) };
  options.show(checkAuthorizationUrl(request.url.href), server.issuer, asked);
  const code = getCode(await waitForAnswer(request, callback, options), request);
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: request.verifier,
    redirect_uri: redirectUri,
    ...defined({ scope }),
  };
  const tokens = await requestTokens({ server, client, settings, resource, form, fetch, now });
  learnTokens(context, tokens);
  const grant: Grant = {
    issuer: server.issuer,
    resource,
    client: toStoredClient(client),
    tokens,
    ...defined({ askedScope: scope }),
  };
  await grants.saveFor(transport.url, grant);
  return grant;
}

/** A query may hold a secret. */
function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** Includes the scopes that a call once needed, and the right to renew where the server names it. */
function chooseScope({ context, discovery, earlier }: Parameters<typeof throughBrowser>[0]): string | undefined {
  const { server, scope: needed } = discovery;
  const renewable = server.scopes_supported?.includes('offline_access') ? 'offline_access' : undefined;
  return joinScopes(context.settings.scope ?? needed, earlier?.tokens?.scope, earlier?.wantedScope, renewable);
}

async function waitForAnswer(
  request: AuthorizationRequest,
  callback: Callback,
  { pasted, onUnusable, signal, clock = systemClock }: LoginOptions,
): Promise<URLSearchParams> {
  signal?.throwIfAborted();
  const belongs = (answer: URLSearchParams) => answersRequest(answer, request);
  let cancel = () => {};
  let abort = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    const late = new WorkbenchError('WB1202', `The sign-in took longer than ${limitMs / 60_000} minutes.`);
    cancel = clock.after(limitMs, () => reject(late));
    abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
  });
  // The listener keeps the process alive while the person is away.
  const typed = pasted === undefined ? [] : [findPasted(pasted, belongs, onUnusable)];
  try {
    return await Promise.race([callback.answer(belongs), givenUp, ...typed]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', abort);
  }
}

/** Does not end when the lines end: the browser may still answer. */
async function findPasted(
  lines: AsyncIterable<string>,
  belongs: (answer: URLSearchParams) => boolean,
  onUnusable: (() => void) | undefined,
): Promise<URLSearchParams> {
  for await (const line of lines) {
    const text = line.trim();
    const answer = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams();
    if (belongs(answer)) return answer;
    if (text !== '') onUnusable?.();
  }
  return new Promise(() => {});
}
