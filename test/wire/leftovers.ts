/** The processes that one run of the program caused, whether or not their parents still live. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { canReadProcesses, isAlive } from '../support/processes.ts';

/**
 * Everything that runs in the folder of the run (its servers and what they started) or has it in its environment (the
 * program, its guardian). Only Linux can look; elsewhere the processes that wrote their ids into `pidLog` must do.
 */
export function findProcesses({ dir, pidLog }: { dir: string; pidLog: string }): number[] {
  const known = readPids(pidLog).filter(isAlive);
  if (!canReadProcesses) return known;
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = all.filter((pid) => workingFolder(pid) === dir || environmentOf(pid).includes(dir));
  return [...new Set([...known, ...found.map(Number).filter(isAlive)])];
}

/** The ids that servers with the option PID_LOG have noted. */
export function readPids(pidLog: string): number[] {
  try {
    return readFileSync(pidLog, 'utf8').trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
