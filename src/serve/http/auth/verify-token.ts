/** Whether the issuer made a token for this very endpoint and it is valid now. Only our own log says what is wrong with one. */
import type { JWTPayload } from 'jose';
import type { Clock } from '../../../base/async/clock.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';
import { toCanonical } from './protected-resource.ts';

export interface VerifyOptions {
  readonly issuer: string;
  /** Accepted besides the resource of the endpoint. */
  readonly audience?: string | undefined;
  readonly algorithms: readonly string[];
  readonly clockToleranceSec: number;
  readonly keys: IssuerKeys;
  readonly clock: Clock;
}

/** For the log: nothing in these words comes from the token. */
type TokenFault = 'not a token' | 'key unknown' | 'signature' | 'expired' | 'claims' | 'type' | 'audience';

export type Verified = { readonly claims: JWTPayload } | { readonly refusal: TokenFault };

/** Rejects only when it cannot be decided, because the issuer's keys are missing. */
export async function verifyToken(token: string, resource: string, options: VerifyOptions): Promise<Verified> {
  const { errors } = await import('jose');
  const known = await options.keys.current();
  let claims: JWTPayload;
  try {
    claims = await verifyWith(known, token, options).catch(async (error: unknown) => {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await options.keys.renewed() : undefined;
      if (newer === undefined) throw error;
      return await verifyWith(newer, token, options);
    });
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { refusal: 'key unknown' };
    if (error instanceof errors.JWSSignatureVerificationFailed) return { refusal: 'signature' };
    if (error instanceof errors.JWTExpired) return { refusal: 'expired' };
    if (error instanceof errors.JWTClaimValidationFailed) return { refusal: 'claims' };
    return { refusal: error instanceof WrongType ? 'type' : 'not a token' };
  }
  if (!isFor(claims.aud, resource, options.audience)) return { refusal: 'audience' };
  return isAccessToken(claims) ? { claims } : { refusal: 'type' };
}

async function verifyWith(keys: KeySet, token: string, options: VerifyOptions): Promise<JWTPayload> {
  const { errors, jwtVerify } = await import('jose');
  const rules = {
    issuer: options.issuer,
    algorithms: [...options.algorithms],
    clockTolerance: options.clockToleranceSec,
    currentDate: new Date(options.clock.now()),
    requiredClaims: ['exp'],
  };
  const verify = async (key: Parameters<typeof jwtVerify>[1]) => {
    const { payload, protectedHeader } = await jwtVerify(token, key, rules);
    if (!isTokenType(protectedHeader.typ)) throw new WrongType();
    return payload;
  };
  try {
    return await verify(keys);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token that does not name its key: any of the fitting ones may have signed it.
    for await (const key of error) {
      try {
        return await verify(key);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

class WrongType extends Error {}

/** Issuers sign other things with the same keys: logout notices, proofs, client assertions. */
function isTokenType(type: unknown): boolean {
  if (type === undefined) return true;
  const name = String(type)
    .toLowerCase()
    .replace(/^application\//, '');
  return name === 'jwt' || name === 'at+jwt';
}

/** Neither a proof of sign-in, nor a token that is only valid together with a key its holder must show. */
function isAccessToken(claims: JWTPayload): boolean {
  return !['at_hash', 'c_hash', 'cnf', 'events'].some((name) => Object.hasOwn(claims, name));
}

function isFor(aud: unknown, resource: string, audience: string | undefined): boolean {
  return [aud].flat().some((each) => {
    if (typeof each !== 'string') return false;
    return each === resource || each === audience || toCanonical(each) === resource;
  });
}
