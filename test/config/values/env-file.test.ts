import { describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../src/config/values/env-file.ts';
import { failure, serverOf } from '../support.ts';

describe('an env file', () => {
  it.each([
    ['A=1', '1'],
    ['A=', ''],
    ['export A=1', '1'],
    ['  A = 1  ', '1'],
    ['A=a b', 'a b'],
    ['A=a # comment', 'a'],
    ['A=a#b', 'a#b'],
    ['A=#x', ''],
    ['A="a b" # comment', 'a b'],
    ['A="a\\nb\\t\\"c\\"\\\\"', 'a\nb\t"c"\\'],
    ["A='a\\nb'", 'a\\nb'],
    ['A="C:\\dir"', 'C:\\dir'],
    ['A=x=y', 'x=y'],
    ['A=${B}', '${B}'],
    ['\ufeffA=1', '1'],
  ])('reads %j as %j', (text, value) => {
    expect(parseEnvFile(text)).toEqual({ values: new Map([['A', value]]), badLines: [] });
  });

  it('takes any line ending, comments and empty lines, and the last of two equal names', () => {
    const { values, badLines } = parseEnvFile('# one\r\nA=1\r\n\r\nB=2\nA=3\r\n');
    expect([...values]).toEqual([
      ['A', '3'],
      ['B', '2'],
    ]);
    expect(badLines).toEqual([]);
  });

  it('gives the numbers of the lines that are wrong', () => {
    expect(parseEnvFile('A=1\nnonsense\n1A=2\n=x\nB="open\nC="x" y').badLines).toEqual([2, 3, 4, 5, 6]);
  });
});

const files = new Map([
  ['/project/.env', 'TOKEN=file-token\nBOTH=file'],
  ['/project/more.env', 'BOTH=more'],
  ['/home/ann/keys.env', 'HOME_KEY=h'],
  ['/project/bad.env', 'A=1\nsecret nonsense'],
]);
const readText = (path: string) => {
  const text = files.get(path);
  if (text === undefined) throw new Error('missing');
  return text;
};

describe('the key envFile', () => {
  it('is relative to the folder of the file, and env wins over it', () => {
    const { definition } = serverOf({ command: 'x', envFile: '.env', env: { BOTH: 'env' } }, { readText });
    expect(definition.transport).toMatchObject({ env: { TOKEN: 'file-token', BOTH: 'env' } });
  });

  it('takes a list whose later files win, and ~/ for home', () => {
    const envFile = ['.env', 'more.env', '~/keys.env'];
    const { definition } = serverOf({ command: 'x', envFile }, { readText });
    expect(definition.transport).toMatchObject({ env: { TOKEN: 'file-token', BOTH: 'more', HOME_KEY: 'h' } });
  });

  it('provides variables that the environment does not have', () => {
    const entry = { command: 'x', envFile: '.env', args: ['${TOKEN}', '${BOTH}'] };
    const { definition } = serverOf(entry, { readText, env: { BOTH: 'environment' } });
    expect(definition.transport).toMatchObject({ args: ['file-token', 'environment'] });
  });

  it('makes its values secrets', () => {
    const { config } = serverOf({ command: 'x', envFile: '.env' }, { readText });
    expect(config.secrets).toContainEqual({ name: 'TOKEN', value: 'file-token' });
  });

  it('that is missing is an error at its place', () => {
    const error = failure({ mcpServers: { a: { command: 'x', envFile: ['.env', 'no.env'] } } }, { readText });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1104']);
    expect(error.message).toContain('the envFile "no.env" does not exist');
  });

  it('with a bad line is an error that gives its number, not its text', () => {
    const error = failure({ mcpServers: { a: { command: 'x', envFile: 'bad.env' } } }, { readText });
    expect(error.message).toContain('line 2 of the envFile "bad.env"');
    expect(error.message).not.toContain('nonsense');
  });

  it('is named as it is written, not with what a variable brought', () => {
    const entry = { command: 'x', envFile: '${DIR}/no.env' };
    const error = failure({ mcpServers: { a: entry } }, { readText, env: { DIR: '/very-secret' } });
    expect(error.message).toContain('${DIR}/no.env');
    expect(error.message).not.toContain('very-secret');
  });
});
