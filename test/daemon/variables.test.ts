import { describe, expect, it } from 'vitest';
import { findDifferent, sealVariables } from '../../src/daemon/variables.ts';

const secret = Buffer.alloc(32, 1);

describe('a seal of variables', () => {
  it('a seal of variables tells which one differs and no value', () => {
    const there = { secret, env: { A: 'apple-pie', B: '' }, platform: 'linux' } as const;
    const variables = sealVariables(['A', 'B', 'C', 'constructor'], there);
    expect(JSON.stringify(variables)).not.toContain('apple-pie');
    expect(findDifferent({ variables }, there)).toBeUndefined();
    const here = (env: Record<string, string>) => findDifferent({ variables }, { ...there, env });
    expect(here({ A: 'apple-pie' })).toBe('B');
    expect(here({ A: 'apple', B: '' })).toBe('A');
    expect(here({ A: 'apple-pie', B: '', C: '' })).toBe('C');
  });

  it('a seal of variables takes names as Windows does, on Windows', () => {
    const variables = sealVariables(['Path'], { secret, env: { PATH: 'x' }, platform: 'win32' });
    expect(findDifferent({ variables }, { secret, env: { path: 'x' }, platform: 'win32' })).toBeUndefined();
    expect(findDifferent({ variables }, { secret, env: { path: 'x' }, platform: 'linux' })).toBe('Path');
  });
});
