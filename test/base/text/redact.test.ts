import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/base/text/redact.ts';
import { spellSecret } from '../../../src/base/text/spell-secret.ts';

const secret = 'pä/ss+w?rd "x" (1)!';
const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

function hider(...values: string[]) {
  const redactor = createRedactor();
  for (const value of values) redactor.learn('TOKEN', value);
  return (text: string) => redactor.hide(text);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const lower = (text: string) => text.replace(/%../g, (code) => code.toLowerCase());

describe('a secret', () => {
  it.each<[string, (value: string) => string]>([
    ['as it is', (value) => value],
    ['in JSON', (value) => JSON.stringify({ value })],
    ['in JSON inside JSON', (value) => JSON.stringify(JSON.stringify({ value }))],
    ['in JSON three deep', (value) => JSON.stringify(JSON.stringify(JSON.stringify({ value })))],
    ['in JSON with escaped slashes', (value) => JSON.stringify(value).replaceAll('/', '\\/')],
    ['in JSON of ASCII only', (value) => JSON.stringify(value).replaceAll('ä', '\\u00e4')],
    ['in the path of an address', (value) => `https://x.example/${encodeURIComponent(value)}/y`],
    ['in an address as a whole', (value) => encodeURI(`https://x.example/${value}`)],
    ['in an address with small letters', (value) => lower(`https://x.example/?q=${encodeURIComponent(value)}`)],
    ['in a form', (value) => new URLSearchParams({ value }).toString()],
    ['in base64', base64],
    ['in base64 behind one byte', (value) => base64(`:${value}`)],
    ['in base64 behind two bytes', (value) => base64(`a:${value}`)],
    ['in base64 between others', (value) => base64(`user:${value} and more`)],
    ['in base64 for addresses', (value) => Buffer.from(`ÿ?${value}`).toString('base64url')],
    ['in the header of a simple sign-in', (value) => `Authorization: Basic ${base64(`someone:${value}`)}`],
  ])('is hidden %s', (_, spell) => {
    for (const value of [secret, token]) {
      const hidden = hider(value)(`before ${spell(value)} after`);
      expect(hidden).toContain('‹TOKEN›');
      expect(hidden.startsWith('before ')).toBe(true);
      expect(hidden.endsWith(' after')).toBe(true);
      // Not eight characters of any spelling are left.
      for (const spelling of spellSecret(value))
        for (let at = 0; at + 8 <= spelling.length; at++)
          expect(hidden.includes(spelling.slice(at, at + 8))).toBe(false);
    }
  });

  it.each([
    ['plainly', token.slice(0, 20)],
    ['in base64', base64(`me:${token}`).slice(0, 30)],
  ])('is hidden %s when only its beginning is left, because the text was cut', (_, cut) => {
    const hidden = hider(token)(`it said ${cut}… and more`);
    expect(hidden).toMatch(/^it said .{0,6}‹TOKEN›… and more$/);
  });

  it('is shown by the name of the longer one when it is part of another', () => {
    const redactor = createRedactor();
    redactor.learn('SHORT', 'swordfish');
    redactor.learn('LONG', 'swordfish-9876');
    expect(redactor.hide('swordfish-9876 swordfish')).toBe('‹LONG› ‹SHORT›');
  });

  it('may have a name that means something to replacement', () => {
    const redactor = createRedactor();
    redactor.learn('$&', 'swordfish');
    expect(redactor.hide('a swordfish')).toBe('a ‹$&›');
  });

  it('that is no well-formed text is no trouble', () => {
    expect(hider('abc\ud800defgh')('abc\ud800defgh')).toBe('‹TOKEN›');
  });

  it('that is too short is left alone, however it is spelled', () => {
    expect(hider('12345')(`12345 ${base64('12345')}`)).toBe(`12345 ${base64('12345')}`);
  });

  it('has a bounded number of spellings, and a very long one few', () => {
    expect(spellSecret('"/ä'.repeat(100)).size).toBeLessThan(30);
    expect(spellSecret('x'.repeat(1_000_000)).size).toBe(1);
  });

  it('of a key is hidden line by line', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAoIB\n';
    expect(hider(key)('read MIIEvQIBADANBgkqhkiG9w0 and failed')).toBe('read ‹TOKEN› and failed');
  });
});
