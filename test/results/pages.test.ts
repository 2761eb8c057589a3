// @module-tag chance
import { describe, expect, it } from 'vitest';
import { HeldText } from '../../src/results/held-text.ts';
import { parseRange, readRange, toCharacters } from '../../src/results/read-range.ts';
import { randomText, withSeeds } from './chance.ts';

/** Lines with what ends them. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

describe('pages of a held text', () => {
  it('put together are the text, for any text, size of page and place to begin', () =>
    withSeeds(1_000, (random) => {
      const text = randomText(random);
      const held = new HeldText(text);
      const maxTokens = 1 + random.int(120);
      const first = random.oneIn(2) ? '1-' : 'chars 0-';
      let put = '';
      for (let range: string | undefined = first; range !== undefined; ) {
        const page = readRange(held, parseRange(range) ?? expect.fail(range), maxTokens);
        expect(page.from).toBe(put.length);
        expect(page.to - page.from).toBe(page.text.length);
        put += page.text;
        range = page.next;
      }
      expect(put).toBe(text);
    }));

  it('of a range of lines are exactly these lines', () =>
    withSeeds(3_000, (random) => {
      const text = randomText(random);
      const held = new HeldText(text);
      const lines = linesOf(text);
      expect(held.lines).toBe(lines.length);
      const from = 1 + random.int(lines.length + 3);
      const to = from + random.int(10);
      const wanted = lines.slice(from - 1, to).join('');
      const { text: shown, next } = readRange(held, { unit: 'lines', from, to }, 1_000_000);
      expect([shown, next]).toEqual([wanted, undefined]);
    }));

  it('of a range of characters are these characters, with whole characters at both ends', () =>
    withSeeds(3_000, (random) => {
      const text = randomText(random);
      const from = random.int(text.length + 3);
      const to = from + random.int(50);
      const { text: shown, from: start } = readRange(new HeldText(text), { unit: 'chars', from, to }, 1_000_000);
      expect(text.slice(start, start + shown.length)).toBe(shown);
      expect(shown).toContain(text.slice(from, to));
      expect(shown.length - text.slice(from, to).length).toBeLessThanOrEqual(2);
      const splits = (at: number) => /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1));
      expect([splits(start), splits(start + shown.length)]).toEqual([false, false]);
    }));

  it('know the line of every character', () =>
    withSeeds(100, (random) => {
      const text = randomText(random, 1_000);
      const held = new HeldText(text);
      for (let at = 0; at < text.length; at += 1 + random.int(40)) {
        const line = text.slice(0, at).split('\n').length - 1;
        expect(held.lineAt(at)).toBe(line);
        expect(held.startOf(line)).toBe(text.slice(0, at).lastIndexOf('\n') + 1);
      }
    }));

  it('find lines in a text of many lines', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`);
    const held = new HeldText(lines.join(''));
    for (const index of [0, 1, 255, 256, 257, 511, 512, 9_998, 9_999])
      expect(readRange(held, { unit: 'lines', from: index + 1, to: index + 1 }, 100).text).toBe(lines[index]);
  });
});

describe('a range', () => {
  it.each([
    ['1-200', { unit: 'lines', from: 1, to: 200 }],
    ['lines 5-7', { unit: 'lines', from: 5, to: 7 }],
    ['7', { unit: 'lines', from: 7, to: 7 }],
    ['0-3', { unit: 'lines', from: 1, to: 3 }],
    ['200-', { unit: 'lines', from: 200, to: undefined }],
    ['chars 0-20000', { unit: 'chars', from: 0, to: 20_000 }],
    ['characters 5..9', { unit: 'chars', from: 5, to: 9 }],
  ])('is understood: %s', (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  it.each(['', 'all', '5-3', '-5', '1-2-3', 'bytes 1-2', '1e3-2'])('is refused: %s', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  it('beyond the end is empty', () => {
    expect(toCharacters(new HeldText('a\nb'), { unit: 'lines', from: 9, to: 12 })).toEqual({ from: 3, to: 3 });
    expect(toCharacters(new HeldText(''), { unit: 'chars', from: 9, to: 12 })).toEqual({ from: 0, to: 0 });
  });
});
