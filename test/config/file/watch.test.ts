import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/document/config-error.ts';
import { watchConfig } from '../../../src/config/file/watch.ts';
import type { Config } from '../../../src/config/model/config.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/processes.ts';

const [settleMs, missingMs, pollMs] = [200, 1_000, 2_000];
const file = (...servers: string[]) =>
  JSON.stringify({ mcpServers: Object.fromEntries(servers.map((name) => [name, { command: 'x' }])) });

/** What was heard, in order: the servers of a configuration, or the code of a problem. */
function setUp(text: string, { automatic = true, silent = false } = {}) {
  const dir = tempDir();
  const path = join(dir, 'workbench.json');
  writeFileSync(path, text);
  const clock = createFakeClock();
  const heard: string[] = [];
  const asked: boolean[] = [];
  const watched = new Map<string, (name: string | null) => void>();
  const configs: Config[] = [];
  const watch = watchConfig({
    path,
    env: {},
    automatic,
    clock,
    watchFolder(folder, onChange) {
      if (!silent) watched.set(folder, onChange);
      return () => watched.delete(folder);
    },
    onConfig(config, why) {
      configs.push(config);
      heard.push([...config.servers.keys()].join(' '));
      asked.push(why.asked);
    },
    onProblem: (problem) => heard.push(problem.code),
  });
  /** A change that the system tells of. */
  const write = (content: string, to = path) => {
    writeFileSync(to, content);
    watched.get(dirname(to))?.(to.slice(dirname(to).length + 1));
  };
  return { dir, path, clock, heard, asked, configs, watched, watch, write };
}

