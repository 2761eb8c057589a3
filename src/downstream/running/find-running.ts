/** Finds the Workbenches of this user that run now, and the processes they have started, each proven by id and start time. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readOwn } from '../../state/open-own.ts';
import { processExists } from '../../state/process-exists.ts';
import { findStateFault } from '../../state/state-folder.ts';
import { findMachineIds, type ProcessFacts, readFacts } from './process-facts.ts';
import { type ProcessMark, parseRecord, type RunningRecord, type Serving } from './record.ts';
import { runningDir } from './run-record.ts';

/** `unknown`: there is a process with that id, and it is not certain that it is this one. It is never ended. */
export type ProcessPresence = 'running' | 'gone' | 'unknown';

export interface RunningServer {
  readonly name: string;
  readonly pid: number;
  readonly state: ProcessPresence;
  readonly since: string;
  readonly memoryBytes?: number;
}

export interface RunningWorkbench extends Omit<RunningServer, 'name'> {
  readonly serves: readonly Serving[];
  /** Path of its configuration. */
  readonly config?: string;
  readonly servers: readonly RunningServer[];
  /** What is wrong with its configuration, one line each. */
  readonly mistakes: readonly string[];
}

/** Removes the record of a Workbench that is gone, unless a server was left behind: then `state` is `gone` and the server is shown. */
export async function findRunning(stateDir: string): Promise<RunningWorkbench[]> {
  // A record that another user wrote would have us end a process that is not ours.
  if (findStateFault(stateDir) !== undefined) return [];
  const dir = runningDir(stateDir);
  const ground = findMachineIds();
  const found: { file: string; record: RunningRecord }[] = [];
  for (const file of listFiles(dir)) {
    const record = readRecord(file);
    if (record !== undefined && record.ground === ground) found.push({ file, record });
    // A record of another machine or container cannot be judged from here, but a record in use does not stay unchanged for so long.
    else if (isOld(file)) remove(file);
  }
  const marks = found.flatMap(({ record }) => [record, ...record.servers]);
  const facts = await readFacts([...new Set(marks.map(({ pid }) => pid))]);
  return found.flatMap(({ file, record }) => {
    const servers = record.servers.map(({ name, ...mark }) => ({ name, ...present(mark, facts) }));
    const left = servers.filter(({ state }) => state !== 'gone');
    const { serves, config, mistakes = [] } = record;
    const about = { serves, ...(config === undefined ? {} : { config }), mistakes };
    const workbench = { ...present(record, facts), ...about, servers: left };
    if (workbench.state !== 'gone' || left.some(({ state }) => state === 'running')) return [workbench];
    remove(file);
    return [];
  });
}

/** The state of a recorded process: compares its recorded start with the start of the process that has its id now. */
export function judge(written: string | undefined, now: string | undefined): ProcessPresence {
  if (written === undefined || now === undefined) return 'unknown';
  return written === now ? 'running' : 'gone';
}

function present({ pid, began, since }: ProcessMark, all: ReadonlyMap<number, ProcessFacts> | undefined) {
  const facts = all?.get(pid);
  const isThere = all === undefined ? processExists(pid) : facts !== undefined;
  const state: ProcessPresence = isThere ? judge(began, facts?.began) : 'gone';
  const memoryBytes = state === 'running' ? facts?.memoryBytes : undefined;
  return { pid, state, since, ...(memoryBytes === undefined ? {} : { memoryBytes }) };
}

const maxBytes = 1_024 * 1_024;
const oldMs = 7 * 24 * 60 * 60 * 1_000;

function isOld(file: string): boolean {
  try {
    return Date.now() - lstatSync(file).mtimeMs > oldMs;
  } catch {
    return false;
  }
}

function listFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => /^\d+\.json(?:\.[0-9a-f]+\.tmp)?$/.test(name))
      .map((name) => join(dir, name));
  } catch {
    return [];
  }
}

/** Each record is written only by the process it is named after. A draft that was left by a process that died is not a record. */
function readRecord(file: string): RunningRecord | undefined {
  if (!file.endsWith('.json')) return undefined;
  try {
    const record = parseRecord(readOwn(file, { maxBytes }).toString('utf8'));
    return record !== undefined && basename(file) === `${record.pid}.json` ? record : undefined;
  } catch {
    return undefined;
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another process may have removed it.
  }
}
