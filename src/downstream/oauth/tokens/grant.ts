/**
 * What we hold after a sign-in, and under which name. Issuer and resource are part of the name, so that a token of one
 * authorization server, or for one server, is never sent to another.
 */
import { createHash } from 'node:crypto';

/** The client that we are at an authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the client proves who it is: `none`, `client_secret_basic`, `client_secret_post` or `private_key_jwt`. */
  readonly method: string;
  /** The address that we registered the client for; undefined for a client that existed before. */
  readonly redirectUri?: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970; undefined when the server did not say. */
  readonly expiresAt?: number;
  /** The scopes that were granted. */
  readonly scope?: string;
}

export interface Grant {
  readonly issuer: string;
  readonly resource: string;
  readonly client: OAuthClient;
  /** Undefined after the authorization server revoked them. */
  readonly tokens?: Tokens;
  /** Scopes that the last sign-in requested. */
  readonly askedScope?: string;
  /** Scopes for the next sign-in to request, because a call needed them. */
  readonly wantedScope?: string;
}

/** Which authorization server a server was last signed in at. */
export interface Binding {
  readonly issuer: string;
  readonly resource: string;
}

/** There is one user here: the person who runs the program. */
const principal = 'local';

export function grantKey({ issuer, resource }: Binding): string {
  return hash(['grant', issuer, resource, principal]);
}

export function bindingKey(serverUrl: string): string {
  return hash(['server', serverUrl, principal]);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
