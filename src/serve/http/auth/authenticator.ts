/** Which clients may use the HTTP endpoints. Every request is authenticated on its own; a session or a handle does not count. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../base/json/json.ts';

export interface Principal {
  readonly id: string;
  /** Names of the toolboxes it may use; undefined for all. */
  readonly toolboxes?: ReadonlySet<string>;
  /** The client that the credential was issued to, by a name of its own: it may say how tools are shown. */
  readonly client?: string;
}

export type AuthVerdict =
  | { readonly principal: Principal }
  | {
      /** 503: tokens cannot be checked at the moment. */
      readonly status: 401 | 403 | 503;
      /** For the header `WWW-Authenticate`; empty with 503. */
      readonly challenge: string;
      readonly message: string;
    };

export interface AuthRequest {
  readonly headers: IncomingHttpHeaders;
  /** The path of the endpoint, such as `/mcp` or `/mcp/<toolbox>`. */
  readonly path: string;
  /** Scheme and authority of the address that is listened on; never what the client says. */
  readonly origin: string;
}

export interface Authenticator {
  authenticate(request: AuthRequest): Promise<AuthVerdict> | AuthVerdict;
  /** RFC 9728 document for an endpoint path, where this kind of authentication has one. */
  metadata?(path: string, origin: string): JsonObject | undefined;
}

const realm = 'Bearer realm="mcp-workbench"';

/** One secret for all clients. */
export function createTokenAuthenticator(token: string): Authenticator {
  const expected = digest(token);
  const admitted: AuthVerdict = { principal: { id: 'token' } };
  return {
    authenticate({ headers }) {
      const given = findBearer(headers.authorization);
      if (given === undefined || given === '')
        return { status: 401, challenge: realm, message: 'Send the token: "Authorization: Bearer <token>".' };
      // Digests are of one length, so the comparison tells nothing about the token, its length included.
      if (timingSafeEqual(digest(given), expected)) return admitted;
      return { status: 401, challenge: `${realm}, error="invalid_token"`, message: 'The token is not valid here.' };
    },
  };
}

/** Lets every client in: for a service that only this machine can reach. */
export const openAuthenticator: Authenticator = { authenticate: () => anyone };
const anyone: AuthVerdict = { principal: { id: 'anyone' } };

/** What a `Bearer` header holds, possibly nothing; undefined when there is no such header. */
export function findBearer(authorization: string | undefined): string | undefined {
  return authorization !== undefined && /^bearer(?: |$)/i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined;
}

/** Equal for principals that may do the same under the same name: what a session is bound to. */
export function toPrincipalKey({ id, toolboxes }: Principal): string {
  return JSON.stringify([id, toolboxes === undefined ? null : [...toolboxes].sort()]);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
