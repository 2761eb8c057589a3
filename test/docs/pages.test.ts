import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../src/base/errors/errors.ts';
import { exists, findAnchors, findLinks, findPaths, getSection, readPage, writtenPages } from './pages.ts';

const pages = writtenPages();

describe('the documents', () => {
  it('are all there', () => {
    const expected = ['README', 'ARCHITECTURE', 'CONTRIBUTING', 'SECURITY', 'CHANGELOG'].map((name) => `${name}.md`);
    expect(pages).toEqual(expect.arrayContaining([...expected, 'docs/guide.md']));
    expect(exists('LICENSE')).toBe(true);
  });

  it.each(pages)('%s links only to what exists', (page) => {
    const broken = findLinks(readPage(page)).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      return !exists(target) || (anchor !== undefined && !findAnchors(readPage(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it.each(pages)('%s names only paths that exist', (page) => {
    expect(findPaths(readPage(page)).filter((path) => !exists(path))).toEqual([]);
  });

  it.each(pages)('%s names only error codes that there are', (page) => {
    const codes = readPage(page).match(/\bWB\d{4}\b/g) ?? [];
    expect(codes.filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
  });

  it('say in every row of ARCHITECTURE where to change something and what holds it', () => {
    const rows = getSection(readPage('ARCHITECTURE.md'), 'Where do I change…')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1);
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const [, , where = '', heldBy = ''] = row.split('|');
      expect(findPaths(where).length, row).toBeGreaterThan(0);
      expect(findPaths(heldBy).length, row).toBeGreaterThan(0);
    }
  });

  it.each(pages.filter((page) => page.startsWith('docs/decisions/')))(
    '%s says why, what, and what was given up, in at most 40 lines',
    (page) => {
      const text = readPage(page);
      expect(text.split('\n').length).toBeLessThanOrEqual(41);
      for (const heading of ['Context', 'Decision', 'What was given up']) getSection(text, heading);
    },
  );
});