describe('a watched configuration file', () => {
  it('is read again a moment after it was written, once for several steps', async () => {
    const { clock, heard, asked, write } = setUp(file('a'));
    write('{');
    await clock.advance(settleMs - 1);
    write(file('a', 'b'));
    await clock.advance(settleMs - 1);
    expect(heard).toEqual([]);
    await clock.advance(1);
    expect([heard, asked]).toEqual([['a b'], [false]]);
  });

  it('says what is wrong once for a content, and goes on when it is right again', async () => {
    const { clock, heard, write } = setUp(file('a'));
    for (const text of ['{ "mcpServers": 3 }', '{ "mcpServers": 3 }', '{ "mcpServers": ', file('b')]) {
      write(text);
      await clock.advance(settleMs);
    }
    expect(heard).toEqual(['WB1405', 'WB1403', 'b']);
  });

  it('is followed when an editor puts another file in its place', async () => {
    const { dir, path, clock, heard, watched } = setUp(file('a'));
    writeFileSync(join(dir, 'new'), file('b'));
    renameSync(join(dir, 'new'), path);
    watched.get(dir)?.('workbench.json');
    await clock.advance(settleMs);
    expect(heard).toEqual(['b']);
  });

  it('may be missing for a moment', async () => {
    const { path, dir, clock, heard, watched, write } = setUp(file('a'));
    rmSync(path);
    watched.get(dir)?.('workbench.json');
    await clock.advance(settleMs + missingMs - 1);
    expect(heard).toEqual([]);
    write(file('b'));
    await clock.advance(settleMs);
    expect(heard).toEqual(['b']);
  });

  it('that stays away is reported once, and read when it is back', async () => {
    const { path, dir, clock, heard, watched, write } = setUp(file('a'));
    rmSync(path);
    for (const _ of [1, 2]) {
      watched.get(dir)?.('workbench.json');
      await clock.advance(settleMs + missingMs);
    }
    expect(heard).toEqual(['WB1407']);
    write(file('a'));
    await clock.advance(settleMs);
    expect(heard).toEqual(['WB1407', 'a']);
  });

  it('is looked at from time to time where the system tells nothing', async () => {
    const { path, clock, heard } = setUp(file('a'), { silent: true });
    await clock.advance(pollMs + settleMs);
    expect(heard).toEqual(['a']);
    writeFileSync(path, file('a', 'longer'));
    await clock.advance(pollMs + settleMs);
    expect(heard).toEqual(['a', 'a longer']);
    await clock.advance(10 * pollMs);
    expect(heard).toHaveLength(2);
  });

  it('is given once when nothing changes, so that a change before the watch began is not missed', async () => {
    const { clock, heard } = setUp(file('a'));
    await clock.advance(10 * pollMs);
    expect(heard).toEqual(['a']);
  });

  it('is not disturbed by other files of its folder', async () => {
    const { dir, clock, heard, write } = setUp(file('a'));
    write('x', join(dir, 'other.txt'));
    await clock.advance(settleMs);
    expect(heard).toEqual([]);
  });

  it('is looked at when the system does not say which file of the folder has changed', async () => {
    const { dir, path, clock, heard, watched } = setUp(file('a'));
    writeFileSync(path, file('b'));
    watched.get(dir)?.(null);
    await clock.advance(settleMs);
    expect(heard).toEqual(['b']);
  });

  it('brings its env files with it, also those in other folders', async () => {
    const { dir, path, clock, heard, configs, watched, write } = setUp(file('a'));
    const other = join(dir, 'secrets');
    mkdirSync(other);
    writeFileSync(join(other, '.env'), 'KEY=one');
    write(JSON.stringify({ mcpServers: { a: { command: 'x', envFile: 'secrets/.env' } } }), path);
    await clock.advance(settleMs);
    expect([...watched.keys()].sort()).toEqual([dir, other].sort());
    write('KEY=two', join(other, '.env'));
    await clock.advance(settleMs);
    const values = configs
      .map(({ servers }) => servers.get('a')?.transport)
      .map((to) => to?.kind === 'stdio' && to.env);
    expect(values).toEqual([{ KEY: 'one' }, { KEY: 'two' }]);
    write('no line', join(other, '.env'));
    await clock.advance(settleMs);
    write('KEY=three', join(other, '.env'));
    await clock.advance(settleMs);
    expect(heard).toEqual(['a', 'a', 'WB1104', 'a']);
    write(file('a'), path);
    await clock.advance(settleMs);
    expect([...watched.keys()]).toEqual([dir]);
  });

  it.each([true, false])('is read at once when asked, also when it is the same (watched: %s)', async (automatic) => {
    const { path, clock, heard, asked, watched, watch } = setUp(file('a'), { automatic });
    watch.reload();
    watch.reload();
    writeFileSync(path, '{');
    watch.reload();
    watch.reload();
    expect([heard, asked]).toEqual([
      ['a', 'a', 'WB1403', 'WB1403'],
      [true, true],
    ]);
    if (automatic) return;
    await clock.advance(10 * pollMs);
    expect([heard.length, watched.size, clock.pending]).toEqual([4, 0, 0]);
  });

  it('is left alone once the watch is closed', async () => {
    const { clock, heard, watched, watch, write } = setUp(file('a'));
    write(file('b'));
    watch.close();
    await clock.advance(10 * pollMs);
    expect([heard, watched.size, clock.pending]).toEqual([[], 0, 0]);
  });
});

describe('the real system', () => {
  const start = (path: string) => {
    const heard: string[] = [];
    const watch = watchConfig({
      path,
      env: {},
      onConfig: (config) => heard.push([...config.servers.keys()].join(' ')),
      onProblem: (problem) => heard.push(problem instanceof ConfigError ? 'problems' : problem.code),
    });
    atEnd(() => watch.close());
    return heard;
  };

  it('tells of a file that is written and of one that takes its place', async () => {
    const dir = tempDir();
    const path = join(dir, 'workbench.json');
    writeFileSync(path, file('a'));
    const heard = start(path);
    writeFileSync(path, file('b'));
    await eventually(() => expect(heard.at(-1)).toBe('b'));
    writeFileSync(join(dir, 'new'), file('c'));
    renameSync(join(dir, 'new'), path);
    await eventually(() => expect(heard.at(-1)).toBe('c'));
  });

  it.skipIf(process.platform === 'win32')('need not tell of a file behind a link to another folder', async () => {
    const [dir, home] = [tempDir(), tempDir()];
    writeFileSync(join(home, 'real.json'), file('a'));
    const path = join(dir, 'workbench.json');
    symlinkSync(join(home, 'real.json'), path);
    const heard = start(path);
    writeFileSync(join(home, 'real.json'), file('b'));
    await eventually(() => expect(heard.at(-1)).toBe('b'));
    writeFileSync(join(home, 'real.json'), file('cc'));
    await eventually(() => expect(heard.at(-1)).toBe('cc'));
  });
});
