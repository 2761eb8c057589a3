import { describe, expect, it } from 'vitest';
import { withoutHidden, withoutHiddenInName } from '../../../src/base/text/hidden.ts';
import { toPrintable } from '../../../src/base/text/printable.ts';

const hidden: [string, string][] = [
  ['zero width space', '\u200b'],
  ['zero width joiner', '\u200d'],
  ['zero width non-joiner', '\u200c'],
  ['word joiner', '\u2060'],
  ['byte order mark', '\ufeff'],
  ['soft hyphen', '\u00ad'],
  ['right-to-left override', '\u202e'],
  ['right-to-left isolate', '\u2067'],
  ['Arabic letter mark', '\u061c'],
  ['tag letter', '\u{e0041}'],
  ['variation selector', '\ufe0f'],
  ['variation selector 17', '\u{e0100}'],
  ['Hangul filler', '\u3164'],
  ['NUL', '\0'],
  ['escape', '\u001b'],
  ['a control of the second block', '\u009b'],
  ['delete', '\u007f'],
  ['lone carriage return', '\r'],
  ['half of a pair', '\ud83d'],
  ['line separator', '\u2028'],
];

describe('hidden characters', () => {
  it.each(hidden)('like %s are taken out of texts and names, and shown as codes where we print', (_, character) => {
    const text = `a${character}b`;
    expect(withoutHidden(text)).toBe('ab');
    expect(withoutHiddenInName(text)).toBe('ab');
    expect(toPrintable(text)).toMatch(/^a(?: |\\u\{[0-9a-f]+\})b$/);
  });

  it.each([
    ['a family', '👩‍👩‍👧‍👦'],
    ['a heart with a selector', '❤️'],
    ['a flag of joined parts', '🏳️‍🌈'],
    ['a skin tone before a joiner', '👩🏽‍💻'],
    ['a heart on fire', '❤️‍🔥'],
    ['a key cap', '1️⃣'],
    ['two letters of a flag', '🇩🇪'],
  ])('are not what holds %s together', (_, emoji) => {
    for (const change of [withoutHidden, withoutHiddenInName, (text: string) => toPrintable(text)])
      expect(change(`so ${emoji} it is`)).toBe(`so ${emoji} it is`);
  });

  it('that hide behind an emoji are taken out all the same', () => {
    expect(withoutHidden('😀\u200d\u200bx\u{e0041}🏴\u{e0067}\u{e007f}')).toBe('😀x🏴');
    expect(withoutHidden('1\u200d2')).toBe('12');
  });

  it('are not the lines and tabs of a text, but those of a name', () => {
    expect(withoutHidden('a\n\tb\r\nc')).toBe('a\n\tb\r\nc');
    expect(withoutHiddenInName('a\n\tb\r\nc')).toBe('abc');
    expect(toPrintable('a\r\nb')).toBe('a  b');
  });

  it('are not signs of scripts that can be seen', () => {
    const signs = '\u0600\u06dd\u{110bd}é漢字עברית';
    expect(withoutHidden(signs)).toBe(signs);
  });

  it('cost no more time in long texts than in short ones', () => {
    expect(withoutHidden('👩\u200d'.repeat(200_000))).toBe(`👩${'\u200d👩'.repeat(199_999)}`);
    expect(withoutHidden('\u200b'.repeat(1_000_000))).toBe('');
  });
});
