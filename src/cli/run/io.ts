/** Everything a command touches outside itself, as one value: a test passes its own. */
import type { Readable, Writable } from 'node:stream';
import type * as library from '../../index.ts';

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
  /** The state folder; undefined when nothing is kept. */
  readonly stateDir: string | undefined;
  /** Why nothing is kept, although there is a state folder. */
  readonly stateFault?: string | undefined;
  /** Aborted when the program has to end; the reason is a `StopReason`. */
  readonly signal: AbortSignal;
  /** Called when the configuration is to be read again. Without a listener the program ends instead. */
  onHangUp(listener: () => void): () => void;
  /** Called with the text of an uncaught failure before the program ends. */
  onFault(listener: (text: string) => void): () => void;
  /** Stores the compiled code of the program for the next start, unless it is stored already; takes a moment. */
  keepCode(): void;
  readonly program: Program;
  readonly library: Library;
}

/** `closed`: our output has no reader any more. `fault`: an uncaught failure. */
export type StopReason = 'SIGINT' | 'SIGTERM' | 'closed' | 'fault';

/** How to start this program again. */
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
  | 'collectSurfaces'
  | 'createWorkbench'
  | 'findRunning'
  | 'findTools'
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
