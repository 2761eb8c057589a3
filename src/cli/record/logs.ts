/** Where the log of a run goes: stderr, and the file that was named. */

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../../base/errors/code-of.ts';
import {
  createLog,
  type Log,
  type Redactor,
  type Severity,
  toJsonLine,
  toPlainLine,
  WorkbenchError,
} from '../../index.ts';
import type { Args } from '../args/args.ts';
import type { Io } from '../run/io.ts';

export interface Logs {
  readonly log: Log;
  close(): void;
}

export interface LogsOptions {
  readonly io: Io;
  readonly args: Args;
  readonly redactor: Redactor;
  /** The levels that reach stderr without `--debug`. */
  readonly level: 'warn' | 'error';
}

export function createLogs({ io, args, redactor, level }: LogsOptions): Logs {
  const debug = args.has('debug');
  const toStderr = createLog({
    level: debug ? 'debug' : level,
    redactor,
    write: (line) => io.stderr.write(line),
    format: io.tty.stderr ? toPlainLine : toJsonLine,
  });
  const path = args.text('log-file');
  if (path === undefined) return { log: toStderr, close() {} };
  const file = openLogFile(resolve(io.cwd, path));
  const toFile = createLog({ level: debug ? 'debug' : 'info', redactor, write: file.write });
  return { log: both(toStderr, toFile), close: file.close };
}

// Windows has no O_NONBLOCK. A pipe without a reader must not keep the service from starting.
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Appends; a new file is readable by its owner only. */
function openLogFile(path: string): { write(line: string): void; close(): void } {
  let file: number | undefined;
  try {
    file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  } catch (error) {
    throw new WorkbenchError('WB1901', `The log file ${path} cannot be written (${codeOf(error)}).`, {
      fix: 'Name a file in a folder that exists and that you may write to.',
    });
  }
  return {
    write(line) {
      if (file === undefined) return;
      try {
        writeSync(file, line);
      } catch {
        // A full disk must not end the service; the lines are lost.
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** Writes to both logs. */
export function both(first: Log, second: Log): Log {
  const write =
    (level: Severity): Log[Severity] =>
    (event, fields) => {
      first[level](event, fields);
      second[level](event, fields);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (fields) => both(first.with(fields), second.with(fields)),
  };
}
