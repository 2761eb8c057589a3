/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery), reduced to what can be relied on. */
import type { AuthorizationServer } from 'oauth4webapi';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { findMember, findString, type JsonObject } from '../../../base/json/json.ts';
import { toPrintable } from '../../../base/text/printable.ts';

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
  const token_endpoint = endpoint('token_endpoint');
  if (token_endpoint === undefined)
    throw new WorkbenchError(
      'WB1204',
      `The authorization server ${toPrintable(issuer, 200)} does not name a token endpoint.`,
    );
  const says = (key: string) => findMember(metadata, key) === true;
  return {
    issuer,
    token_endpoint,
    ...defined({
      authorization_endpoint: endpoint('authorization_endpoint'),
      registration_endpoint: endpoint('registration_endpoint'),
      revocation_endpoint: endpoint('revocation_endpoint'),
    }),
    token_endpoint_auth_methods_supported: findStrings(metadata, 'token_endpoint_auth_methods_supported'),
    code_challenge_methods_supported: findStrings(metadata, 'code_challenge_methods_supported'),
    scopes_supported: findStrings(metadata, 'scopes_supported'),
    authorization_response_iss_parameter_supported: says('authorization_response_iss_parameter_supported'),
    client_id_metadata_document_supported: says('client_id_metadata_document_supported'),
  };
}

/** The endpoint for signing in, at a server that protects the way back with PKCE; anything weaker is refused. */
export function getAuthorizationEndpoint(server: AuthorizationServer): string {
  const name = toPrintable(server.issuer, 200);
  if (server.authorization_endpoint === undefined)
    throw new WorkbenchError('WB1204', `The authorization server ${name} does not name an authorization endpoint.`);
  if (server.code_challenge_methods_supported?.includes('S256') !== true)
    throw new WorkbenchError(
      'WB1204',
      `The authorization server ${name} does not say that it supports PKCE with S256.`,
      {
        fix: 'Without PKCE a sign-in can be intercepted, so it is not begun. Ask the operator of the server for PKCE, or use "headers" with a token.',
      },
    );
  return server.authorization_endpoint;
}

function findEndpoint(metadata: JsonObject, key: string, issuer: string, pinned: boolean): string | undefined {
  const text = findString(metadata, key);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const name = toPrintable(issuer, 200);
  if (url === undefined || url.username !== '' || url.password !== '' || !['https:', 'http:'].includes(url.protocol))
    throw new WorkbenchError('WB1204', `The ${key} of the authorization server ${name} is not a usable address.`);
  if (!pinned && url.origin !== new URL(issuer).origin) {
    throw new WorkbenchError(
      'WB1204',
      `The ${key} of the authorization server ${name} is on another host: ${toPrintable(url.host, 200)}.`,
      { fix: `If both belong together, name the server in the configuration: "oauth": {"issuer": "${name}"}.` },
    );
  }
  return url.href;
}

export function findStrings(object: JsonObject, key: string): string[] {
  const value = findMember(object, key);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
