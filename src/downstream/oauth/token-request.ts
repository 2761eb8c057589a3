/** Requests to the token endpoint: code, refresh token or client credentials in, tokens out. */
import { WorkbenchError } from '../../base/errors.ts';
import { findMember, findString, type JsonObject } from '../../base/json.ts';
import { toPrintable } from '../../base/printable.ts';
import type { OAuthSettings } from '../../config/config.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { createAssertion, readSigningKey } from './client-assertion.ts';
import { type Fetch, postForm } from './fetch-json.ts';
import type { OAuthClient, Tokens } from './grant.ts';

export interface TokenRequest {
  readonly server: Pick<AuthorizationServer, 'issuer' | 'tokenEndpoint'>;
  readonly client: OAuthClient;
  readonly settings: OAuthSettings;
  readonly resource: string;
  /** `grant_type` and what belongs to it. */
  readonly form: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** The authorization server said no: what it calls the reason, as far as it is one of the words the protocol knows. */
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
  const { server, client, settings, resource, fetch, now } = request;
  const form = new URLSearchParams({ ...request.form, resource });
  const headers = proveClient({ client, settings, form, issuer: server.issuer, now });
  const { status, body } = await postForm(fetch, server.tokenEndpoint, form, headers);
  // Some servers report an error with status 200.
  const error = body === undefined ? undefined : findString(body, 'error');
  if (status === 200 && body !== undefined && error === undefined) return toTokens(body, server.issuer, request);
  if (error !== undefined) throw new TokenRefusal(reasons.includes(error) ? error : 'another reason', server.issuer);
  throw new WorkbenchError('WB1309', `${server.tokenEndpoint.host} answered a token request with status ${status}`);
}

/** Adds to the form what the method of the client puts there; gives the headers that it needs. */
export function proveClient(options: {
  client: OAuthClient;
  settings: OAuthSettings;
  form: URLSearchParams;
  issuer: string;
  now: () => number;
}): Record<string, string> {
  const { client, settings, form, issuer, now } = options;
  const { clientId, clientSecret = '', method } = client;
  if (method === 'client_secret_basic') {
    const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }
  form.set('client_id', clientId);
  if (method === 'client_secret_post') form.set('client_secret', clientSecret);
  if (method === 'private_key_jwt') {
    const key = readSigningKey(settings.privateKeyFile ?? '', settings.algorithm);
    form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    form.set('client_assertion', createAssertion(key, { clientId, audience: issuer, nowMs: now() }));
  }
  return {};
}

/** RFC 6749 wants both halves encoded as in a form. */
function formEncode(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}

/** Long enough for any token there is, and safe in a header. */
const visible = /^[\x21-\x7e]{1,16384}$/;

function toTokens(body: JsonObject, issuer: string, { form, now }: TokenRequest): Tokens {
  const accessToken = findString(body, 'access_token') ?? '';
  const type = findString(body, 'token_type')?.toLowerCase();
  if (!visible.test(accessToken) || type !== 'bearer')
    throw new WorkbenchError('WB1202', `The authorization server ${toPrintable(issuer, 200)} gave no bearer token.`);
  const refreshToken = findString(body, 'refresh_token');
  const seconds = Number(findMember(body, 'expires_in') ?? Number.NaN);
  // What is not said to differ was granted as it was asked for.
  const scope = findString(body, 'scope') ?? form.scope;
  return {
    accessToken,
    ...(refreshToken === undefined || !visible.test(refreshToken) ? {} : { refreshToken }),
    ...(seconds > 0 ? { expiresAt: now() + seconds * 1_000 } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}
