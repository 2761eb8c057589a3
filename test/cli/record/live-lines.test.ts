import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPaint } from '../../../src/cli/output/colour.ts';
import { createLiveLines } from '../../../src/cli/record/live-lines.ts';
import type { CallRecord, Client, Observer } from '../../../src/index.ts';
import { fakeConfig, startFake } from '../fake-io.ts';

const record: CallRecord = {
  client: { name: 'claude-code', version: '2.1', principal: '' },
  method: 'tools/call',
  toolbox: 'code',
  server: 'github',
  name: 'search',
  ms: 12.6,
  outcome: 'ok',
};

/** A client that stays connected until `leave`. */
function connected(name: string): { client: Client; leave(): void } {
  const listeners = new Set<() => void>();
  const session = {
    onClose(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as NonNullable<Client['session']>;
  const leave = () => {
    for (const listener of listeners) listener();
  };
  return { client: { name, version: '1', principal: '', session }, leave };
}

function open() {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const now = () => new Date(2026, 0, 2, 3, 4, 5);
  return { lines, live: createLiveLines({ paint: createPaint(false), write, now }) };
}

describe('what a service in a terminal shows while it runs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is who comes, what is called, and who leaves', () => {
    const { lines, live } = open();
    const { client, leave } = connected('cursor');
    live.onClient(client);
    live.onCall({ ...record, client, outcome: 'tool-error' });
    leave();
    expect(lines).toEqual([
      '03:04:05  client  cursor 1 connected',
      '03:04:05  call    code/github/search  13 ms  tool-error  cursor',
      '03:04:05  client  cursor 1 left',
    ]);
  });

  it('is a client without a session once, with its first call', () => {
    const { lines, live } = open();
    live.onCall(record);
    live.onCall({ ...record, method: 'resources/read', name: undefined });
    expect(lines).toEqual([
      '03:04:05  client  claude-code 2.1',
      '03:04:05  call    code/github/search  13 ms  ok  claude-code',
      '03:04:05  call    resources/read code/github  13 ms  ok  claude-code',
    ]);
  });

  it('is bounded in a second, and says how much it left out', () => {
    const { lines, live } = open();
    for (let at = 0; at < 500; at++) live.onCall(record);
    expect(lines).toHaveLength(15);
    vi.advanceTimersByTime(1_000);
    expect(lines.at(-1)).toBe('          … and 486 more');
    live.onCall(record);
    expect(lines).toHaveLength(17);
  });

  it('lets no client steer the terminal', () => {
    const { lines, live } = open();
    live.onCall({ ...record, client: { name: 'x\u001b[2J\n', principal: '' } });
    for (const bad of ['\u001b', '\n']) expect(lines.join('')).not.toContain(bad);
  });
});

describe('serve', () => {
  const serve = async (argv: readonly string[], tty: { stderr: boolean }) => {
    let observer: Observer | undefined;
    const run = startFake(argv, {
      config: fakeConfig(),
      tty,
      onWorkbench(given) {
        observer = given.observer;
      },
    });
    await vi.waitFor(() => expect(observer).toBeDefined());
    observer?.onCall(record);
    run.stop('SIGTERM');
    return (await run.done).stderr;
  };

  it.each([
    [['serve', '--http'], true, true],
    [['serve', '--http'], false, false],
    [['serve', '--http', '--quiet'], true, false],
    [['serve'], true, false],
  ])('with %j and a terminal: %s, shows calls: %s', async (argv, stderr, shown) => {
    expect((await serve(argv, { stderr })).includes('code/github/search')).toBe(shown);
  });
});
