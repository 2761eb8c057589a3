import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  checkArguments,
  type EndingAct,
  endingSteps,
  endTree,
  taskkillPath,
} from '../../../src/downstream/process/process-tree.ts';

describe('ending a tree of processes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['linux', ['wait', 'SIGTERM', 'SIGKILL']],
    ['darwin', ['wait', 'SIGTERM', 'SIGKILL']],
    ['win32', ['wait', 'taskkill']],
  ] as const)('on %s goes through %j within 1.5 s', (platform, acts) => {
    const steps = endingSteps(platform);
    expect(steps.map(({ act }) => act)).toEqual(acts);
    expect(steps.reduce((sum, { waitMs }) => sum + waitMs, 0)).toBeLessThan(1500);
  });

  it.each<[platform: NodeJS.Platform, endedBy: EndingAct, acts: EndingAct[]]>([
    ['linux', 'wait', ['wait']],
    ['linux', 'SIGTERM', ['wait', 'SIGTERM']],
    ['linux', 'SIGKILL', ['wait', 'SIGTERM', 'SIGKILL']],
    ['win32', 'wait', ['wait']],
    ['win32', 'taskkill', ['wait', 'taskkill']],
  ])('on %s stops at %s when that was enough', async (platform, endedBy, expected) => {
    const acts: EndingAct[] = [];
    const ended = endTree({ act: (act) => void acts.push(act), alive: () => !acts.includes(endedBy) }, platform);
    await vi.advanceTimersByTimeAsync(1_500);
    await ended;
    expect(acts).toEqual(expected);
  });

  it('is given up when nothing helps', async () => {
    const ended = endTree({ act: () => {}, alive: () => true }, 'linux');
    await vi.advanceTimersByTimeAsync(1_500);
    await expect(ended).resolves.toBeUndefined();
  });

  it.each([
    ['D:\\Windows', 'D:\\Windows\\System32\\taskkill.exe'],
    [undefined, 'C:\\Windows\\System32\\taskkill.exe'],
  ])('on Windows uses the taskkill of the system (%s)', (root, expected) => {
    expect(taskkillPath(root)).toBe(expected);
  });
});

describe('arguments', () => {
  const check = (command: string, argument: string, platform: NodeJS.Platform) => () =>
    checkArguments({ command, args: ['-y', argument], platform });

  it.each(['a\nb', 'a\rb', 'a\0b'])('for a batch file are refused when they are like %j', (argument) => {
    for (const command of ['C:\\nodejs\\npx.cmd', 'C:\\tools\\RUN.BAT'])
      expect(check(command, argument, 'win32')).toThrowError(
        expect.objectContaining({ code: 'WB1002', message: expect.stringContaining('Argument 2') }),
      );
  });

  it('are not shown when they are refused, for they may hold a secret', () => {
    expect(check('C:\\npx.cmd', 'top\nsecret', 'win32')).toThrowError(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it.each([
    ['C:\\nodejs\\node.exe', 'a\nb', 'win32'],
    ['C:\\nodejs\\npx.cmd', 'a & b | "c" %PATH%', 'win32'],
    ['/opt/run.cmd', 'a\nb', 'linux'],
  ] as const)('for %s like %j are allowed on %s', (command, argument, platform) => {
    expect(check(command, argument, platform)).not.toThrow();
  });
});
