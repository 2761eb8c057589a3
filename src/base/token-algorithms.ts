/**
 * Signatures of access tokens that can be trusted: those where only the issuer holds the key that signs.
 * Left out on purpose: `none`, and everything with a shared secret (HS256 …).
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
