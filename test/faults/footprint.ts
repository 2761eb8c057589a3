/** What the program takes of the system: memory, open files, and children that nobody has collected. Linux shows it as files. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { canReadProcesses } from '../support/processes.ts';

export interface Footprint {
  readonly files: number;
  readonly megabytes: number;
}

/** Undefined where it cannot be seen. */
export function findFootprint(pid: number): Footprint | undefined {
  if (!canReadProcesses) return undefined;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { files: readdirSync(`/proc/${pid}/fd`).length, megabytes: Math.round(kilobytes / 1024) };
}

/** Memory that was used is given back late; more than this above the beginning is not that. */
const megabytesMore = 350;
/** A connection that is being closed, a file that is just read. */
const filesMore = 3;
/** The pipes of a server. */
const filesOfServer = 3;

/** Fails unless the program is back to what it took before, but for so many more servers. */
export async function expectFootprint(pid: number, before: Footprint | undefined, moreServers = 0): Promise<void> {
  if (before === undefined) return;
  await eventually(() => {
    const now = findFootprint(pid);
    expect(now?.files).toBeLessThanOrEqual(before.files + filesMore + moreServers * filesOfServer);
    expect(now?.megabytes).toBeLessThanOrEqual(before.megabytes + megabytesMore);
    expect(zombiesOf(pid)).toEqual([]);
  }, 8_000);
}

/** Children that have ended and were not collected. */
function zombiesOf(parent: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, ppid] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' && Number(ppid) === parent;
    } catch {
      return false;
    }
  });
}
