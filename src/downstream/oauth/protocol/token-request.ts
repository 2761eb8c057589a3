/** Requests to the token endpoint: code, refresh token or client credentials in, tokens out. */
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretPost,
  genericTokenEndpointRequest,
  INVALID_RESPONSE,
  None,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
  UNSUPPORTED_OPERATION,
} from 'oauth4webapi';
import { codeOf } from '../../../base/errors/code-of.ts';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { toPrintable } from '../../../base/text/printable.ts';
import type { OAuthSettings } from '../../../config/model/config.ts';
import type { OAuthClient, Tokens } from '../tokens/grant.ts';
import { createKeyProof, readSigningKey } from './client-assertion.ts';
import { type Fetch, isTokenText, throughFetch } from './fetch-json.ts';

export interface TokenRequest {
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly settings: OAuthSettings;
  readonly resource: string;
  /** `grant_type` and what belongs to it. */
  readonly form: Readonly<Record<string, string>> & { readonly grant_type: string };
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** The authorization server refused: `reason` is its word, if it is one of the words that the protocol knows. */
export class TokenRefusal extends WorkbenchError {
  readonly reason: string;

  constructor(reason: string, issuer: string) {
    super('WB1202', `The authorization server ${toPrintable(issuer, 200)} refused to give a token (${reason}).`);
    this.reason = reason;
  }
}

const reasons = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
];

export async function requestTokens(request: TokenRequest): Promise<Tokens> {
  const { server, resource, form, fetch } = request;
  const client = { client_id: request.client.clientId };
  const [proof, options] = [await proveClient(request), throughFetch(fetch, 200)];
  const parameters = { ...form, resource };
  const response = await genericTokenEndpointRequest(server, client, proof, form.grant_type, parameters, options);
  const answer = await processGenericTokenEndpointResponse(server, client, response).catch((error: unknown) => {
    throw toFailure(error, server, response.status);
  });
  return toTokens(answer, request);
}

/** How a client proves who it is, by the method that it was registered with. */
export async function proveClient(request: Pick<TokenRequest, 'client' | 'settings' | 'now'>): Promise<ClientAuth> {
  const { settings, now } = request;
  const { method, clientSecret = '' } = request.client;
  if (method === 'private_key_jwt')
    return createKeyProof(readSigningKey(settings.privateKeyFile ?? '', settings.algorithm), now());
  if (clientSecret === '' || method === 'none') return None();
  return method === 'client_secret_post' ? ClientSecretPost(clientSecret) : proveBySecret(clientSecret);
}

/**
 * `client_secret_basic`. RFC 6749 wants both halves encoded as in a form; the library encodes `-`, `_` and `.` as well, and
 * servers that compare without decoding would not recognise most clients.
 */
function proveBySecret(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const pair = `${formEncode(client_id)}:${formEncode(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}

function toTokens(answer: TokenEndpointResponse, { server, form, now }: TokenRequest): Tokens {
  const { access_token, token_type, refresh_token, expires_in } = answer;
  if (!isTokenText(access_token) || token_type !== 'bearer') throw noBearerToken(server);
  return {
    accessToken: access_token,
    ...defined({
      refreshToken: refresh_token,
      expiresAt: expires_in === undefined ? undefined : now() + expires_in * 1_000,
      // A server that grants what was asked for need not say so.
      scope: answer.scope ?? form.scope,
    }),
  };
}

function toFailure(error: unknown, server: AuthorizationServer, status: number): WorkbenchError {
  if (error instanceof ResponseBodyError)
    return new TokenRefusal(reasons.includes(error.error) ? error.error : 'another reason', server.issuer);
  if ([INVALID_RESPONSE, UNSUPPORTED_OPERATION].includes(codeOf(error))) return noBearerToken(server);
  const { host } = new URL(server.token_endpoint ?? server.issuer);
  return new WorkbenchError('WB1309', `${host} answered a token request with status ${status}`);
}

function noBearerToken({ issuer }: AuthorizationServer): WorkbenchError {
  const name = toPrintable(issuer, 200);
  return new WorkbenchError('WB1202', `The authorization server ${name} gave no bearer token.`);
}
