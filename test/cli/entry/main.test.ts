import { describe, expect, it } from 'vitest';
import { toJsonText } from '../../../src/cli/output/output.ts';
import { toClientEntry } from '../../../src/cli/service/client-entry.ts';
import { runFake } from '../fake-io.ts';

function broken(): never {
  throw new TypeError('x is not a function');
}

describe('the program', () => {
  it.each([[['--version']], [['list', '--version']]])('prints its version for %j', async (argv) => {
    expect(await runFake(argv)).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it.each([
    [['--help'], 'mcp-workbench 0.1.0 – one MCP server'],
    [['help'], 'mcp-workbench 0.1.0 – one MCP server'],
    [['help', 'call'], 'mcp-workbench call <tool|server.tool'],
    [['help', 'ls'], 'mcp-workbench list'],
    [['help', 'help'], 'mcp-workbench help [command]'],
    [['call', '--help'], 'mcp-workbench call <tool|server.tool'],
  ])('explains itself for %j without reading anything', async (argv, beginning) => {
    const { code, stdout, asked } = await runFake(argv);
    expect([code, stdout.startsWith(beginning), asked]).toEqual([0, true, []]);
  });

  it.each([
    ['chek', 'Did you mean: mcp-workbench check'],
    ['constructor', 'Commands: '],
  ])('answers help about %s, which is no command, with the nearest and exits with 2', async (word, fix) => {
    const { code, stdout, stderr } = await runFake(['help', word]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`✗ "${word}" is not a command.\n  Fix  ${fix}`);
  });

  it.each([40, 60, 80])('wraps its help to a terminal of %i columns', async (columns) => {
    for (const argv of [['help'], ['help', 'call'], ['help', 'list']]) {
      const { stdout } = await runFake(argv, { tty: { stdout: true }, columns });
      const long = stdout.split('\n').filter((line) => line.length > columns);
      // Only what is to be copied, or is one word, may be longer.
      expect(long.filter((line) => !/^ {2}(mcp-workbench|call|tools|auth) |^mcp-workbench/.test(line))).toEqual([]);
    }
  });

  it('answers a wrong word with the nearest right one and exits with 2', async () => {
    expect(await runFake(['cal'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: '✗ "cal" is not a command.\n  Fix  Did you mean: mcp-workbench call\n  WB1901\n',
    });
  });

  it('answers in one line of JSON when JSON was asked for', async () => {
    const { code, stderr } = await runFake(['list', '--json', '--bogus']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      '{"error":{"code":"WB1901","exit":2,"message":"\\"--bogus\\" is not a flag.","fix":"See mcp-workbench --help"}}\n',
    );
  });

  it('calls a failure of its own unexpected, and shows where only with --debug', async () => {
    const plain = await runFake(['list'], { config: broken });
    expect(plain).toMatchObject({
      code: 1,
      stderr:
        '✗ Unexpected failure: x is not a function\n  Fix  Run the command again with --debug and report what it prints.\n  WB1999\n',
    });
    const debugged = await runFake(['list', '--debug'], { config: broken });
    expect(debugged.stderr).toContain('TypeError: x is not a function\n    at broken');
  });

  it('uses colours for errors by what stderr is', async () => {
    const tty = { stderr: true };
    expect((await runFake(['cal'], { tty })).stderr).toContain('\u001b[31m✗\u001b[39m');
    expect((await runFake(['cal', '--no-color'], { tty })).stderr).not.toContain('\u001b');
  });
});

describe('what the program prints for machines', () => {
  it('is JSON without characters that steer a terminal', () => {
    const value = { a: '\u009b31m \u202e \u007f \u0007', b: 'ä – ✓' };
    const text = toJsonText(value);
    expect(text).toMatch(/^[\x20-\x7e\n\u00a0-\u1fff\u2010-\u2027\u2100-\uffef]*$/);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('names the very Node.js and file in the entry for a client', () => {
    const program = { node: 'C:\\node.exe', file: 'C:\\w.mjs', demoConfig: '', start: broken };
    expect(JSON.parse(toClientEntry(program, 'C:\\a b.json'))).toEqual({
      mcpServers: { workbench: { command: 'C:\\node.exe', args: ['C:\\w.mjs', '--config', 'C:\\a b.json'] } },
    });
  });
});
