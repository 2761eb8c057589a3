/** The way through the browser: the address to open, and the answer that comes back, believed only when it is ours. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { WorkbenchError } from '../../base/errors.ts';
import { toPrintable } from '../../base/printable.ts';
import { type AuthorizationServer, getAuthorizationEndpoint } from './authorization-server.ts';
import { splitScopes } from './scopes.ts';

export interface AuthorizationRequest {
  readonly url: URL;
  /** Kept here until the code is redeemed. */
  readonly verifier: string;
  readonly state: string;
  readonly redirectUri: string;
}

export function createAuthorizationRequest(options: {
  server: AuthorizationServer;
  clientId: string;
  redirectUri: string;
  resource: string;
  scope: string | undefined;
}): AuthorizationRequest {
  const { server, clientId, redirectUri, resource, scope } = options;
  const url = new URL(getAuthorizationEndpoint(server));
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope === undefined ? {} : { scope }),
    // OpenID Connect gives a refresh token only when the user was asked.
    ...(splitScopes(scope).includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return { url, verifier, state, redirectUri };
}

/** Whether an answer belongs to the request that was made. */
export function answersRequest(answer: URLSearchParams, { state }: AuthorizationRequest): boolean {
  const given = answer.getAll('state');
  const [a, b] = [given[0] ?? '', state].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return given.length === 1 && timingSafeEqual(a, b);
}

/** The code of an answer that has been found to be ours. An answer of another issuer says nothing we may repeat. */
export function getCode(answer: URLSearchParams, server: AuthorizationServer): string {
  const issuers = answer.getAll('iss');
  const [named] = issuers;
  if (issuers.length > 1 || (named === undefined ? server.namesIssuer : named !== server.issuer)) {
    throw new WorkbenchError(
      'WB1206',
      'The answer to the sign-in came from another authorization server than was asked.',
    );
  }
  const error = answer.get('error');
  if (error !== null) {
    const denied = error === 'access_denied';
    const reason = denied ? 'access was denied' : toPrintable(error, 80);
    throw new WorkbenchError('WB1202', `The sign-in at ${toPrintable(server.issuer, 200)} failed: ${reason}.`);
  }
  const code = answer.get('code') ?? '';
  if (code === '' || answer.getAll('code').length > 1)
    throw new WorkbenchError('WB1206', `The answer to the sign-in at ${toPrintable(server.issuer, 200)} has no code.`);
  return code;
}
