import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Library } from '../../../src/cli/run/io.ts';
import { type Config, ConfigError, WorkbenchError } from '../../../src/index.ts';
import { tempDir } from '../../support/processes.ts';
import { fakeConfig, modeProblem, runFake, startFake } from '../fake-io.ts';

/** Serves nobody for ever, after logging one line of each level. */
const logging: NonNullable<Library['serveStdio']> = ({ workbench }) => {
  for (const level of ['debug', 'info', 'warn'] as const) workbench.log[level](`${level}-event`);
  return { done: Promise.resolve(), close: async () => {} };
};

describe('serve', () => {
  it.each([[['serve']], [[]], [['--config', 'x']]])(
    'is what %j does with a pipe, with one line on stderr',
    async (argv) => {
      const { code, stdout, stderr, asked } = await runFake(argv, {});
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toBe(
        'mcp-workbench 0.1.0: serving 2 servers in 1 toolbox, mode meta; trouble? mcp-workbench check --config /home/me/workbench.jsonc\n',
      );
      expect(asked.slice(1)).toEqual(['serve {}', 'stop serving', 'close']);
    },
  );

  it('passes the command line on to the configuration and to the client', async () => {
    const { asked } = await runFake(['--config=c', '--mode=flat', '--separator=__', '--name', 'n', '--version', '9.9']);
    expect(asked.slice(0, 2)).toEqual([
      'loadConfig {"flag":"c","mode":"flat","separator":"__"}',
      'serve {"name":"n","version":"9.9"}',
    ]);
  });

  it('warns once about a separator that clients may refuse', async () => {
    const { stderr } = await runFake([], { config: fakeConfig(undefined, { mode: 'flat' }) });
    expect(stderr.match(/WB1702/g)).toHaveLength(1);
    expect(stderr).toContain('--separator __');
  });

  it('does not warn of it again at the next start with the same file, but does with another separator', async () => {
    const stateDir = tempDir();
    const start = async (change: Partial<Config>) => {
      const { stderr } = await runFake([], { stateDir, config: fakeConfig(undefined, { mode: 'flat', ...change }) });
      return stderr.includes('WB1702');
    };
    expect([
      await start({}),
      await start({}),
      await start({ separator: '→' }),
      await start({ path: '/other' }),
    ]).toEqual([true, false, true, true]);
  });

  it('says nothing with --quiet', async () => {
    const { stderr } = await runFake(['-q'], { config: fakeConfig(undefined, { mode: 'flat' }) });
    expect(stderr).toBe('');
  });

  it.each([
    [[], ['warn-event']],
    [['--debug'], ['debug-event', 'info-event', 'warn-event']],
  ])('with %j logs JSON lines on stderr: %j', async (flags, events) => {
    const { stderr } = await runFake(['--quiet', ...flags], { serveStdio: logging });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(events);
  });

  it('logs readable lines in a terminal', async () => {
    const { stderr } = await runFake(['--quiet'], { serveStdio: logging, tty: { stderr: true } });
    expect(stderr).toBe('warn  warn-event\n');
  });

  it.each([
    [[], ['info-event', 'warn-event']],
    [['--debug'], ['debug-event', 'info-event', 'warn-event']],
  ])('with --log-file and %j appends %j to a file that only its owner reads', async (flags, events) => {
    const cwd = mkdtempSync(join(tmpdir(), 'cli-'));
    for (const _ of [1, 2]) await runFake(['--log-file', 'w.log', ...flags], { serveStdio: logging, cwd });
    const path = join(cwd, 'w.log');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual([...events, ...events]);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses a log file that cannot be written', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'cli-'));
    const { code, stderr, asked } = await runFake(['-q', '--log-file', 'missing/w.log'], { cwd });
    expect([code, asked.slice(1)]).toEqual([2, ['refuse WB1901']]);
    expect(stderr).toContain('cannot be written (ENOENT)');
  });

  it('prints the problems of a configuration as they are and exits with 2', async () => {
    const error = new ConfigError([modeProblem], { file: 'workbench.jsonc', text: '{"mode": 3}' });
    const config = () => {
      throw error;
    };
    const { code, stdout, stderr } = await runFake([], { config });
    expect([code, stdout, stderr]).toEqual([2, '', `${error.message}\n`]);
    expect(stderr).toContain('workbench.jsonc:1:10');
  });

  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
    ['closed', 0],
    ['fault', 1],
  ] as const)('stops in order at %s and exits with %i', async (reason, expected) => {
    const closed: string[] = [];
    const run = startFake(['-q'], {
      serveStdio: () => ({
        done: new Promise(() => {}),
        close: async () => void closed.push('served'),
      }),
    });
    run.stop(reason);
    const { code, stderr, asked } = await run.done;
    expect([code, stderr, closed, asked.at(-1)]).toEqual([expected, '', ['served'], 'close']);
  });

  it('closes the workbench when serving fails', async () => {
    const run = await runFake(['-q'], {
      serveStdio: () => {
        throw new WorkbenchError('WB1999', 'Bad day.');
      },
    });
    expect([run.code, run.asked.at(-1)]).toEqual([1, 'close']);
  });
});
