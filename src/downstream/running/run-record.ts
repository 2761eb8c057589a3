/**
 * Keeps the record of this Workbench true while it runs: written when a server starts or ends, removed at the end. It is for `ps`
 * and `stop` only: a failure costs a line there and nothing else.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/async/clock.ts';
import { prepareFolder } from '../../state/own-folder.ts';
import { findStateFault } from '../../state/state-folder.ts';
import { replaceOwn } from '../../state/write-own.ts';
import { findMachineIds, readFacts } from './process-facts.ts';
import type { RunningRecord, ServerMark, Serving } from './record.ts';

/** Hears which processes of servers run. */
export interface ProcessListener {
  /** A process of a server runs; call the returned function when it has exited. */
  started(server: string, pid: number): () => void;
}

export interface KeptRecord extends ProcessListener {
  /** How clients reach this Workbench, once they can. */
  serving(ways: readonly Serving[]): void;
  /** What is wrong with the configuration now, one line each; none when it is right. */
  mistaken(mistakes: readonly string[]): void;
  close(): void;
}

/** Longer than most starts take: work during a start would make it longer. */
const saveDelayMs = 300;

export function runningDir(stateDir: string): string {
  return join(stateDir, 'running');
}

export function writeRunRecord(options: {
  readonly stateDir: string;
  readonly config?: string | undefined;
}): KeptRecord {
  const file = join(runningDir(options.stateDir), `${process.pid}.json`);
  const since = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  const servers = new Map<object, ServerMark>();
  const beginnings = new Map<number, string>();
  let serves: readonly Serving[] = [];
  let mistakes: readonly string[] = [];
  let closed = false;
  let dirty = false;
  let saving = false;

  const toRecord = (): RunningRecord => ({
    pid: process.pid,
    ...beganOf(process.pid),
    since,
    ground: findMachineIds(),
    serves,
    ...(options.config === undefined ? {} : { config: options.config }),
    servers: [...servers.values()].map((server) => ({ ...server, ...beganOf(server.pid) })),
    ...(mistakes.length === 0 ? {} : { mistakes }),
  });
  const beganOf = (pid: number) => {
    const began = beginnings.get(pid);
    return began === undefined ? {} : { began };
  };
  const save = async () => {
    const unknown = [process.pid, ...[...servers.values()].map(({ pid }) => pid)].filter((pid) => !beginnings.has(pid));
    for (const [pid, { began }] of (await readFacts(unknown)) ?? []) beginnings.set(pid, began);
    if (closed || findStateFault(options.stateDir) !== undefined) return;
    if (prepareFolder(runningDir(options.stateDir)) !== undefined) return;
    replaceOwn(file, JSON.stringify(toRecord()), { durable: false });
  };
  // Never during a start: servers that start together are recorded together, when they have most likely started.
  const saveSoon = () => {
    dirty = true;
    if (saving || closed) return;
    saving = true;
    systemClock.after(saveDelayMs, async () => {
      while (dirty && !closed) {
        dirty = false;
        await save().catch(() => {});
      }
      saving = false;
    });
  };

  return {
    started(name, pid) {
      const key = {};
      servers.set(key, { name, pid, since: new Date().toISOString() });
      saveSoon();
      return () => {
        if (!servers.delete(key)) return;
        beginnings.delete(pid);
        saveSoon();
      };
    },
    serving(ways) {
      serves = ways;
      saveSoon();
    },
    mistaken(lines) {
      if (mistakes.length + lines.length === 0) return;
      mistakes = lines;
      saveSoon();
    },
    close() {
      closed = true;
      try {
        rmSync(file, { force: true });
      } catch {
        // A reader of the record finds that we are gone.
      }
    },
  };
}
