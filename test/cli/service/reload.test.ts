import { describe, expect, it } from 'vitest';
import { toReloadLine } from '../../../src/cli/service/reload.ts';
import { isReloadSignal } from '../../../src/cli/service/sighup.ts';
import { type Config, ConfigError, type ConfigWatchOptions } from '../../../src/index.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeConfig, modeProblem, startFake } from '../fake-io.ts';

const nothing = {
  kept: ['a', 'b'],
  added: [],
  replaced: [],
  removed: [],
  leftOut: [],
  settings: [],
  later: [],
  same: false,
};

describe('SIGHUP', () => {
  const none = { stdin: false, stdout: false, stderr: false };
  it.each([
    ['linux', none, true],
    ['darwin', none, true],
    ['win32', none, false],
    ['linux', { ...none, stdin: true }, false],
    ['linux', { ...none, stderr: true }, false],
  ] as const)('on %s with the terminals %j asks for a reload: %s', (platform, tty, expected) => {
    expect(isReloadSignal(platform, tty)).toBe(expected);
  });
});

describe('what is said of a reload', () => {
  it.each([
    [{ same: true }, 'configuration read again: nothing has changed'],
    [{ added: ['c', 'd'] }, 'configuration reloaded; kept: 2; added: c, d'],
    [
      { replaced: ['x'], removed: ['y'], settings: ['mode'] },
      'configuration reloaded; kept: 2; replaced: x; removed: y; settings: mode',
    ],
  ])('of %j is %j', (change, expected) => {
    expect(toReloadLine({ ...nothing, ...change })).toBe(expected);
  });
});

describe('serve', () => {
  /** Serves until the test has done with the watch what it wants. */
  async function run(argv: readonly string[], act: (watch: ConfigWatchOptions) => void) {
    let options: ConfigWatchOptions | undefined;
    let closed = 0;
    const started = startFake(argv, {
      serveStdio: () => ({ done: new Promise(() => {}), close: async () => {} }),
      library: {
        watchConfig(given) {
          options = given;
          return { reload() {}, close: () => closed++ };
        },
      },
    });
    const watched = await eventually(() => {
      if (options === undefined) throw new Error('the file is not watched');
      return options;
    });
    act(watched);
    await new Promise((resolve) => setImmediate(resolve));
    started.stop('SIGTERM');
    return { ...(await started.done), options, closed };
  }

  it.each([
    [['--mode=flat', '--separator=__'], { automatic: true, mode: 'flat', separator: '__' }],
    [['--no-watch'], { automatic: false }],
  ])('with %j watches its file with %j, as it was read first', async (argv, expected) => {
    const { options, closed } = await run(argv, () => {});
    expect(options).toMatchObject({ path: '/home/me/workbench.jsonc', env: {}, ...expected });
    expect(closed).toBe(1);
  });

  it('shows what is wrong with a changed file as at the start, and goes on', async () => {
    const error = new ConfigError([modeProblem], { file: 'workbench.jsonc', text: '{"mode": 3}' });
    const { code, stderr } = await run(['-q'], ({ onProblem }) => onProblem(error));
    expect(code).toBe(0);
    const [line, ...frame] = stderr.split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 'warn', code: 'WB1405' });
    expect(frame.join('\n')).toBe(`${error.message}\n`);
  });

  it('applies a changed file and says what came of it', async () => {
    const config: Config = fakeConfig();
    const { asked, stderr } = await run([], ({ onConfig }) => onConfig(config, { asked: true }));
    expect(asked).toContain('apply');
    expect(stderr).toContain('configuration read again: nothing has changed\n');
  });
});
