import { describe, expect, it } from 'vitest';
import { toReference } from '../../../src/config/docs/to-reference.ts';
import { defaultLimits, limitsShape } from '../../../src/config/model/schema-limits.ts';
import { parse } from '../support.ts';

const server = { mcpServers: { a: { command: 'x' } } };

describe('limits', () => {
  it('hold without being stated, and each can be stated alone', () => {
    expect(parse(server).limits).toEqual(defaultLimits);
    expect(parse({ ...server, limits: { listPages: 7 } }).limits).toEqual({ ...defaultLimits, listPages: 7 });
  });

  it.each(Object.entries(limitsShape.members))('have a smallest and a largest %s', (key, { min, max }) => {
    for (const value of [min, max])
      expect(parse({ ...server, limits: { [key]: value } } as never).limits).toMatchObject({ [key]: value });
    for (const value of [min - 1, max + 1, 1.5, '1'])
      expect(() => parse({ ...server, limits: { [key]: value } } as never)).toThrow(`limits.${key} must be`);
  });

  it('are an object with known keys', () => {
    expect(() => parse({ ...server, limits: [] } as never)).toThrow('limits must be an object, not a list');
    expect(() => parse({ ...server, limits: { messageByte: 1_024 } } as never)).toThrow('did you mean "messageBytes"?');
  });

  it('stand in the reference with their defaults', () => {
    const page = toReference();
    for (const [key, value] of Object.entries(defaultLimits))
      expect(page).toMatch(new RegExp(`\\| \`${key}\` \\| integer, [\\d to]+ \\| \`${value}\` \\|`));
  });
});
