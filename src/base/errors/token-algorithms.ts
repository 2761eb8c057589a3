/**
 * Signature algorithms of access tokens that can be trusted: those where only the issuer holds the signing key.
 * Left out on purpose: `none`, and every algorithm with a shared secret (HS256 …).
 */
export const tokenAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];
