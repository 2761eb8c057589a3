import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { errorTable, toFixFor, WorkbenchError } from '../../../src/base/errors/errors.ts';
import {
  configured,
  fillCommands,
  type OwnProgram,
  stateOwnProgram,
  toCommandLine,
} from '../../../src/base/text/own-command.ts';
import { quoteWord } from '../../../src/base/text/quote-word.ts';
import { parseArgs } from '../../../src/cli/args/args.ts';
import { commandNames, commandTable } from '../../../src/cli/args/command-table.ts';

const hostile = [
  'plain',
  'two words',
  '$(touch pwned)',
  '`touch pwned`',
  "it's",
  `both ' and "`,
  '; rm -rf .',
  'a\nb',
  "tab\tand 'quote'",
  '\\',
  'back\\slash',
  '\u202eevil',
  '"; calc & "',
  '%PATH%',
  '!history',
  'ä ö',
  '~',
  '*',
  '#x',
  '',
];
const shells = ['/bin/sh', '/bin/bash', '/bin/zsh', '/bin/dash'].filter((path) => existsSync(path));

describe('a word for a shell', () => {
  it.each(hostile)('of Linux and macOS is taken as it is: %j', (word) => {
    for (const platform of ['linux', 'darwin'] as const) {
      const quoted = quoteWord(word, platform) ?? '';
      expect(quoted).not.toMatch(/[\n\t\u202e]/);
      // What cannot be seen is written in a form that only some shells know; none runs anything of it.
      const knows = !quoted.startsWith('$') || existsSync('/bin/bash');
      for (const shell of quoted.startsWith('$') ? shells.filter((path) => path.endsWith('bash')) : shells)
        if (knows) expect(execFileSync(shell, ['-c', `printf %s ${quoted}`], { encoding: 'utf8' })).toBe(word);
    }
  });

  it.each(shells)('is never more than one word, and never run, by %s', (shell) => {
    for (const word of hostile) {
      const count = `set -- ${quoteWord(word, 'linux')}; printf %s $#`;
      expect(execFileSync(shell, ['-c', count], { encoding: 'utf8' })).toBe('1');
    }
    expect(existsSync('pwned')).toBe(false);
  });

  it.each([
    ['plain', 'plain'],
    ['C:\\Users\\me\\file.json', 'C:\\Users\\me\\file.json'],
    ['C:\\My Files\\', '"C:\\My Files\\\\"'],
    ['a & calc', '"a & calc"'],
    ["it's", '"it\'s"'],
    ['~', '"~"'],
    ['', '""'],
    ['$(calc)', undefined],
    ['`calc`', undefined],
    ['%PATH%', undefined],
    ['"; calc', undefined],
    ['\u201d; calc', undefined],
    ['a\nb', undefined],
  ])('of Windows is what PowerShell and cmd.exe both take, or nothing: %j', (word, quoted) => {
    expect(quoteWord(word, 'win32')).toBe(quoted);
  });
});

describe('a command of ours', () => {
  const program: OwnProgram = { program: () => ['mcp-workbench'], platform: 'linux' };

  it.each<[Partial<OwnProgram>, string[], string[], string]>([
    [{}, ['check'], ['git'], 'mcp-workbench check git'],
    [{}, ['check'], ['-rf'], 'mcp-workbench check -- -rf'],
    [{ config: '/a b/w.json' }, ['check'], ['git'], "mcp-workbench check --config '/a b/w.json' git"],
    [{ config: '/w.json' }, ['auth', 'login'], ['x y'], "mcp-workbench auth login --config /w.json 'x y'"],
    [{ config: '/w.json' }, ['ps'], [], 'mcp-workbench ps'],
    [{ config: '/w.json' }, ['--help'], [], 'mcp-workbench --help'],
    [{ program: () => ['node', '/o p/x.cjs'] }, ['tools'], [], "node '/o p/x.cjs' tools"],
    [{ platform: 'win32', program: () => ['node', 'C:\\x.cjs'] }, ['check'], ['$(calc)'], 'node C:\\x.cjs check'],
    [
      { platform: 'win32', program: () => ['C:\\a b\\node.exe', 'C:\\x.cjs'] },
      ['ps'],
      [],
      '& "C:\\a b\\node.exe" C:\\x.cjs ps',
    ],
  ])('with %j is written so that it can be pasted', (own, words, names, line) => {
    expect(toCommandLine({ ...program, ...own }, words, names)).toBe(line);
  });

  it('names the configuration with exactly the commands that take one', () => {
    const takers = commandNames.filter((name) => (commandTable[name].flags as readonly string[]).includes('config'));
    expect([...configured].sort()).toEqual([...takers].sort());
  });
});

describe('the advice of the error table', () => {
  afterEach(() => stateOwnProgram({ program: () => ['mcp-workbench'], config: undefined }));

  it.each(Object.entries(errorTable).filter(([, { fix }]) => fix.includes('mcp-workbench ')))(
    'of %s ends with a command that the program understands',
    (_, { fix }) => {
      const command = /mcp-workbench (.*)$/.exec(fillCommands(fix, 'git'))?.[1] ?? '';
      expect(() => parseArgs(command.split(' '))).not.toThrow();
      expect(command).not.toMatch(/[<>.]/);
    },
  );

  it('names the server, the configuration and the program of this very case', () => {
    stateOwnProgram({ program: () => ['node', '/x.cjs'], config: '/w.json' });
    const error = new WorkbenchError('WB1018', 'down', { server: '$(x)' });
    expect(error.fix).toContain("node /x.cjs check --config /w.json '$(x)'");
    expect(new WorkbenchError('WB1018', 'down').fix).toMatch(/node \/x.cjs check --config \/w.json$/);
  });

  it('gets its server from who knows it, and own advice is left alone', () => {
    expect(toFixFor('git', new WorkbenchError('WB1202', 'no'))).toBe('Try again: mcp-workbench auth login git');
    expect(toFixFor('git', new WorkbenchError('WB1202', 'no', { fix: 'Wait.' }))).toBe('Wait.');
  });
});
