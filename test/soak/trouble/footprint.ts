/** What the Workbench takes of the system, seen from outside. Only Linux shows it as files; elsewhere there is nothing to see. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Footprint {
  readonly megabytes: number;
  readonly descriptors: number;
  readonly children: number;
}

export function findFootprint(pid: number): Footprint | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return {
      megabytes: Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      children: children.split(' ').filter((id) => id !== '').length,
    };
  } catch {
    return undefined;
  }
}

/** The ends of the pipes of one server. */
const pipesOfServer = 3;

/** Descriptors without those of servers: how many of them run at a moment is another matter. */
export function ownDescriptors({ descriptors, children }: Footprint): number {
  return descriptors - pipesOfServer * children;
}

/** A process that has ended and was not collected yet counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !text.slice(text.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return process.platform !== 'linux';
  }
}

/** Ends a process at once, if it still is the one whose command line holds `mark`: ids are given again. Whether it was. */
export function killOurs(pid: number, mark: string): boolean {
  try {
    if (process.platform === 'linux' && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)) return false;
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
