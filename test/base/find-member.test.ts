import { describe, expect, it } from 'vitest';
import { findMember } from '../../src/base/json/json.ts';

describe('a member of a JSON object', () => {
  it.each(['constructor', 'toString', '__proto__'])('called %s is found only when the object has it', (key) => {
    expect(findMember({}, key)).toBeUndefined();
    expect(findMember(JSON.parse(`{"${key}":1}`), key)).toBe(1);
  });
});
