import { afterEach, describe, expect, it, vi } from 'vitest';
import { failedStatus, fakeConfig, fakeStatus, runFake, startFake } from '../fake-io.ts';

const config = fakeConfig({ code: { github: 'github', postgres: 'postgres', brave: 'brave' } });
const statuses = [
  fakeStatus('github'),
  failedStatus('postgres'),
  fakeStatus('brave', { state: 'disabled', toolboxes: ['web'] }),
].map((status) => {
  if (status.state === 'ready') return status;
  const { era, tools, ...rest } = status;
  return rest;
});

describe('list', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows every server with its state, and what to do about the ones that fail', async () => {
    const { code, stdout, asked } = await runFake(['list'], { config, statuses });
    expect(stdout).toMatchInlineSnapshot(`
      "  NAME      STATE                               TOOLS  ERA     VIA    TOOLBOXES
      ✓ github    ready                                   3  legacy  stdio  code
      ✗ postgres  server exited before the handshake      –  –       stdio  code
      ⊘ brave     disabled                                –  –       stdio  web

      ✗ postgres: postgres exited with code 1
        Fix   Read the lines.
        Next  mcp-workbench check postgres  WB1004
      "
    `);
    expect([code, asked.slice(1)]).toEqual([0, ['start missing of github,postgres,brave', 'close']]);
  });

  it('counts tools as clients see them, and tells what a server is called in its toolboxes', async () => {
    const { stdout } = await runFake(['list'], {
      config: fakeConfig({ code: { files: 'files', docs: 'docs' } }),
      statuses: [
        fakeStatus('files', { tools: 14, toolsShown: 3 }),
        fakeStatus('docs', { name: 'Microsoft Docs', label: 'Microsoft-Docs', toolsShown: 3 }),
      ],
    });
    expect(stdout).toContain('✓ files                               ready  3 of 14');
    expect(stdout).toContain('✓ Microsoft Docs (as Microsoft-Docs)  ready        3');
  });

  it('waits as long as a start may take, not as long as a client would', async () => {
    const limits: unknown[] = [];
    const settled = async (limitMs: number | undefined) => void limits.push(limitMs);
    await runFake(['list'], { config, statuses, settled });
    expect(limits).toEqual([90_000]);
  });

  it('shows what an earlier run has heard, and says so', async () => {
    const given = [fakeStatus('github', { state: 'known' }), ...statuses.slice(2)];
    const { stdout, stderr } = await runFake(['list'], { config, statuses: given });
    expect(stdout).toContain('… github  known         3  legacy');
    expect(stderr).toBe('1 server as stored by an earlier run; --fresh starts them\n');
  });

  it.each([[['--fresh']], [['--exit-code']]])('starts all anew with %j', async (flags) => {
    const { asked } = await runFake(['list', ...flags], { config, statuses });
    expect(asked.slice(1)).toEqual(['fresh', 'start all of github,postgres,brave', 'close']);
  });

  it('gives scripts one JSON value with stable keys', async () => {
    const { stdout } = await runFake(['list', '--json'], {
      config,
      statuses: [fakeStatus('github', { instructions: 'internal' }), ...statuses.slice(1)],
    });
    const value = JSON.parse(stdout);
    expect(Object.keys(value)).toEqual(['schemaVersion', 'servers']);
    expect(value.schemaVersion).toBe(1);
    expect(value.servers[0]).toEqual(fakeStatus('github'));
    expect(value.servers[1].failure).toEqual({
      code: 'WB1004',
      message: 'postgres exited with code 1',
      fix: 'Read the lines.',
      stderr: ['boom'],
    });
  });

  it.each([
    [['list', '--exit-code'], statuses, 4],
    [['list'], statuses, 0],
    [['list', '--exit-code'], statuses.filter(({ state }) => state !== 'failing'), 0],
    [['list', '--exit-code'], [fakeStatus('github', { state: 'starting' })], 4],
  ])('%j exits with the worst class when asked to', async (argv, given, expected) => {
    expect((await runFake(argv, { config, statuses: given })).code).toBe(expected);
  });

  it('never shows a secret or lets a server steer the terminal', async () => {
    const secrets = [{ name: 'TOKEN', value: 'hunter2hunter2' }];
    const status = failedStatus('github', { message: 'no: hunter2hunter2 \u001b[31m', stderr: ['hunter2hunter2'] });
    for (const argv of [['list'], ['list', '--json'], ['check'], ['check', '--json'], ['tools']]) {
      const { stdout, stderr } = await runFake(argv, { config: { ...config, secrets }, statuses: [status] });
      expect(stdout + stderr).toContain('‹TOKEN›');
      for (const bad of ['hunter2', '\u001b']) expect(stdout + stderr).not.toContain(bad);
    }
  });

  it('names the server that is slow to start', async () => {
    vi.useFakeTimers();
    let finish = () => {};
    const opened = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const run = startFake(['list'], {
      config,
      statuses: [fakeStatus('github', { state: 'starting' }), fakeStatus('postgres', { state: 'starting' })],
      settled: () => opened,
      tty: { stderr: true },
    });
    await vi.advanceTimersByTimeAsync(12_000);
    finish();
    vi.useRealTimers();
    const { stderr } = await run.done;
    expect(stderr).toContain('\rgithub: starting, 12 s (and 1 more)\u001b[K');
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 130],
  ] as const)('ends with everything closed when %s comes', async (reason, code) => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const settled = () => {
      begin();
      return new Promise<void>(() => {});
    };
    const run = startFake(['list'], { config, statuses, settled });
    await begun;
    run.stop(reason);
    const result = await run.done;
    expect([result.code, result.stdout, result.stderr, result.asked.at(-1)]).toEqual([code, '', '', 'close']);
  });
});
