import { describe, expect, it } from 'vitest';
import { breaksSchema, describeSignature } from '../../../src/front/calls/signature.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    unit: { enum: ['c', 'f'] },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { lat: { type: 'number' }, deep: { type: 'object', properties: { x: {} } } } },
    either: { type: ['string', 'null'] },
  },
  required: ['city', 'place'],
};

describe('the signature of a tool', () => {
  it('the signature of a tool names its arguments, which of them it needs, and their types', () => {
    expect(describeSignature('weather', schema)).toBe(
      'Signature: weather(city: string, days?: integer, unit?: "c" | "f", tags?: string[], place: { lat?: number, deep?: object }, either?: string | null)',
    );
    expect(describeSignature('none', { type: 'object' })).toBe('Signature: none()');
  });

  it('the signature of a tool is short and of one line, whatever a server has written', () => {
    const wild = {
      properties: Object.fromEntries(
        Array.from({ length: 500 }, (_, at) => [`key\n${at}\u001b[31m`, { type: ['x\ny', 'z'.repeat(9_000)] }]),
      ),
      required: 'all',
    };
    const text = describeSignature('n\nm'.repeat(500), wild);
    expect(text.length).toBeLessThanOrEqual(600);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
    expect(text).not.toMatch(/[\u0000-\u001f]/);
    for (const odd of [{ properties: [] }, { properties: { a: null } }, { required: [1] }] as never[])
      expect(describeSignature('odd', odd)).toMatch(/^Signature: odd\(/);
  });
});

describe('arguments', () => {
  it('arguments break a schema when a required one is missing or one is of another type', () => {
    expect(breaksSchema({}, schema)).toBe(true);
    expect(breaksSchema({ city: 'x', place: {} }, schema)).toBe(false);
    expect(breaksSchema({ city: 7, place: {} }, schema)).toBe(true);
    expect(breaksSchema({ city: 'x', place: {}, tags: 'a' }, schema)).toBe(true);
    expect(breaksSchema({ city: 'x', place: {}, other: 1, unit: 5, either: 7 }, schema)).toBe(false);
    expect(breaksSchema({ anything: 1 }, {})).toBe(false);
  });
});
