/**
 * Our endpoints as an OAuth resource server: bearer tokens of one issuer, each request decided on its own.
 * A client learns what to ask for, never what was wrong; a token is never kept, logged or passed on.
 */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Clock } from '../../../base/async/clock.ts';
import { toMessage, WorkbenchError } from '../../../base/errors/errors.ts';
import { tokenAlgorithms } from '../../../base/errors/token-algorithms.ts';
import { defined } from '../../../base/json/defined.ts';
import { type Log, silentLog } from '../../../base/text/log.ts';
import type { GuardedFetch } from '../../../net/guarded-fetch.ts';
import { type Authenticator, type AuthVerdict, findBearer } from './authenticator.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import {
  type BearerChallenge,
  type ProtectedResource,
  toChallenge,
  toEndpoint,
  toMetadata,
} from './protected-resource.ts';
import { judgeScopes, neededScopes, readScopes } from './token-scopes.ts';
import { verifyToken } from './verify-token.ts';

export interface JwtAuthenticatorOptions {
  /** Compared with the tokens' `iss` letter by letter. */
  readonly issuer: string;
  /** Accepted as audience besides the endpoint's own URL. */
  readonly audience?: string | undefined;
  /** Where the keys are, for issuers without discovery. */
  readonly jwksUri?: string | undefined;
  /** Needed by every request. */
  readonly scopes: readonly string[];
  /** Empty: all that can be trusted. */
  readonly algorithms: readonly string[];
  readonly clockToleranceSec: number;
  /** Toolboxes need no scope of their own. */
  readonly allToolboxes?: boolean;
  /** The names of the toolboxes there are now. */
  readonly toolboxes: () => Iterable<string>;
  /** How clients reach us, when that is not the address that is listened on. */
  readonly publicUrl?: string | undefined;
  /** For people, in the metadata. */
  readonly name?: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  readonly log?: Log;
}

/** Three parts in base64url. */
const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const maxTokenLength = 16_384;

export function createJwtAuthenticator(options: JwtAuthenticatorOptions): Authenticator {
  const { issuer, publicUrl, log = silentLog } = options;
  const algorithms = getAlgorithms(options.algorithms);
  const verifying = { ...options, algorithms, keys: createIssuerKeys(options) };
  const rules = () => ({
    base: options.scopes,
    toolboxes: options.toolboxes(),
    allToolboxes: options.allToolboxes ?? false,
  });
  // A client without a valid token learns of no toolbox but the one that it names itself, whether that exists or not.
  const openScopes = ({ toolbox }: ProtectedResource) => neededScopes({ ...rules(), toolboxes: [] }, toolbox);
  const refuse = (endpoint: ProtectedResource, error?: BearerChallenge['error']): AuthVerdict => ({
    status: error === 'insufficient_scope' ? 403 : 401,
    challenge: toChallenge(endpoint, {
      ...defined({ error }),
      scopes: error === 'insufficient_scope' ? neededScopes(rules(), endpoint.toolbox) : openScopes(endpoint),
    }),
    message: messages[error ?? 'none'],
  });

  return {
    async authenticate({ headers, path, origin }) {
      const endpoint = toEndpoint(path, publicUrl ?? origin);
      const token = findBearer(headers.authorization);
      if (token === undefined) return refuse(endpoint);
      if (token.length > maxTokenLength || !tokenShape.test(token)) return refuse(endpoint, 'invalid_token');
      let verified: Awaited<ReturnType<typeof verifyToken>>;
      try {
        verified = await verifyToken(token, endpoint.resource, verifying);
      } catch (error) {
        log.error('the keys of the issuer cannot be fetched; no client can be let in', {
          issuer,
          reason: toMessage(error),
        });
        return { status: 503, challenge: '', message: 'Tokens cannot be checked at the moment. Try again later.' };
      }
      const id = 'claims' in verified ? findPrincipalId(verified.claims) : undefined;
      if (!('claims' in verified) || id === undefined) {
        log.debug('token refused', { path, reason: 'refusal' in verified ? verified.refusal : 'subject' });
        return refuse(endpoint, 'invalid_token');
      }
      const verdict = judgeScopes(readScopes(verified.claims), rules(), endpoint.toolbox);
      if (verdict.kind === 'missing') return refuse(endpoint, 'insufficient_scope');
      const client = findClientName(verified.claims);
      return { principal: { id, ...defined({ toolboxes: verdict.toolboxes, client }) } };
    },
    metadata(path, origin) {
      const endpoint = toEndpoint(path, publicUrl ?? origin);
      return toMetadata(endpoint, { issuer, scopes: openScopes(endpoint), name: options.name ?? 'MCP Workbench' });
    },
  };
}

const messages = {
  none: 'A bearer token is needed. The header WWW-Authenticate says where to get one.',
  invalid_token: 'The token was not accepted. Get a new one.',
  insufficient_scope: 'The token may not do this. The header WWW-Authenticate names the scopes that are needed.',
} as const;

/** The same person or program is the same principal, whichever token they come with. Says nothing about them. */
function findPrincipalId({ iss, sub, client_id, azp }: JWTPayload): string | undefined {
  const client = findClientName({ client_id, azp });
  const identity = isFilled(sub) ? ['sub', sub] : client === undefined ? undefined : ['client', client];
  if (identity === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([iss, ...identity]))
    .digest('hex');
}

function findClientName({ client_id, azp }: JWTPayload): string | undefined {
  return [client_id, azp].find(isFilled);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function getAlgorithms(wanted: readonly string[]): readonly string[] {
  const trusted: readonly string[] = tokenAlgorithms;
  const wrong = wanted.find((algorithm) => !trusted.includes(algorithm));
  if (wrong !== undefined)
    throw new WorkbenchError('WB1405', `auth.algorithms: "${wrong}" is not one of ${trusted.join(', ')}`);
  return wanted.length === 0 ? trusted : wanted;
}
