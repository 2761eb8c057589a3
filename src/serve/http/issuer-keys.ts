/**
 * The public keys of one issuer: found by discovery, kept, and asked for again when a token names a key that is not
 * among them. Keys once had stay in use while the issuer cannot be asked.
 */
import type { JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../base/clock.ts';
import { WorkbenchError } from '../../base/errors.ts';
import { findString, isObject, type JsonObject } from '../../base/json.ts';

export type KeySet = JWTVerifyGetKey;
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Where the keys are, for issuers without discovery. */
  readonly jwksUri?: string | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

export interface IssuerKeys {
  /** Fails when the issuer never could be asked. */
  current(): Promise<KeySet>;
  /** For a token with an unknown key: newer keys, or undefined when the issuer was asked a moment ago. */
  renewed(): Promise<KeySet | undefined>;
}

/** So that keys which the issuer withdrew go out of use. */
const freshMs = 600_000;
/** So that nobody can make us ask the issuer as often as they send us tokens. */
const pauseMs = 30_000;
/** While there are no keys at all, nobody can get in: tried again sooner. */
const firstPauseMs = 5_000;

export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const { clock } = options;
  let keys: { readonly set: KeySet; readonly at: number } | undefined;
  let failure: unknown;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  const load = () => {
    loading ??= (async () => {
      triedAt = clock.now();
      try {
        keys = { set: await loadKeys(options), at: clock.now() };
      } catch (error) {
        failure = error;
      } finally {
        loading = undefined;
      }
    })();
    return loading;
  };
  const mayAsk = (pause: number) => loading !== undefined || clock.now() - triedAt >= pause;

  return {
    async current() {
      const isFresh = keys !== undefined && clock.now() - keys.at < freshMs;
      if (!isFresh && mayAsk(keys === undefined ? firstPauseMs : pauseMs)) await load();
      if (keys === undefined) throw failure;
      return keys.set;
    },
    async renewed() {
      const before = keys;
      if (!mayAsk(pauseMs)) return undefined;
      await load();
      return keys === before ? undefined : keys?.set;
    },
  };
}

async function loadKeys({ issuer, jwksUri, fetch }: IssuerKeysOptions): Promise<KeySet> {
  const uri = jwksUri ?? (await discoverKeys(issuer, fetch));
  const document = await fetchObject(uri, fetch);
  const { createLocalJWKSet } = await import('jose');
  try {
    return createLocalJWKSet(document as unknown as Parameters<typeof createLocalJWKSet>[0]);
  } catch (cause) {
    throw new WorkbenchError('WB1309', 'the keys of the issuer cannot be used: no valid key set', { cause });
  }
}

/** A document counts only when it says that it is the one of this issuer. */
async function discoverKeys(issuer: string, fetch: Fetch): Promise<string> {
  let failure: unknown;
  for (const url of toDiscoveryUrls(issuer)) {
    try {
      const document = await fetchObject(url, fetch);
      const uri = findString(document, 'jwks_uri');
      if (findString(document, 'issuer') !== issuer) failure = unusable('it is the document of another issuer');
      else if (uri === undefined) failure = unusable('it names no "jwks_uri"');
      else return uri;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Where OAuth (RFC 8414) and OpenID Connect put the document; with a path they disagree. */
export function toDiscoveryUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

async function fetchObject(url: string, fetch: Fetch): Promise<JsonObject> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (response.status !== 200) throw unusable(`it answered with status ${response.status}`);
  let document: unknown;
  try {
    document = await response.json();
  } catch {
    throw unusable('it is not JSON');
  }
  if (!isObject(document)) throw unusable('it is not a JSON object');
  return document;
}

function unusable(why: string): WorkbenchError {
  return new WorkbenchError('WB1309', `a document of the issuer cannot be used: ${why}`);
}
