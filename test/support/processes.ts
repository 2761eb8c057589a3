/** What became of the processes a test caused, and folders for it to work in. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';
import { eventually } from './eventually.ts';

/** Whether `childTree` can look: only Linux shows all processes as files. */
export const canReadProcesses = process.platform === 'linux';

/** A process that has ended but was not yet collected by its parent counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !canReadProcesses || findStatus(pid)?.state !== 'Z';
}

/** Fails with the process ids that are left when they are not all gone in time. */
export async function waitUntilDead(pids: readonly number[], ms = 5_000): Promise<void> {
  await eventually(() => {
    const left = pids.filter(isAlive);
    if (left.length > 0) throw new Error(`still alive: ${left.join(', ')}`);
  }, ms);
}

/** Process ids of all living descendants, parents before children, without `pid` itself. */
export function childTree(pid: number): number[] {
  if (!canReadProcesses) throw new Error('childTree reads /proc, which only Linux has');
  const children = groupByParent(livingProcesses());
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

/** A fresh folder without symbolic links in its path, removed when the test is over. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'workbench-test-')));
  atEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

interface Status {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
}

function livingProcesses(): Status[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => findStatus(Number(name)) ?? [])
    .filter(({ state }) => state !== 'Z');
}

function groupByParent(all: readonly Status[]): Map<number, Status[]> {
  const groups = new Map<number, Status[]>();
  for (const status of all) groups.set(status.parent, [...(groups.get(status.parent) ?? []), status]);
  return groups;
}

/** The program's name stands in parentheses and may itself contain some: the fields follow the last one. */
function findStatus(pid: number): Status | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
