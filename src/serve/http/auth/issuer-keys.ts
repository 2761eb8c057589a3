/**
 * The public keys of one issuer: found by discovery, kept, and asked for again when a token names a key that is not
 * among them. The last keys stay in use while the issuer does not answer.
 */
import type { JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../base/async/clock.ts';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { findString, type JsonObject, parseObject } from '../../../base/json/json.ts';
import type { GuardedFetch } from '../../../net/guarded-fetch.ts';
import { issuerMetadataUrls } from '../../../net/issuer-metadata.ts';

export type KeySet = JWTVerifyGetKey;

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Where the keys are, for issuers without discovery. */
  readonly jwksUri?: string | undefined;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
}

export interface IssuerKeys {
  /** Fails when the issuer has never answered. */
  current(): Promise<KeySet>;
  /** For a token with an unknown key: newer keys, or undefined when the issuer was asked a moment ago. */
  renewed(): Promise<KeySet | undefined>;
}

/** Keys that the issuer withdrew go out of use after this time. */
const freshMs = 600_000;
/** Between two requests to the issuer, however many tokens with unknown keys clients send. */
const pauseMs = 30_000;
/** Without any keys no client can be let in, so the issuer is asked again sooner. */
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
    throw new WorkbenchError('WB1309', 'the keys of the issuer cannot be used: they are not a valid key set', {
      cause,
    });
  }
}

/** A document counts only when it says that it is the one of this issuer. */
async function discoverKeys(issuer: string, fetch: GuardedFetch): Promise<string> {
  let failure: unknown;
  for (const url of issuerMetadataUrls(issuer)) {
    try {
      const document = await fetchObject(url, fetch);
      const uri = findString(document, 'jwks_uri');
      if (findString(document, 'issuer') !== issuer) failure = unusable('it is the document of another issuer');
      else if (uri === undefined) failure = unusable('it does not name a "jwks_uri"');
      else return uri;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function fetchObject(url: string | URL, fetch: GuardedFetch): Promise<JsonObject> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (response.status !== 200) throw unusable(`it answered with status ${response.status}`);
  const document = parseObject(await response.text());
  if (document === undefined) throw unusable('it is not a JSON object');
  return document;
}

function unusable(why: string): WorkbenchError {
  return new WorkbenchError('WB1309', `a document of the issuer cannot be used: ${why}`);
}
