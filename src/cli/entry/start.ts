/** The real process around `main`: streams, signals, uncaught faults, and an orderly exit. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import * as library from '../../index.ts';
import { removeFolder } from '../../state/remove-folder.ts';
import { findStateFault } from '../../state/state-folder.ts';
import { wantsJson } from '../args/args.ts';
import { toFailureJson, toFailureLine, toShownError } from '../output/failure.ts';
import type { Io, Program, StopReason } from '../run/io.ts';
import { isReloadSignal } from '../service/sighup.ts';
import { main } from './main.ts';
import { findOwnProgram, findRealPath } from './own-program.ts';

/** How long a requested end may take before it is forced: open calls over HTTP have 8 s, servers 1.5 s. */
const maxEndMs = 12_000;

/** Files in the folder `opening`: earlier versions kept their first answers to clients there. */
const oldAnswers = /^secret$|\.(opening|tmp)$/;

export interface Started {
  /** The program as it is started. */
  readonly file: string;
  keepCode(): void;
}

export async function start(argv: readonly string[], { file, keepCode }: Started): Promise<void> {
  const stopper = new AbortController();
  let ended: number | undefined;

  const stop = (reason: StopReason, forcedCode: number) => {
    if (stopper.signal.aborted) return;
    stopper.abort(reason);
    setTimeout(() => process.exit(ended ?? forcedCode), maxEndMs).unref();
  };
  const faults = new Set<(text: string) => void>();
  const fault = (error: unknown) => {
    ended = library.exitCode.unexpected;
    // Also ends when nothing is left that could end it: the command may not have begun.
    process.exitCode = ended;
    const failure = toShownError(error);
    const text = wantsJson(argv) ? toFailureJson(failure) : toFailureLine(failure, { debug: argv.includes('--debug') });
    process.stderr.write(`${text}\n`);
    for (const listener of faults) listener(text);
    stop('fault', library.exitCode.unexpected);
  };
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  process.on('SIGINT', () => {
    if (stopper.signal.aborted) process.exit(library.exitCode.interrupted);
    stop('SIGINT', library.exitCode.interrupted);
  });
  process.on('SIGTERM', () => stop('SIGTERM', library.exitCode.ok));
  const hangUps = new Set<() => void>();
  const tty = { stdin: isTTY(process.stdin), stdout: isTTY(process.stdout), stderr: isTTY(process.stderr) };
  process.on('SIGHUP', () => {
    if (hangUps.size === 0 || !isReloadSignal(process.platform, tty)) stop('SIGTERM', library.exitCode.ok);
    else for (const listener of hangUps) listener();
  });
  process.stdout.on('error', () => {
    ended ??= library.exitCode.ok;
    stop('closed', library.exitCode.ok);
  });
  process.stderr.on('error', () => {});

  library.stateOwnProgram({ program: () => findOwnWords(file) });
  const state = findState();
  const io: Io = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    tty,
    columns: process.stdout.columns,
    env: process.env,
    cwd: process.cwd(),
    ...state,
    signal: stopper.signal,
    onHangUp(listener) {
      hangUps.add(listener);
      return () => hangUps.delete(listener);
    },
    onFault(listener) {
      faults.add(listener);
      return () => faults.delete(listener);
    },
    keepCode() {
      keepCode();
      if (state.stateDir !== undefined) removeFolder(join(state.stateDir, 'opening'), oldAnswers);
    },
    program: buildProgram(file),
    library,
  };
  const code = await main(argv, io);
  // A closed stream, or one whose reader was given up, may never accept the remaining output.
  const open = stopper.signal.reason === 'closed' ? [process.stderr] : [process.stdout, process.stderr];
  await Promise.all(open.map(flush));
  process.exit(ended ?? code);
}

/** Nothing is kept where other users could have put files, or could change them. */
function findState(): Pick<Io, 'stateDir' | 'stateFault'> {
  const stateDir = library.stateDir({ env: process.env, platform: process.platform, home: homedir() });
  const stateFault = findStateFault(stateDir);
  return stateFault === undefined ? { stateDir } : { stateDir: undefined, stateFault };
}

let ownWords: readonly string[] | undefined;

function findOwnWords(file: string): readonly string[] {
  const { execPath: node, env, platform } = process;
  ownWords ??= findOwnProgram({ node, file, env, platform, realPath: findRealPath });
  return ownWords;
}

/** A stream that is not a terminal has no `isTTY` at all. */
function isTTY(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

function buildProgram(file: string): Program {
  return {
    node: process.execPath,
    file,
    demoConfig: join(dirname(file), '../demo/workbench.jsonc'),
    start(args) {
      const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
      return {
        input: child.stdin,
        output: child.stdout,
        ended: new Promise((resolve) => child.once('close', () => resolve())),
        kill: () => child.kill(),
      };
    },
  };
}

/** Resolves when everything written so far has been handed over, or can no longer be. */
function flush(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
