// @module-tag long
/** What clients send may be large, wide, deep or never ending: their neighbours notice nothing of it, on no door. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { beside, type DoorName, openDoor, tools } from './doors.ts';
import { makeShapes } from './shapes.ts';

/** What a neighbour may wait, besides what the machine itself makes it wait. */
const mostWaitMs = 250;
const mostBytes = 300 * 1024 * 1024;
const doors: readonly DoorName[] = ['pipe', 'HTTP', 'daemon'];
const shapes = makeShapes(tools);
const onLinux = process.platform === 'linux';

describe.runIf(onLinux).each(doors)('behind the door of the %s', (name) => {
  it('no message of a client holds up its neighbours, takes much memory or keeps the program from ending', async () => {
    const door = await openDoor(name);
    for (const shape of shapes) {
      forgetPeak(door.pid);
      let answers: string[] = [];
      const seen = await beside(door, async () => {
        answers = await door.send(shape);
      });
      const peak = readPeak(door.pid);
      if (shape.end !== 'held') expect(answers, shape.name).toHaveLength(shape.times);
      for (const answer of answers)
        if (shape.end === 'refused') expect(answer, shape.name).toContain('"error"');
        else expect(answer, shape.name).toMatch(/"result"|busy: /);
      expect(seen.failed, shape.name).toBe(0);
      expect(seen.worstMs, `${shape.name}, with ${seen.stalledMs} ms of the machine`).toBeLessThan(
        mostWaitMs * crowd() + 2 * seen.stalledMs,
      );
      expect(peak, shape.name).toBeLessThan(mostBytes);
    }
    process.kill(door.pid, 'SIGTERM');
    await eventually(() => !isThere(door.pid), 10_000);
  }, 180_000);
});

/** How many want each processor: where there are more than one, everything takes that much longer. */
function crowd(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

/** The most memory it has had at once since it was last forgotten. */
function readPeak(pid: number): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
