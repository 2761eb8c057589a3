import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/downstream/running/find-running.ts';
import { parseFacts, parseProc, planFacts, readFacts } from '../../../src/downstream/running/process-facts.ts';

const stat = (state: string, began: string, name = 'node') =>
  `17 (${name}) ${state} 1 17 17 0 -1 4194560 1 0 0 0 5 3 0 0 20 0 11 0 ${began} 1000 200`;

describe('what the system tells of processes', () => {
  it.each([
    ['linux', { kind: 'proc' }],
    ['android', { kind: 'proc' }],
    [
      'darwin',
      { command: '/bin/ps', args: ['-o', 'pid=,rss=,lstart=', '-p', '7,8'], env: { LC_ALL: 'C', TZ: 'UTC0' } },
    ],
    ['freebsd', { command: '/bin/ps' }],
    [
      'win32',
      { command: 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', env: { SystemRoot: 'D:\\Win' } },
    ],
  ] as const)('is asked for on %s by its own means', (platform, source) => {
    expect(planFacts(platform, [7, 8], 'D:\\Win')).toMatchObject(source);
  });

  it('is asked for on Windows by full path also when nobody says where Windows is', () => {
    const source = planFacts('win32', [7], undefined);
    expect(source).toMatchObject({ command: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe' });
  });

  it('is read from what ps prints', () => {
    const text = '   17  51200 Sun Nov 15 12:00:01 2026\n    9      0 Sat Nov  7 01:02:03 2026    \nps: trouble\n';
    expect(parseFacts(text)).toEqual(
      new Map([
        [17, { began: 'Sun Nov 15 12:00:01 2026', memoryBytes: 52_428_800 }],
        [9, { began: 'Sat Nov 7 01:02:03 2026' }],
      ]),
    );
  });

  it('is read from what PowerShell prints', () => {
    expect(parseFacts('17 1024 134123456789012345\r\n')).toEqual(
      new Map([[17, { began: '134123456789012345', memoryBytes: 1_048_576 }]]),
    );
  });

  it.each(['', '17', '17 5', 'x 5 now', '0 5 now', '-1 5 now', '017 5 now'])('is nothing when it is %j', (text) => {
    expect(parseFacts(text)).toEqual(new Map());
  });

  it('is read from /proc, whatever the program is called', () => {
    const status = 'Name:\tx\nVmHWM:\t 9 kB\nVmRSS:\t    2048 kB\n';
    expect(parseProc(stat('S', '4711', 'a) Z 1 (b'), status)).toEqual({ began: '4711', memoryBytes: 2_097_152 });
    expect(parseProc(stat('R', '4711'), '')).toEqual({ began: '4711' });
  });

  it.each([
    ['has ended and only waits to be collected', stat('Z', '4711')],
    ['is dead', stat('X', '4711')],
    ['has no beginning', '17 (node) S 1 17'],
    ['is empty', ''],
  ])('is nothing for a process that %s', (_, text) => {
    expect(parseProc(text, '')).toBeUndefined();
  });

  it('is true of this very process, and the same each time', async () => {
    const first = await readFacts([process.pid, 4_000_000_000]);
    const second = await readFacts([process.pid]);
    expect([...(first?.keys() ?? [])]).toEqual([process.pid]);
    expect(second?.get(process.pid)?.began).toBe(first?.get(process.pid)?.began);
  });
});

describe('a process that was written down', () => {
  it.each([
    ['a', 'a', 'running'],
    ['a', 'b', 'gone'],
    [undefined, 'a', 'unknown'],
    ['a', undefined, 'unknown'],
    [undefined, undefined, 'unknown'],
  ])('as begun at %s, when the process of that id began at %s, is %s', (written, now, state) => {
    expect(judge(written, now)).toBe(state);
  });
});
