// @module-tag chance
import { describe, expect, it } from 'vitest';
import { grep } from '../../src/results/grep.ts';
import { HeldText } from '../../src/results/held-text.ts';
import { parsePattern } from '../../src/results/pattern-syntax.ts';
import { type Random, withSeeds } from './chance.ts';

const everything = 10_000_000;

async function matchedLines(text: string, pattern: string): Promise<number[]> {
  const held = new HeldText(text);
  const found = await grep(held, { pattern, from: 0, to: held.lines, maxTokens: everything });
  expect(found.shown).toBe(found.matches);
  const rows = found.text.split('\n').flatMap((row) => /^(\d+)[:@]/.exec(row)?.[1] ?? []);
  return [...new Set(rows.map(Number))];
}

/** What a plain search with the engine of the language finds. */
function naive(text: string, pattern: string): number[] {
  const letters = pattern.replace(/\\./g, '');
  const expression = new RegExp(pattern, letters === letters.toLowerCase() ? 'i' : '');
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (text.endsWith('\n') || text === '') lines.pop();
  return lines.flatMap((line, index) => (expression.test(line) ? [index + 1] : []));
}

function randomPattern(random: Random, depth = 3): string {
  const atoms = [
    'a',
    'b',
    'c',
    'A',
    'é',
    '漢',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\W',
    '\\b',
    '\\B',
    '^',
    '$',
    '[ab]',
    '[^a]',
    '[a-c7]',
    '[^\\d]',
    '\\.',
    'ab',
    '',
  ];
  const one = (): string => {
    if (depth > 0 && random.oneIn(4)) return `(?:${randomPattern(random, depth - 1)})`;
    return random.pick(atoms);
  };
  const repeated = (): string => {
    const atom = one();
    const isAssertion = /^(\^|\$|\\b|\\B)?$/i.test(atom);
    return random.oneIn(3) && !isAssertion
      ? `${atom.length > 1 && !/^[[\\(]/.test(atom) ? `(${atom})` : atom}${random.pick(['*', '+', '?', '{2}', '{1,3}', '{0,}', '*?'])}`
      : atom;
  };
  const sequence = () => Array.from({ length: 1 + random.int(4) }, repeated).join('');
  return Array.from({ length: random.oneIn(4) ? 2 : 1 }, sequence).join('|');
}

const characters = ['a', 'b', 'c', 'A', 'B', '7', ' ', '.', '_', 'é', 'É', '漢', '🚀'];

describe('grep', () => {
  it('finds exactly the lines that the engine of the language finds', () =>
    withSeeds(5_000, async (random) => {
      const pattern = randomPattern(random);
      const line = () => Array.from({ length: random.int(8) }, () => random.pick(characters)).join('');
      const text =
        Array.from({ length: random.int(12) }, line).join(random.pick(['\n', '\r\n'])) + random.pick(['', '\n']);
      if (pattern === '') return;
      expect(parsePattern(pattern, false), pattern).toBeDefined();
      expect(await matchedLines(text, pattern), JSON.stringify([pattern, text])).toEqual(naive(text, pattern));
    }));

  it.each(['C++', 'foo(', '[ERROR', '*', 'a{2,1}', '(?=x)', '\\1', '(?<n>a)', 'x**', '\\'])(
    'looks for what is not a pattern here as it is written: %s',
    async (pattern) => {
      const text = `nothing\nbefore ${pattern} after\n`;
      const held = new HeldText(text);
      const found = await grep(held, { pattern, from: 0, to: 2, maxTokens: everything });
      expect([found.matches, found.literal]).toEqual([1, true]);
      expect(found.text).toContain(`2:before ${pattern} after`);
    },
  );

  it('takes time that grows with the text only, for patterns that ruin other engines', async () => {
    const text = `${'a'.repeat(200_000)}!\n`;
    for (const pattern of ['(a*)*b', '(a|a)*b', '(a|aa)+$', '(.*)(.*)(.*)(.*)x', 'a{0,100}a{0,100}b'])
      expect(await matchedLines(text, pattern)).toEqual([]);
  });

  it('shows matches with their lines around them, and says where to go on', async () => {
    const held = new HeldText(
      Array.from({ length: 1_000 }, (_, index) => `line ${index + 1}${index % 100 === 49 ? ' error' : ''}`).join('\n'),
    );
    const all = await grep(held, { pattern: 'error', from: 0, to: held.lines, maxTokens: everything });
    expect(all.matches).toBe(10);
    expect(all.text.split('\n').slice(0, 5)).toEqual([
      '49-line 49',
      '50:line 50 error',
      '51-line 51',
      '--',
      '149-line 149',
    ]);
    const some = await grep(held, { pattern: 'error', from: 0, to: held.lines, maxTokens: 40 });
    expect(some.shown).toBeLessThan(10);
    expect(some.matches).toBe(10);
    expect(some.next).toBe(50 + 100 * some.shown);
  });

  it('shows the surroundings of matches in a long line, with the place of each', async () => {
    const text = `${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}needle`;
    const held = new HeldText(text);
    const { text: shown, matches } = await grep(held, { pattern: 'needle', from: 0, to: 1, maxTokens: everything });
    expect(matches).toBe(1);
    const places = [...shown.matchAll(/^1@(\d+):…?([^…]+)/gm)].map(([, at, part]) => [Number(at), part] as const);
    expect(places).toHaveLength(2);
    for (const [at, part] of places) expect(text.slice(at, at + String(part).length)).toBe(part);
  });
});
