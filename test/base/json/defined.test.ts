import { expect, test } from 'vitest';
import { defined } from '../../../src/base/json/defined.js';

test('members without a value are left out, and every other value stays, null, false, 0 and "" too', () => {
  const given: { a?: number | undefined; b: null; c: boolean; d: number; e: string } = {
    a: undefined,
    b: null,
    c: false,
    d: 0,
    e: '',
  };
  const kept = defined(given);
  expect(Object.keys(kept)).toEqual(['b', 'c', 'd', 'e']);
  expect(kept).toEqual({ b: null, c: false, d: 0, e: '' });
});
