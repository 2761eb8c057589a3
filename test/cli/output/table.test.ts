import { describe, expect, it } from 'vitest';
import { type Column, type Row, toTable } from '../../../src/cli/output/table.ts';
import { cutToWidth, textWidth } from '../../../src/cli/output/text-width.ts';

const columns: Column[] = [
  { title: 'NAME', flexible: true },
  { title: 'TOOLS', align: 'right' },
  { title: 'TOOLBOXES', flexible: true },
];
const rows: Row[] = [
  { mark: '✓', cells: ['github', '38', 'code'] },
  { mark: '✗', cells: ['日本語', '–', 'a rather long list of toolboxes that goes on and on, and on'] },
];

describe('a table', () => {
  it('is as wide as its content where there is room', () => {
    expect(toTable({ columns, rows, width: Number.POSITIVE_INFINITY }).join('\n')).toMatchInlineSnapshot(`
      "  NAME    TOOLS  TOOLBOXES
      ✓ github     38  code
      ✗ 日本語      –  a rather long list of toolboxes that goes on and on, and on"
    `);
  });

  it('cuts its flexible columns in a narrower terminal', () => {
    const lines = toTable({ columns, rows, width: 60 });
    expect(Math.max(...lines.map(textWidth))).toBe(60);
    expect(lines[2]).toMatch(/…$/);
  });

  it.each([59, 20])('becomes lines of name and value at %i columns', (width) => {
    expect(toTable({ columns, rows: rows.slice(0, 1), width })).toEqual([
      '✓ github',
      '  tools: 38',
      '  toolboxes: code',
    ]);
  });

  it('becomes lines when even cut columns do not fit', () => {
    const rigid = columns.map(({ title }) => ({ title }));
    expect(toTable({ columns: rigid, rows, width: 60 })[0]).toBe('✓ github');
  });

  it('paints its marks after measuring', () => {
    const [, line] = toTable({
      columns,
      rows: [{ mark: '✓', paintMark: (mark) => `<${mark}>`, cells: ['a', '1', 'b'] }],
      width: 80,
    });
    expect(line).toBe('<✓> a         1  b');
  });
});

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['🚀', 2],
    ['', 0],
  ])('%j is %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it.each([
    ['abcdef', 4, 'abc…'],
    ['abcd', 4, 'abcd'],
    ['日本語', 4, '日…'],
  ])('%j cut to %i is %j', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
  });
});
