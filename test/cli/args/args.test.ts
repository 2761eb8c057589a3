import { describe, expect, it } from 'vitest';
import { parseArgs, wantsJson } from '../../../src/cli/args/args.ts';
import { WorkbenchError } from '../../../src/index.ts';

function refusal(argv: string[]): { code: string; message: string; fix: string } {
  try {
    parseArgs(argv);
  } catch (error) {
    if (error instanceof WorkbenchError) return { code: error.code, message: error.message, fix: error.fix };
    throw error;
  }
  throw new Error('was accepted');
}

describe('the command line', () => {
  it.each([
    [[], undefined, []],
    [['list'], 'list', []],
    [['ls'], 'list', []],
    [['--config', 'x.json', 'list'], 'list', []],
    [['call', 'a.b', 'k=v', 'n:=1'], 'call', ['a.b', 'k=v', 'n:=1']],
    [['call', 'a.b', '--', '--json', '-x=1'], 'call', ['a.b', '--json', '-x=1']],
    [['--', 'list'], 'list', []],
  ])('of %j means command %s with %j', (argv, command, positionals) => {
    const args = parseArgs(argv);
    expect([args.command, args.positionals]).toEqual([command, positionals]);
  });

  it.each([
    [['--config', 'a b.json'], 'config', 'a b.json'],
    [['--config=a=b.json'], 'config', 'a=b.json'],
    [['--separator', '--'], 'separator', '--'],
    [['--separator', '->'], 'separator', '->'],
    [['--separator='], 'separator', ''],
    [['--mode', 'flat'], 'mode', 'flat'],
    [['--mode', 'flat', '--mode=meta'], 'mode', 'meta'],
    [['call', 'a.b', '--args', '-'], 'args', '-'],
    [['--version', '1.2.3'], 'version', '1.2.3'],
    [['--version=serve'], 'version', 'serve'],
  ] as const)('of %j gives --%s the value %j', (argv, flag, value) => {
    expect(parseArgs(argv).text(flag)).toBe(value);
  });

  it.each([[['--version']], [['--version', 'serve']], [['--version', '--debug']], [['list', '--version']]])(
    'of %j asks for our own version',
    (argv) => {
      const args = parseArgs(argv);
      expect([args.has('version'), args.text('version')]).toEqual([true, undefined]);
    },
  );

  it.each([
    ['-q', 'quiet'],
    ['-h', 'help'],
    ['--no-color', 'no-color'],
    ['--debug', 'debug'],
  ] as const)('takes %s as the switch %s', (word, flag) => {
    expect(parseArgs([word]).has(flag)).toBe(true);
  });

  it.each([
    [['lsit'], '"lsit" is not a command.', 'Did you mean: mcp-workbench list'],
    [
      ['constructor'],
      '"constructor" is not a command.',
      'Commands: serve, attach, daemon, list, tools, search, tokens, call, check, config, auth, ps, stop, demo, help.',
    ],
    [['--confg', 'x'], '"--confg" is not a flag.', 'Did you mean: --config'],
    [['-z'], '"-z" is not a flag.', 'See mcp-workbench --help'],
    [['--__proto__'], '"--__proto__" is not a flag.', 'See mcp-workbench --help'],
    [['--config'], '--config needs a value.', 'Write --config PATH or --config=PATH.'],
    [['--config', '--debug'], '--config needs a value.', 'Write --config PATH or --config=PATH.'],
    [['--debug=yes'], '--debug takes no value.', 'Write only --debug.'],
    [['--mode', 'fast'], '--mode: "fast" is not a possible value.', 'Use one of: meta, dynamic, flat, search, auto.'],
    [
      ['list', '--args', '{}'],
      'list does not have a flag --args.',
      'It belongs to: call. See mcp-workbench list --help',
    ],
    [
      ['call'],
      'call: an argument is missing.',
      'Write: mcp-workbench call <tool|server.tool|toolbox/server/tool> [key=value …]',
    ],
    [['tools', 'a', 'b'], 'tools does not take "b".', 'Write: mcp-workbench tools [server|@toolbox|server.tool]'],
  ])('of %j is refused as wrong usage', (argv, message, fix) => {
    expect(refusal(argv)).toEqual({ code: 'WB1901', message, fix });
  });

  it.each([
    [['list', '--json'], true],
    [['list', '--jsno', '--json'], true],
    [['call', 'a.b', '--', '--json'], false],
    [['list'], false],
  ])('of %j says whether errors are wanted as JSON', (argv, wanted) => {
    expect(wantsJson(argv)).toBe(wanted);
  });
});
