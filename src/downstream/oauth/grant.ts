/**
 * What we hold after a sign-in, and under which name. Issuer and resource are part of the name, so that nothing that was
 * given by one authorization server, or for one server, can ever be shown to another.
 */
import { createHash } from 'node:crypto';

/** Who we are at an authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How it proves itself: `none`, `client_secret_basic`, `client_secret_post` or `private_key_jwt`. */
  readonly method: string;
  /** Registered by us for this address; undefined for a client that was there before. */
  readonly redirectUri?: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970; undefined when the server did not say. */
  readonly expiresAt?: number;
  /** What was granted. */
  readonly scope?: string;
}

export interface Grant {
  readonly issuer: string;
  readonly resource: string;
  readonly client: OAuthClient;
  /** Undefined after the authorization server took them back. */
  readonly tokens?: Tokens;
  /** Asked for at the last sign-in. */
  readonly askedScope?: string;
  /** To be asked for at the next sign-in, because a call needed it. */
  readonly wantedScope?: string;
}

/** Which authorization server a server was last signed in at. */
export interface Binding {
  readonly issuer: string;
  readonly resource: string;
}

/** There is one user here: whoever runs the program. */
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
