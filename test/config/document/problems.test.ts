import { describe, expect, it } from 'vitest';
import { renderProblems } from '../../../src/config/document/code-frame.ts';
import { failure, parse, spots } from '../support.ts';

describe('a file with many mistakes', () => {
  const text = `{
  "mode": "metta",
  "maxNameLength": 8,
  "separator": "a b",
  "mcpServers": {
    "files": { "command": "npx", "enviroment": { "ROOT": "." } },
    "both": { "command": "x", "url": "https://example.com" },
    "vars": { "command": "x", "args": ["--key", "\${NOT_SET}"] },
    "twice": { "command": "x", "command": "y" },
    "typed": { "command": "x", "args": "oops" }
  },
  "toolboxes": {
    "my box": { "servers": ["fils"] },
    "ok": { "mcpServers": { "none": {} } }
  }
}
`;
  const error = failure(text);

  it('reports all of them at once, each with its line and column', () => {
    expect(spots(error, text)).toEqual([
      ['WB1405', 2, 11],
      ['WB1405', 3, 20],
      ['WB1409', 4, 16],
      ['WB1401', 6, 34],
      ['WB1405', 7, 31],
      ['WB1102', 8, 50],
      ['WB1405', 9, 32],
      ['WB1405', 10, 40],
      ['WB1406', 13, 5],
      ['WB1408', 13, 29],
      ['WB1405', 14, 29],
    ]);
    for (const [code, line, column] of spots(error, text)) {
      expect(error.message).toContain(`/project/workbench.jsonc:${line}:${column}  `);
      expect(error.message).toContain(`  ${code}`);
    }
  });

  it('carries the code of the first and prints no stack', () => {
    expect(error.code).toBe('WB1405');
    expect(error.message).not.toContain('    at ');
  });

  it('shows the lines, carets below the place, the message, the fix and the code', () => {
    expect(error.message).toContain(
      `✖ /project/workbench.jsonc:6:34  unknown key "enviroment" in server "files" – did you mean "env"?
   5 |   "mcpServers": {
 > 6 |     "files": { "command": "npx", "enviroment": { "ROOT": "." } },
     |                                  ^^^^^^^^^^^^
  Fix  Write "env" instead of "enviroment".
  WB1401`,
    );
  });

  it.each([
    { type: 'ws', url: 'https://x/' },
    { transport: 'ws', url: 'https://x/' },
    { transport: 3, command: 'x' },
  ])('says once what is wrong with %j', (entry) => {
    expect(failure({ mcpServers: { a: entry } }).problems).toHaveLength(1);
  });

  it('does not take a key of five letters for another that differs in two', () => {
    expect(parse({ mcpServers: { a: { command: 'x', roofs: [] } } }).notes.map(({ code }) => code)).toEqual(['WB1402']);
  });

  it('explains a whole command line in "command", without showing a secret', () => {
    const { notes } = parse({ mcpServers: { a: { command: 'npx -y @scope/server --api-key hidden1234' } } });
    expect(notes).toMatchObject([
      {
        code: 'WB1405',
        path: 'mcpServers.a.command',
        message: 'the "command" of server "a" is a whole command line; only the program belongs there',
        fix: 'Write "command": "npx", "args": ["-y", "@scope/server", "--api-key", "•••"].',
      },
    ]);
  });

  it.each(['C:\\Program Files\\node.exe', './my server', '/opt/my app/run', '${NODE} server.js'])(
    'takes %s for the path of a program',
    (command) => {
      expect(parse({ mcpServers: { a: { command } } }, { env: { NODE: 'node' } }).notes).toEqual([]);
    },
  );

  it('names both lines of a key that is given twice', () => {
    const twice = '{"mcpServers": {\n"a": {"command": "x"},\n"b": {"command": "x"},\n"a": {"command": "y"}}}';
    expect(failure(twice).message).toContain('the key "a" is given twice, in line 2 and in line 4');
    const inOneLine = '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}';
    expect(failure(inOneLine).message).toContain('is given twice, both times in line 1, in columns 17 and 40');
  });

  it('finds equal keys also where nobody else looks', () => {
    expect(failure('{"x-mine": [{"a": 1, "a": 2}], "mcpServers": {}}').code).toBe('WB1405');
  });
});

