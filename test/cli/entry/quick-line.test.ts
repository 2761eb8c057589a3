import { describe, expect, it } from 'vitest';
import { parseArgs } from '../../../src/cli/args/args.ts';
import { parseQuickLine } from '../../../src/cli/entry/quick-line.ts';

describe('the quick reading of a command line', () => {
  it.each([
    [['attach']],
    [['attach', '--config', 'a b.json']],
    [['attach', '--config=a=b.json', '--mode', 'flat']],
    [['attach', '--mode=meta', '--separator', '__', '--name', 'mine', '--version', '1.2']],
    [['attach', '--separator=', '-q']],
    [['attach', '--config', 'one', '--quiet', '--config', 'two']],
    [['attach', '--name', 'serve', '--version=serve']],
  ])('of %j is that of the program', (argv) => {
    const args = parseArgs(argv);
    const flags = (['config', 'mode', 'separator', 'name', 'version'] as const).flatMap((flag) => {
      const value = args.text(flag);
      return value === undefined ? [] : [[flag, value]];
    });
    expect(args.command).toBe('attach');
    expect(parseQuickLine(argv)).toEqual({ ...Object.fromEntries(flags), quiet: args.has('quiet') });
  });

  it.each([
    [['list']],
    [['serve']],
    [['serve', '--config', 'a b.json', '--mode=dynamic']],
    [[]],
    [['--config', 'x', '--quiet']],
    [['--name', 'attach']],
    [['']],
    [['help', 'serve']],
    [['--config', 'x', 'attach']],
    [['--config', 'x', 'serve']],
    [['attach', 'more']],
    [['serve', 'more']],
    [['attach', '--help']],
    [['attach', '--version']],
    [['--version']],
    [['attach', '--version', 'serve']],
    [['attach', '--config']],
    [['attach', '--config', '--mode']],
    [['attach', '--mode', 'sideways']],
    [['attach', '--quiet=yes']],
    [['attach', '--http']],
    [['serve', '--http=0']],
    [['serve', '--stdio']],
    [['attach', '--debug']],
    [['attach', '--idle-ms', '10']],
    [['attach', '--']],
    [['attach', '--constructor', 'x']],
  ])('leaves %j to the program', (argv) => {
    expect(parseQuickLine(argv)).toBeUndefined();
  });
});
