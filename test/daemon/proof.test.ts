import { describe, expect, it } from 'vitest';
import { isProof, prove } from '../../src/daemon/proof.ts';

const secret = Buffer.alloc(32, 1);

describe('a proof', () => {
  const nonces = { daemon: 'a', shim: 'b' };

  it('is right for its secret, its side and its nonces only', () => {
    const right = prove(secret, 'shim', nonces);
    expect(isProof(right, right)).toBe(true);
    const others = [
      prove(Buffer.alloc(32, 2), 'shim', nonces),
      prove(secret, 'daemon', nonces),
      prove(secret, 'shim', { daemon: 'b', shim: 'a' }),
      '',
      `${right}0`,
      'ä'.repeat(32),
    ];
    expect(others.map((other) => isProof(other, right))).toEqual(others.map(() => false));
  });
});
