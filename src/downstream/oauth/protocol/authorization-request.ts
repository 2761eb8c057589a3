/** The way through the browser: the address to open, and the answer that comes back, believed only when it is ours. */
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { toPrintable } from '../../../base/text/printable.ts';
import { getAuthorizationEndpoint } from './authorization-server.ts';
import { splitScopes } from './scopes.ts';

export interface AuthorizationRequest {
  readonly url: URL;
  readonly server: AuthorizationServer;
  readonly clientId: string;
  /** Kept here until the code is redeemed. */
  readonly verifier: string;
  readonly state: string;
  readonly redirectUri: string;
}

export async function createAuthorizationRequest(options: {
  server: AuthorizationServer;
  clientId: string;
  redirectUri: string;
  resource: string;
  scope: string | undefined;
}): Promise<AuthorizationRequest> {
  const { server, clientId, redirectUri, resource, scope } = options;
  const url = new URL(getAuthorizationEndpoint(server));
  const [verifier, state] = [generateRandomCodeVerifier(), generateRandomState()];
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...defined({ scope }),
    // OpenID Connect gives a refresh token only when the user was asked.
    ...(splitScopes(scope).includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return { url, server, clientId, verifier, state, redirectUri };
}

/** Whether an answer belongs to the request that was made. */
export function answersRequest(answer: URLSearchParams, { state }: AuthorizationRequest): boolean {
  const given = answer.getAll('state');
  const [a, b] = [given[0] ?? '', state].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return given.length === 1 && timingSafeEqual(a, b);
}

/** The code of an answer. The words of an answer of another issuer are not repeated. */
export function getCode(answer: URLSearchParams, { server, clientId, state }: AuthorizationRequest): string {
  // An answer that names an issuer has to name this one, also where the server did not promise to name it (RFC 9207).
  const named = server.authorization_response_iss_parameter_supported === true || answer.has('iss');
  const strict = { ...server, authorization_response_iss_parameter_supported: named };
  const name = toPrintable(server.issuer, 200);
  try {
    validateAuthResponse(strict, { client_id: clientId }, answer, state);
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError))
      throw new WorkbenchError(
        'WB1206',
        'The answer to the sign-in did not come from the authorization server that was asked.',
      );
    const reason = error.error === 'access_denied' ? 'access was denied' : toPrintable(error.error, 80);
    throw new WorkbenchError('WB1202', `The sign-in at ${name} failed: ${reason}.`);
  }
  const [code = '', ...more] = answer.getAll('code');
  if (code === '' || more.length > 0)
    throw new WorkbenchError('WB1206', `The answer to the sign-in at ${name} has no code.`);
  return code;
}
