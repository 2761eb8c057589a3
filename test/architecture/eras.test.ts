import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../src');

/** Speak one era, or name them both for all others. */
const edges = ['edge.ts', 'legacy.ts', 'modern.ts'];
/** Find out which era a server speaks, or remember it between runs: before there is an edge that could be asked. */
const beforeTheEdge = ['negotiate.ts', 'connect.ts', 'connect-http.ts', 'server-quirks.ts', 'known.ts'];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/[^\n]*/g, '');
}

/** Whether a text names an era, compares one, or chooses by it. */
function branchesOnEra(text: string): boolean {
  return /(['"`])(?:legacy|modern)\1|\bera\b\s*[!=]==(?!\s*undefined)|[!=]==\s*[\w.]*\bera\b|\[[\w.]*\bera\]/.test(
    withoutComments(text),
  );
}

it('no file but the edges, and those that find out the era, branches on it', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const allowed = [...edges, ...beforeTheEdge];
  const found = files.filter((file) => branchesOnEra(readFileSync(join(source, file), 'utf8')));
  expect(found.filter((file) => !allowed.includes(basename(file))).map((file) => relative('.', file))).toEqual([]);
  // Whoever is allowed makes use of it; one that does not any more is taken off the list.
  expect(allowed.filter((name) => !found.some((file) => basename(file) === name))).toEqual([]);
});

it.each([
  ["if (edge.era === 'legacy') return;", true],
  ['const lane = grounds[era];', true],
  ['if (one.era !== other.era) return;', true],
  ['log.info(text, { era, version });', false],
  ["// Of 'legacy' servers only.", false],
])('what counts as branching on the era: %s', (text, expected) => {
  expect(branchesOnEra(text)).toBe(expected);
});
