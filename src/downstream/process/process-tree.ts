/**
 * Starts and ends a program together with everything it starts: behind `npx` or `uvx` the server itself is a grandchild.
 * On POSIX the tree is a process group with the program as its leader, on Windows what taskkill finds below it.
 * For starting and ending processes, the platforms differ only here.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { toSpawnFailure } from './spawn-failure.ts';

export interface Launch {
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Complete: nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Resolves once the program runs; rejects with a WorkbenchError when it cannot be started. Never uses a shell. */
export async function spawnTree({ command, args, env, cwd }: Launch): Promise<ChildProcessWithoutNullStreams> {
  const { platform } = process;
  checkArguments({ command, args, platform });
  const start = platform === 'win32' ? (await import('cross-spawn')).default : spawn;
  const options = { cwd, env, stdio: 'pipe', shell: false, windowsHide: true, detached: platform !== 'win32' } as const;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(toSpawnFailure(error, command));
    try {
      const child = start(command, [...args], options) as ChildProcessWithoutNullStreams;
      child.once('error', fail);
      child.once('spawn', () => resolve(child));
    } catch (error) {
      fail(error);
    }
  });
}

/** Batch files are read by cmd.exe, and no quoting keeps a line break inside an argument there. */
export function checkArguments(
  launch: Pick<Launch, 'command' | 'args'> & { readonly platform: NodeJS.Platform },
): void {
  const { command, args, platform } = launch;
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(command)) return;
  const at = args.findIndex((arg) => arg.includes('\n') || arg.includes('\r') || arg.includes('\0'));
  if (at < 0) return;
  const shown = toPrintable(win32.basename(command), 200);
  throw new WorkbenchError(
    'WB1002',
    `Argument ${at + 1} of "${shown}" contains a line break, which cannot be passed to a batch file.`,
    {
      fix: 'Remove the line break from "args", or start the program behind the batch file directly.',
    },
  );
}

export type EndingAct = 'wait' | 'SIGTERM' | 'SIGKILL' | 'taskkill';

/** The steps that end a tree whose stdin was closed, each with the time it gives the tree. They take at most 1.5 s. */
export function endingSteps(
  platform: NodeJS.Platform,
): readonly { readonly act: EndingAct; readonly waitMs: number }[] {
  return platform === 'win32'
    ? [
        { act: 'wait', waitMs: 500 },
        { act: 'taskkill', waitMs: 900 },
      ]
    : [
        { act: 'wait', waitMs: 500 },
        { act: 'SIGTERM', waitMs: 600 },
        { act: 'SIGKILL', waitMs: 300 },
      ];
}

export interface ProcessTree {
  /** Whether a process of the tree is left that could be ended. */
  alive(): boolean;
  act(act: EndingAct): void;
}

/** Ends a tree, gently first. Resolves when it is gone, or when nothing more can be done. */
export async function endTree(tree: ProcessTree, platform: NodeJS.Platform = process.platform): Promise<void> {
  for (const { act, waitMs } of endingSteps(platform)) {
    tree.act(act);
    if (await goneWithin(tree, waitMs)) return;
  }
}

async function goneWithin(tree: ProcessTree, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (tree.alive()) {
    if (performance.now() >= until) return false;
    await pause(10);
  }
  return true;
}

/** The tree below a running process; `leaderRuns` says whether our own child still runs. */
export function treeOf(pid: number, leaderRuns: () => boolean): ProcessTree {
  return {
    alive: () => (process.platform === 'win32' ? leaderRuns() : signalGroup(pid, 0)),
    act(act) {
      if (act === 'taskkill') taskkill(pid);
      else if (act !== 'wait') signalGroup(pid, act);
    },
  };
}

/** The full path of taskkill, so that no other program of that name is run. */
export function taskkillPath(systemRoot: string | undefined): string {
  return win32.join(systemRoot || 'C:\\Windows', 'System32', 'taskkill.exe');
}

function taskkill(pid: number): void {
  const args = ['/pid', String(pid), '/T', '/F'];
  const child = spawn(taskkillPath(process.env.SystemRoot), args, { stdio: 'ignore', windowsHide: true });
  child.on('error', () => {});
  child.unref();
}

/** False when there is no such group, or when we may not signal anything in it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Unlike the clock's timers it keeps the event loop alive: an ending that has begun must be finished. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
