/** Everything a command touches outside itself, as one value: a test passes its own. */
import type { Readable, Writable } from 'node:stream';
import type * as library from '../index.ts';

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Which of the three streams is a terminal. */
  readonly tty: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal, where there is one. */
  readonly columns: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Folder for what is remembered between runs; undefined: nothing is. */
  readonly stateDir: string | undefined;
  /** Why nothing is, although there is a folder for it. */
  readonly stateFault?: string | undefined;
  /** Aborted when the program has to end; the reason is a `StopReason`. */
  readonly signal: AbortSignal;
  /** Told when the configuration is to be read again. While nobody listens, the program ends instead. */
  onHangUp(listener: () => void): () => void;
  /** Told what is printed of a failure that nothing caught, before the program ends. */
  onFault(listener: (text: string) => void): () => void;
  /** Keeps the compiled code of the program for the next start, unless there is some; it takes a moment. */
  keepCode(): void;
  readonly program: Program;
  readonly library: Library;
}

/** `closed`: nobody reads our output any more. `fault`: a failure that nothing caught. */
export type StopReason = 'SIGINT' | 'SIGTERM' | 'closed' | 'fault';

/** This very program, for whoever has to start it again. */
export interface Program {
  /** The Node.js that runs it. */
  readonly node: string;
  readonly file: string;
  readonly demoConfig: string;
  /** Starts it as a child that serves its pipe. */
  start(args: readonly string[]): ProgramChild;
}

export interface ProgramChild {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  kill(): void;
}

/** The part of the public library that has effects. */
export type Library = Pick<
  typeof library,
  | 'createWorkbench'
  | 'findRunning'
  | 'keepRunningRecord'
  | 'loadConfig'
  | 'openBrowser'
  | 'openSignIns'
  | 'refuseStdio'
  | 'serveHttp'
  | 'serveStdio'
  | 'stopRunning'
  | 'version'
  | 'watchConfig'
>;
