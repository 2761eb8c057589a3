/** Showing that one knows the secret without telling it, and comparing variables without telling their values. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Nonces {
  readonly daemon: string;
  readonly shim: string;
}

/** Different for each connection, so that a proof seen once is worth nothing later. */
export function makeNonce(): string {
  return randomBytes(16).toString('hex');
}

/** What only a holder of the secret can say to these nonces; the two sides say different things. */
export function prove(secret: Buffer, side: 'daemon' | 'shim', { daemon, shim }: Nonces): string {
  return seal(secret, ['proof', side, daemon, shim]);
}

/** In a time that does not tell how much of it was right. */
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
