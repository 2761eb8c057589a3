/**
 * Asks the login shell for the PATH that a person has in a terminal: only the start-up files of the shell know it.
 * They are the person's own program, so the shell may print, hang or fail; then there is no answer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { type Clock, systemClock } from '../../base/async/clock.ts';

const marker = '--mcp-workbench-path--';
/** Understood alike by sh, bash, zsh, ksh and fish. */
const script = `printf '%s\\n' '' '${marker}' "$PATH" '${marker}'`;
const maxOutput = 1024 * 1024;

export interface LoginShell {
  /** Absolute path of the shell. */
  readonly shell: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly limitMs?: number;
}

export function readLoginShellPath(options: LoginShell): Promise<string | undefined> {
  const { shell, environment, clock = systemClock, limitMs = 3_000 } = options;
  const answer = new Promise<string | undefined>((resolve) => {
    // The shell gets a session of its own: an interactive shell must not reach for the terminal of our client.
    const child: ChildProcess = spawn(shell, ['-ilc', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      env: { ...environment, TERM: 'dumb' },
    });
    let output = '';
    const settle = (path: string | undefined) => {
      cancel();
      // Something that a start-up file left running may hold the pipe; it must not hold us.
      child.stdout?.destroy();
      child.unref();
      resolve(path);
    };
    const cancel = clock.after(limitMs, () => {
      endSession(child.pid);
      settle(undefined);
    });
    child.on('error', () => settle(undefined));
    child.on('close', () => settle(findMarked(output)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const path = findMarked(output);
      if (path !== undefined) settle(path);
      else if (output.length > maxOutput) {
        endSession(child.pid);
        settle(undefined);
      }
    });
  });
  return answer.catch(() => undefined);
}

let asked: Promise<string | undefined> | undefined;

/** The shell is asked once in the life of this process. */
export function loginShellPath(): Promise<string | undefined> {
  const shell = findShell();
  asked ??= shell === undefined ? Promise.resolve(undefined) : readLoginShellPath({ shell, environment: process.env });
  return asked;
}

/** The PATH between the markers; start-up files may print text around them. */
export function findMarked(output: string): string | undefined {
  const opening = `\n${marker}\n`;
  const start = output.indexOf(opening);
  if (start < 0) return undefined;
  const from = start + opening.length;
  const end = output.indexOf(`\n${marker}`, from);
  const path = end < 0 ? '' : output.slice(from, end);
  return path.startsWith('/') ? path : undefined;
}

function findShell(): string | undefined {
  try {
    const shell = process.env.SHELL || userInfo().shell;
    return shell?.startsWith('/') ? shell : undefined;
  } catch {
    return undefined; // The user is not in the system's list of users.
  }
}

function endSession(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The shell has already exited.
  }
}
