/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery), reduced to what can be relied on. */
import { WorkbenchError } from '../../base/errors.ts';
import { findMember, findString, type JsonObject } from '../../base/json.ts';
import { toPrintable } from '../../base/printable.ts';

export interface AuthorizationServer {
  /** Exactly as published: it is compared as a string. */
  readonly issuer: string;
  readonly authorizationEndpoint: URL | undefined;
  readonly tokenEndpoint: URL;
  readonly registrationEndpoint: URL | undefined;
  readonly revocationEndpoint: URL | undefined;
  /** How clients may prove themselves at the token endpoint. */
  readonly clientAuthMethods: readonly string[];
  readonly challengeMethods: readonly string[];
  readonly scopes: readonly string[];
  /** Every answer to an authorization request names the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** A client may be named by the address of its metadata. */
  readonly takesClientMetadataUrl: boolean;
}

/**
 * The server behind metadata whose `issuer` has been checked. Endpoints must be at the origin of the issuer: metadata that
 * sends the code, or the secret of a client, to another host is how mix-up attacks work. Some honest servers do use
 * several hosts; they are believed when the configuration names their issuer.
 */
export function toAuthorizationServer(
  metadata: JsonObject,
  issuer: string,
  { pinned }: { pinned: boolean },
): AuthorizationServer {
  const endpoint = (key: string) => findEndpoint(metadata, key, issuer, pinned);
  const tokenEndpoint = endpoint('token_endpoint');
  if (tokenEndpoint === undefined)
    throw new WorkbenchError('WB1204', `The authorization server ${toPrintable(issuer, 200)} names no token endpoint.`);
  const methods = findStrings(metadata, 'token_endpoint_auth_methods_supported');
  return {
    issuer,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint,
    registrationEndpoint: endpoint('registration_endpoint'),
    revocationEndpoint: endpoint('revocation_endpoint'),
    clientAuthMethods: methods.length === 0 ? ['client_secret_basic'] : methods,
    challengeMethods: findStrings(metadata, 'code_challenge_methods_supported'),
    scopes: findStrings(metadata, 'scopes_supported'),
    namesIssuer: findMember(metadata, 'authorization_response_iss_parameter_supported') === true,
    takesClientMetadataUrl: findMember(metadata, 'client_id_metadata_document_supported') === true,
  };
}

/** The endpoint for signing in, at a server that protects the way back with PKCE; anything weaker is refused. */
export function getAuthorizationEndpoint(server: AuthorizationServer): URL {
  const name = toPrintable(server.issuer, 200);
  if (server.authorizationEndpoint === undefined)
    throw new WorkbenchError('WB1204', `The authorization server ${name} names no authorization endpoint.`);
  if (!server.challengeMethods.includes('S256'))
    throw new WorkbenchError(
      'WB1204',
      `The authorization server ${name} does not say that it supports PKCE with S256.`,
      {
        fix: 'Without PKCE a sign-in can be intercepted, so it is not begun. Ask the operator of the server for PKCE, or use "headers" with a token.',
      },
    );
  return server.authorizationEndpoint;
}

function findEndpoint(metadata: JsonObject, key: string, issuer: string, pinned: boolean): URL | undefined {
  const text = findString(metadata, key);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const name = toPrintable(issuer, 200);
  if (url === undefined || url.username !== '' || url.password !== '' || !['https:', 'http:'].includes(url.protocol))
    throw new WorkbenchError('WB1204', `The ${key} of the authorization server ${name} is no usable address.`);
  if (!pinned && url.origin !== new URL(issuer).origin) {
    throw new WorkbenchError(
      'WB1204',
      `The ${key} of the authorization server ${name} is on another host: ${toPrintable(url.host, 200)}.`,
      { fix: `If both belong together, name the server in the configuration: "oauth": {"issuer": "${name}"}.` },
    );
  }
  return url;
}

export function findStrings(object: JsonObject, key: string): string[] {
  const value = findMember(object, key);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
