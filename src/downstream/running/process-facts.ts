/**
 * What the system tells about processes: when each began (as the system writes it, to be compared and never computed with) and how
 * much memory it takes. A process id is used again sooner or later; id and beginning together are not. For records of processes, the
 * platforms differ only here.
 */
import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { win32 } from 'node:path';

export interface ProcessFacts {
  /** Differs for any other process that has, had or will have this id. */
  readonly began: string;
  readonly memoryBytes?: number;
}

export type FactSource =
  | { readonly kind: 'proc' }
  | {
      readonly kind: 'program';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Record<string, string>;
    };

/** Where the facts of some processes come from. `ids` are whole numbers above 0, so nothing in them can be read as an option. */
export function planFacts(
  platform: NodeJS.Platform,
  ids: readonly number[],
  systemRoot: string | undefined,
): FactSource {
  if (platform === 'linux' || platform === 'android') return { kind: 'proc' };
  if (platform !== 'win32') {
    const args = ['-o', 'pid=,rss=,lstart=', '-p', ids.join(',')];
    // Dates in one language and one zone, for every user.
    return { kind: 'program', command: '/bin/ps', args, env: { LC_ALL: 'C', TZ: 'UTC0' } };
  }
  const root = systemRoot || 'C:\\Windows';
  const script = `Get-Process -Id ${ids.join(',')} -ErrorAction SilentlyContinue | ForEach-Object { "$($_.Id) $($_.WorkingSet64 / 1024) $($_.StartTime.ToFileTimeUtc())" }`;
  return {
    kind: 'program',
    command: win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
    env: { SystemRoot: root },
  };
}

/** Lines of id, KiB and beginning, as both programs print them. Other lines are skipped. */
export function parseFacts(text: string): Map<number, ProcessFacts> {
  const facts = new Map<number, ProcessFacts>();
  for (const line of text.split('\n')) {
    const [id = '', kib = '', ...began] = line.trim().split(/\s+/);
    if (!/^[1-9]\d{0,9}$/.test(id) || began.length === 0) continue;
    const memory = Number(kib) * 1_024;
    facts.set(Number(id), {
      began: began.join(' '),
      ...(Number.isFinite(memory) && memory > 0 ? { memoryBytes: memory } : {}),
    });
  }
  return facts;
}

/** From `stat` and `status` of a process in /proc; undefined for one that has ended and only waits to be collected. */
export function parseProc(stat: string, status: string): ProcessFacts | undefined {
  // The program's name stands in parentheses and may itself contain some: the fields follow the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = 'Z'] = fields;
  const began = fields[19];
  if (state === 'Z' || state === 'X' || began === undefined || !/^\d+$/.test(began)) return undefined;
  const memory = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return { began, ...(memory === undefined ? {} : { memoryBytes: Number(memory) * 1_024 }) };
}

/** The facts of those processes that exist and that the system tells about. Undefined when it tells nothing at all. */
export async function readFacts(ids: readonly number[]): Promise<Map<number, ProcessFacts> | undefined> {
  if (ids.length === 0) return new Map();
  const source = planFacts(process.platform, ids, process.env.SystemRoot);
  return source.kind === 'proc' ? readProc(ids) : runProgram(source);
}

function readProc(ids: readonly number[]): Map<number, ProcessFacts> {
  const facts = new Map<number, ProcessFacts>();
  for (const id of ids) {
    try {
      const found = parseProc(readFileSync(`/proc/${id}/stat`, 'utf8'), readFileSync(`/proc/${id}/status`, 'utf8'));
      if (found !== undefined) facts.set(id, found);
    } catch {
      // There is no such process.
    }
  }
  return facts;
}

const maxMs = 10_000;

function runProgram({
  command,
  args,
  env,
}: Extract<FactSource, { kind: 'program' }>): Promise<Map<number, ProcessFacts> | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: maxMs, windowsHide: true, encoding: 'utf8' }, (error, stdout) => {
      // `ps` fails when none of the processes exists, which is an answer; when `ps` could not be run, nothing is known.
      const ran = error === null || typeof error.code === 'number';
      resolve(ran ? parseFacts(stdout) : undefined);
    });
  });
}

/**
 * Names the space in which ids of processes are valid: another machine, container or boot has other ids, and may share our
 * folder.
 */
export function findMachineIds(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