describe('a text that is no JSON', () => {
  it.each([
    ['', 1, 1, 'the file is empty'],
    [' \n', 1, 1, 'the file is empty'],
    ['// only a comment', 1, 18, 'a value is missing'],
    ['{"a": 1\n "b": 2}', 2, 2, 'a comma is missing before this'],
    ['{"a" 1}', 1, 6, 'a colon is missing before this'],
    ['{"a": }', 1, 7, 'a value is missing here'],
    ['{"a": [1, 2}', 1, 12, 'a comma is missing'],
    ['{"a": 1', 1, 8, 'a closing } is missing'],
    ['{"a": 1}\n}', 2, 1, 'this is left over'],
    ["{'a': 1}", 1, 2, 'double quotes'],
    ['{a: 1}', 1, 2, 'this is not valid JSON'],
    ['{"a": "x\n}', 1, 7, 'the closing quote of this string is missing'],
    ['{"a": "C:\\Users"}', 1, 7, 'write \\\\ for one backslash'],
    ['{ /* x', 1, 3, 'the end */ of this comment is missing'],
    ['mcpServers:\n  a:\n    command: x', 1, 1, 'this is not valid JSON'],
  ])('is refused at the place: %j', (text, line, column, message) => {
    const error = failure(text);
    expect(error.code).toBe('WB1403');
    expect(error.message).toContain(`:${line}:${column}  `);
    expect(error.message).toContain(message);
  });

  it('is reported once a line, however often the parser stumbles over it', () => {
    const text = "{'a': 1}\n\n]";
    expect(spots(failure(text), text)).toEqual([
      ['WB1403', 1, 2],
      ['WB1403', 3, 1],
    ]);
  });

  it.each([
    ['[]', 'a list'],
    ['"x"', 'a string'],
    ['null', 'null'],
    ['1', 'a number'],
  ])('or no object is refused: %s', (text, kind) => {
    const error = failure(text);
    expect(error.code).toBe('WB1405');
    expect(error.message).toContain(`not ${kind}`);
  });

  it.each([
    ['[', 5_000],
    ['{"a":', 5_000],
    ['[', 200_000],
  ])('with %s nested %i times is refused, not a crash', (open, times) => {
    const error = failure(`{"mcpServers": ${open.repeat(times)}`);
    expect(error.code).toBe('WB1403');
    expect(error.message).toContain('nested more than 100 levels deep');
  });

  it('may open any number of braces one after the other', () => {
    const servers = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`s${at}`, { command: 'x', args: ['y'] }]),
    );
    expect(parse(JSON.stringify({ mcpServers: servers })).servers.size).toBe(150);
  });

  it.each([100, 101])('is counted to the very level: %i', (levels) => {
    const text = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(failure(text).code).toBe(levels > 100 ? 'WB1403' : 'WB1405');
  });

  it('does not count braces in strings and comments', () => {
    const text = `{ /* ${'['.repeat(500)} */ "mcpServers": {"a": {"command": "${'{'.repeat(500)}"}}}`;
    expect(parse(text).servers.size).toBe(1);
  });
});

describe('the frame of a problem', () => {
  const problem = { code: 'WB1405', severity: 'error', message: 'wrong', path: 'a', fix: 'Do.' } as const;
  const frame = (text: string, offset: number, length: number) =>
    renderProblems([{ ...problem, offset, length }], { file: 'f', text });

  it('keeps carets in line behind tabs, wide characters and control characters', () => {
    expect(frame('\t"😀\u0007": bad', 8, 3).split('\n').slice(1, 3)).toEqual([
      ' > 1 |  "😀\\u{7}": bad',
      '     |            ^^^',
    ]);
  });

  it('shows a piece of an endless line', () => {
    const text = `${'a'.repeat(10_000)}BAD${'b'.repeat(10_000)}`;
    const [, line, carets] = frame(text, 10_000, 3).split('\n');
    expect(line).toMatch(/^ > 1 \| …a+BADb+…$/);
    expect(line!.length).toBeLessThan(120);
    expect(line!.slice(carets!.indexOf('^'), carets!.lastIndexOf('^') + 1)).toBe('BAD');
  });

  it('marks one character where there is nothing, as at the end of the text', () => {
    expect(frame('{\n', 2, 0)).toContain('f:2:1  wrong\n   1 | {\n > 2 |\n     | ^');
  });

  it('counts a line break to the line it ends', () => {
    expect(frame('a\nb', 1, 0)).toContain('f:1:2  wrong');
  });

  it('marks only the first line of something longer', () => {
    expect(frame(`${' '.repeat(60)}{\n${'x'.repeat(500)}}`, 60, 500)).toContain(`\n > 1 | ${' '.repeat(60)}{\n`);
    expect(frame('{"a": {\n1}}', 6, 4)).toContain('\n     |       ^\n');
  });

  it('ends after fifty of them with their number', () => {
    const many = Array.from({ length: 70 }, () => ({ ...problem, offset: 0, length: 1 }));
    const rendered = renderProblems(many, { file: 'f', text: 'x' });
    expect(rendered.split('✖')).toHaveLength(51);
    expect(rendered).toMatch(/\n\n… and 20 more$/);
  });

  it('is left out where there is no text', () => {
    expect(renderProblems([{ ...problem, offset: 0, length: 0 }], { file: 'f', text: undefined })).toBe(
      '✖ f a  wrong\n  Fix  Do.\n  WB1405',
    );
  });
});
