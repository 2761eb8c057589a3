/** Proves knowledge of the secret without sending it, and compares variables without sending their values. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Nonces {
  readonly daemon: string;
  readonly shim: string;
}

/** Different for each connection, so that a recorded proof is useless later. */
export function makeNonce(): string {
  return randomBytes(16).toString('hex');
}

/** The proof that only a holder of the secret can compute for these nonces; the two sides send different proofs. */
export function prove(secret: Buffer, side: 'daemon' | 'shim', { daemon, shim }: Nonces): string {
  return seal(secret, ['proof', side, daemon, shim]);
}

/** Compares in constant time. */
export function isProof(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Equal for equal values of the same variable; null: it is not set. */
export function sealVariable(secret: Buffer, name: string, value: string | undefined): string | null {
  return value === undefined ? null : seal(secret, ['variable', name, value]);
}

/** Equal for equal texts about the same thing. */
export function sealText(secret: Buffer, about: string, text: string): string {
  return seal(secret, ['text', about, text]);
}

function seal(secret: Buffer, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
}
