import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/text/log.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';
import { readWordTables } from '../../../src/search/words/tables.ts';
import { findWordList } from '../../../src/search/words/word-list.ts';
import { tempDir } from '../../support/processes.ts';

const data = join(import.meta.dirname, '../../../data');
const files = ['words.bin', 'related.bin', 'vectors.bin'];

function copyTables(): string {
  const folder = join(tempDir(), 'data');
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(data, file), join(folder, file));
  return folder;
}

describe('the list of words', () => {
  it('finds every word at its own place', () => {
    const list = findWordList(data);
    expect(list?.count).toBeGreaterThan(20_000);
    const wrong = Array.from({ length: list?.count ?? 0 }, (_, id) => id).filter(
      (id) => list?.findId(list.getWord(id)) !== id,
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    '',
    'a',
    'zzzzzzzz',
    'qqxqq',
    '0',
    '~',
    'größe',
    'mail\n',
    'mail\nmail',
    'x'.repeat(100_000),
    'ℵ',
    '\u0000',
    'Email',
  ])('does not know %j', (word) => {
    expect(findWordList(data)?.findId(word)).toBe(-1);
  });
});

describe('related words', () => {
  const { related } = readWordTables(data);
  const find = (word: string) => (related?.find(word) ?? []).map(({ word: other, kind }) => `${kind} ${other}`);

  it('are synonyms, derived words and words for the kind, synonyms first', () => {
    expect(find('buy')).toEqual(expect.arrayContaining(['synonym purchase', 'derived buyer', 'hypernym get']));
    const kinds = find('buy').map((text) => text.split(' ')[0]);
    expect(kinds).toEqual([...kinds].sort((a, b) => 'sdh'.indexOf(a?.[0] ?? '') - 'sdh'.indexOf(b?.[0] ?? '')));
  });

  it('are found by an inflected form, which also has its base form', () => {
    for (const [form, base] of [
      ['lawyers', 'lawyer'],
      ['bought', 'buy'],
      ['submitted', 'submit'],
      ['children', 'child'],
    ] as const) {
      expect(find(form)[0]).toBe(`synonym ${base}`);
      expect(find(form).slice(1)).toEqual(find(base));
    }
  });

  it('are few, single words in lower case, and never the word itself', () => {
    const list = findWordList(data);
    for (let id = 0; id < (list?.count ?? 0); id += 97) {
      const word = list?.getWord(id) ?? '';
      const found = related?.find(word) ?? [];
      expect(found.length).toBeLessThanOrEqual(32);
      for (const other of found) expect(other.word).toMatch(/^[a-z][a-z0-9]+$/);
      expect(found.map((other) => other.word)).not.toContain(word);
    }
  });

  it('are none for a word that is not known', () => {
    expect(find('qqxqq')).toEqual([]);
  });
});

describe('word vectors', () => {
  const { vectors } = readWordTables(data);
  const cosine = (a: string, b: string) => {
    if (vectors === undefined) return Number.NaN;
    const [x, y] = [vectors.findRow(a) * vectors.dimensions, vectors.findRow(b) * vectors.dimensions];
    let sum = 0;
    for (let at = 0; at < vectors.dimensions; at++)
      sum += (vectors.values[x + at] ?? 0) * (vectors.values[y + at] ?? 0);
    return sum / 127 ** 2;
  };

  it('are nearer for words that are used alike', () => {
    expect(cosine('email', 'message')).toBeGreaterThan(cosine('email', 'weather') + 0.2);
    expect(cosine('lawyer', 'attorney')).toBeGreaterThan(0.7);
  });

  it('have length one, as far as a byte can say', () => {
    for (const word of ['email', 'weather', 'lawyer', 'the', 'github']) expect(cosine(word, word)).toBeCloseTo(1, 1);
  });

  it('count rare words for more than frequent ones', () => {
    const weigh = (word: string) => vectors?.weigh(vectors.findRow(word)) ?? Number.NaN;
    expect(weigh('the')).toBeLessThan(0.1);
    expect(weigh('city')).toBeGreaterThan(weigh('the'));
    expect(weigh('recipe')).toBeGreaterThan(0.95);
  });
});

describe('tables that cannot be used', () => {
  const logged = (folder: string) => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', redactor: createRedactor(), write: (line) => lines.push(line) });
    return { tables: readWordTables(folder, log), lines };
  };

  it('are whole in the repository, and nothing is logged', () => {
    const { tables, lines } = logged(data);
    expect(Object.keys(tables)).toEqual(['related', 'vectors']);
    expect(lines).toEqual([]);
  });

  it('are left out when the folder is missing, with one line in the log', () => {
    const { tables, lines } = logged(join(tempDir(), 'missing'));
    expect(tables).toEqual({});
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"level":"debug"');
  });

  it.each(files)('are left out when %s is damaged, cut off, empty, or of another version', (file) => {
    const kept = (change: (path: string) => void) => {
      const folder = copyTables();
      change(join(folder, file));
      return Object.keys(logged(folder).tables);
    };
    const rest = { 'words.bin': [], 'related.bin': ['vectors'], 'vectors.bin': ['related'] }[file];
    const change = (at: number) => (path: string) => {
      const bytes = readFileSync(path);
      bytes[at] = (bytes[at] ?? 0) ^ 0x40;
      writeFileSync(path, bytes);
    };
    for (const at of [0, 5, 9, 40_000]) expect(kept(change(at))).toEqual(rest);
    for (const length of [0, 7, 8, 60_000]) expect(kept((path) => truncateSync(path, length))).toEqual(rest);
  });
});
