import { computeScopeUnion } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { includesScopes, joinScopes } from '../../../../src/downstream/oauth/protocol/scopes.ts';

describe('scopes', () => {
  it.each([[['a b', 'b c']], [['a', undefined]], [[undefined, undefined]], [['', ' ']]])(
    'add up as in the SDK: %j',
    (lists) => {
      expect(joinScopes(...lists)).toBe(computeScopeUnion(...lists));
    },
  );

  it('are contained in any order', () => {
    expect(includesScopes('a b c', 'c a')).toBe(true);
    expect(includesScopes('a', 'a b')).toBe(false);
    expect(includesScopes(undefined, undefined)).toBe(true);
  });
});
