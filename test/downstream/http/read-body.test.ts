import { describe, expect, it } from 'vitest';
import { toOneLine } from '../../../src/downstream/http/read-body.ts';

describe('JSON over several lines', () => {
  it('becomes one line of the same value', () => {
    const text = JSON.stringify({ a: ['x\ny', { b: 1 }] }, null, 2).replaceAll('\n', '\r\n');
    expect(toOneLine(text)).not.toMatch(/[\r\n]/);
    expect(JSON.parse(toOneLine(text))).toEqual({ a: ['x\ny', { b: 1 }] });
  });
});
