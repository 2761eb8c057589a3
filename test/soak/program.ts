/** The built Workbench under test, and the HTTP servers it reaches: processes of the soak that end with it, however it ends. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export interface Program {
  readonly child: Child;
  readonly pid: number;
  /** The end of what it has said on stderr. */
  said(): string;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly isRunning: boolean;
}

const running = new Set<Child>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function startNode(args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  const given = { ...withoutOurs(), ...env };
  const child: Child = spawn(process.execPath, args, { env: given, stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString('utf8')).slice(-20_000);
  });
  child.stdin.on('error', () => {});
  let isRunning = true;
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => {
      isRunning = false;
      running.delete(child);
      resolve({ code, signal });
    }),
  );
  return {
    child,
    pid: child.pid ?? 0,
    said: () => said,
    exited,
    get isRunning() {
      return isRunning;
    },
  };
}

/** A copy of the build, so that a rebuild meanwhile changes nothing. */
export function copyProgram(root: string, folder: string): string {
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  return join(folder, 'dist/mcp-workbench.cjs');
}

/** The first match in what a program says; fails when it ends before. */
export function waitFor(program: Program, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const found = pattern.exec(text)?.[1];
      if (found === undefined) return;
      program.child[stream].off('data', onData);
      resolve(found);
    };
    program.child[stream].on('data', onData);
    void program.exited.then(() => reject(new Error(`it ended before it was ready:\n${program.said()}`)));
  });
}

function withoutOurs(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:WORKBENCH_|NODE_|SOAK_)/.test(name));
  return Object.fromEntries(kept);
}
