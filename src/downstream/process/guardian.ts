/**
 * Ends our servers when we cannot: a tiny helper process that outlives us, for the case that we are killed outright.
 * It reads the ids of process groups from a pipe that only we hold; when the pipe ends, so do the groups still listed.
 * It helps in the worst case only: when it cannot be started or dies, that is not reported, and the next server tries again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { taskkillPath } from './process-tree.ts';

export interface Guardian {
  /** From now on the helper ends this process (on POSIX: its group) when we are gone. */
  watch(pid: number): void;
  release(pid: number): void;
  /** Id of the helper while it runs. */
  readonly pid: number | undefined;
}

/** A shell, because it takes a hundredth of the memory of Node. The ids `0` and `1` would mean far more than one group. */
export const posixScript = `
trap '' INT TERM HUP
groups=' '
while read -r line; do
  id=\${line#?}
  case $id in ''|0*|1|*[!0-9]*) continue;; esac
  case $line in
    +*) groups="$groups$id ";;
    -*) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }";; esac;;
  esac
done
[ "$groups" = ' ' ] && exit 0
for id in $groups; do kill -s TERM -- "-$id"; done
sleep 1
for id in $groups; do kill -s KILL -- "-$id"; done
`;

/** The same for Windows; the first argument is taskkill. */
export const windowsScript = `
const { spawn } = require('node:child_process');
const ids = new Set();
let held = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (held + text).split('\\n');
  held = lines.pop();
  for (const line of lines) {
    const found = /^([+-])([1-9][0-9]*)$/.exec(line);
    if (found) found[1] === '+' ? ids.add(found[2]) : ids.delete(found[2]);
  }
});
const end = () => {
  for (const id of ids) spawn(process.argv[1], ['/pid', id, '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
  ids.clear();
};
process.stdin.on('end', end).on('error', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) try { process.on(signal, () => {}); } catch {}
`;

export interface HelperProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}

export function planHelper(platform: NodeJS.Platform, systemRoot: string | undefined): HelperProgram {
  return platform === 'win32'
    ? { command: process.execPath, args: ['-e', windowsScript, taskkillPath(systemRoot)] }
    : { command: '/bin/sh', args: ['-c', posixScript, 'mcp-workbench-guardian'], cwd: '/' };
}

export function createGuardian(program = planHelper(process.platform, process.env.SystemRoot)): Guardian {
  const watched = new Set<number>();
  let helper: ChildProcess | undefined;
  let starting = false;

  const tell = (text: string) => helper?.stdin?.write(text);
  const start = () => {
    starting = false;
    const child = watched.size === 0 || helper !== undefined ? undefined : startHelper(program);
    if (child === undefined) return;
    helper = child;
    const forget = () => {
      if (helper === child) helper = undefined;
    };
    child.on('error', forget).on('exit', forget);
    tell([...watched].map((id) => `+${id}\n`).join(''));
  };
  /** Started after the servers of this turn of the event loop, so that none of them has to wait for it. */
  const startSoon = () => {
    if (!starting) setImmediate(start);
    starting = true;
  };

  return {
    watch(pid) {
      watched.add(pid);
      if (helper === undefined) startSoon();
      else tell(`+${pid}\n`);
    },
    release(pid) {
      if (watched.delete(pid)) tell(`-${pid}\n`);
    },
    get pid() {
      return helper?.pid;
    },
  };
}

/** The helper has a session of its own and not our stdout: it must survive what ends us, and hold nothing open. */
function startHelper({ command, args, cwd }: HelperProgram): ChildProcess | undefined {
  try {
    const child = spawn(command, [...args], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    child.on('error', () => {}); // Must come first: without free file descriptors there is not even a stdin.
    child.unref();
    child.stdin.on('error', () => {});
    // The pipe is a socket, and like the process it must not keep us alive.
    (child.stdin as unknown as { unref(): void }).unref();
    return child;
  } catch {
    return undefined;
  }
}

/** The guardian of this process; started right after the first server. */
export const guardian: Guardian = createGuardian();
