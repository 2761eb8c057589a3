/**
 * One server as a local process: lines in, lines out, and an end that leaves nothing behind.
 * Owns the pipes and the tree of processes; knows nothing of JSON or of the protocol.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { systemClock } from '../../base/async/clock.ts';
import type { Text } from '../../base/json/chunked-text.ts';
import { createLineWriter } from '../../base/rpc/line-writer.ts';
import { createLineReader } from '../../base/rpc/lines.ts';
import type { StdioTransport } from '../../config/model/config.ts';
import { createReadThrottle, type ReadThrottle } from '../rpc/read-throttle.ts';
import { guardian } from './guardian.ts';
import { endTree, type Launch, spawnTree, treeOf } from './process-tree.ts';
import { checkCwd } from './spawn-failure.ts';
import { createStderrTail } from './stderr-tail.ts';

export interface ProcessOptions extends Launch {
  /** A longer line on stdout is skipped and reported. */
  readonly maxLineBytes?: number;
  /** How much of the end of stderr is kept. */
  readonly maxTailBytes?: number;
  /** How fast stdout is read. */
  readonly pace?: ReadThrottle;
}

export interface ProcessHandlers {
  onLine(line: string): void;
  onOversize(bytes: number, head: string, tail: string): void;
  /** One line, cut at 4 KiB. */
  onStderr(line: string): void;
  /** Called once, when the process itself has exited and all its output has been handed on; no handler is called after it. */
  onExit(exit: ProcessExit): void;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly pid: number;
  /** True until the process has exited. */
  readonly running: boolean;
  /** How many bytes were sent that the process has not read yet. */
  readonly waiting: number;
  /** Never throws: when the process cannot be written to any more, `onExit` is called. */
  send(line: Text): void;
  /** The last lines on stderr. */
  stderrTail(): string[];
  /** Ends the process and everything it started, within 1.5 s. Further calls change nothing. */
  stop(): Promise<void>;
}

/** Starts a local server and hands on what it says: the border between us and the operating system. */
export type StartLocal = (transport: StdioTransport, handlers: ProcessHandlers) => Promise<ServerProcess>;

const defaultMaxLineBytes = 64 * 1024 * 1024;
/** How long the output of an exited process is still read: something it started may hold its pipes for ever. */
const lastWordsMs = 100;

/** Rejects with a WorkbenchError when the program cannot be started; then no handler is called. */
export async function startProcess(options: ProcessOptions, handlers: ProcessHandlers): Promise<ServerProcess> {
  checkCwd(options.cwd);
  const child = await spawnTree(options);
  const pid = child.pid as number;
  guardian.watch(pid);

  const { stdin, stdout, stderr } = child;
  const writer = createLineWriter(stdin, true);
  const tail = createStderrTail((line) => handlers.onStderr(line), options.maxTailBytes);
  const reader = createLineReader({
    maxBytes: options.maxLineBytes ?? defaultMaxLineBytes,
    onLine: (line) => handlers.onLine(line),
    onOversize: (bytes, head, tail) => handlers.onOversize(bytes, head, tail),
  });
  let running = true;

  const ended = new Promise<void>((resolve) => {
    child.once('exit', async (code, signal) => {
      running = false;
      hurry();
      void stop(); // What it started must not outlive it.
      await lastWords(child);
      closeStreams(child);
      reader.end();
      tail.end();
      handlers.onExit({ code, signal });
      resolve();
    });
  });

  const end = async () => {
    writer.flush();
    stdin.end();
    await endTree(treeOf(pid, () => running));
    guardian.release(pid);
    if (!running) return ended;
    // Not even SIGKILL ended it (it hangs in the kernel): it must not hold us up.
    closeStreams(child);
    child.unref();
  };
  let ending: Promise<void> | undefined;
  const stop = () => {
    ending ??= end();
    return ending;
  };

  const { pace = createReadThrottle(systemClock) } = options;
  /** Reads what the process said before it ended without rests. */
  const hurry = pace.read(stdout, (chunk: Buffer) => reader.push(chunk));
  stderr.on('data', (chunk: Buffer) => tail.push(chunk));
  // A server that has closed either pipe cannot serve another call; its exit then ends the calls that wait.
  stdout.once('end', () => void stop());
  stdin.on('error', () => void stop());
  for (const source of [child, stdout, stderr]) source.on('error', () => {});

  return {
    pid,
    get running() {
      return running;
    },
    get waiting() {
      return writer.waiting;
    },
    send(line) {
      if (stdin.writable) writer.send(line);
    },
    stderrTail: () => tail.lines(),
    stop,
  };
}

/** Resolves when the pipes are closed, or when the time is over and everything in them by then has been read. */
function lastWords(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve) => {
    const cancel = systemClock.after(lastWordsMs, () => setImmediate(resolve));
    child.once('close', () => {
      cancel();
      resolve();
    });
  });
}

function closeStreams({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): void {
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}
