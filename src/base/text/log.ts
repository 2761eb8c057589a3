/**
 * Our own log: one structured line per event, never on stdout, which belongs to the protocol.
 * Text from outside goes into quoted fields only, with secrets replaced, so that it cannot forge a line or leak a secret.
 */
import { toPrintable } from './printable.ts';
import type { Redactor } from './redact.ts';

export type Severity = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log with some fields on every line. */
  with(fields: LogFields): Log;
}

const order: readonly Severity[] = ['debug', 'info', 'warn', 'error'];

export interface LogOptions {
  readonly level: Severity;
  readonly redactor: Redactor;
  readonly write: (line: string) => void;
  readonly now?: () => Date;
  readonly format?: (record: LogRecord) => string;
}

export interface LogRecord {
  readonly time: string;
  readonly level: Severity;
  readonly event: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

export function createLog(options: LogOptions, fixed: LogFields = {}): Log {
  const now = options.now ?? (() => new Date());
  const format = options.format ?? toJsonLine;
  const safe = (text: string) => toPrintable(options.redactor.hide(text), 2_000);
  const put =
    (level: Severity) =>
    (event: string, fields: LogFields = {}) => {
      if (order.indexOf(level) < order.indexOf(options.level)) return;
      const shown: Record<string, string | number | boolean> = {};
      for (const [key, value] of Object.entries({ ...fixed, ...fields })) {
        if (value !== undefined) shown[key] = typeof value === 'string' ? safe(value) : value;
      }
      options.write(`${format({ time: now().toISOString(), level, event: safe(event), fields: shown })}\n`);
    };
  return {
    debug: put('debug'),
    info: put('info'),
    warn: put('warn'),
    error: put('error'),
    with: (fields) => createLog(options, { ...fixed, ...fields }),
  };
}

/** For files and pipes: one JSON object per line. */
export function toJsonLine({ time, level, event, fields }: LogRecord): string {
  return JSON.stringify({ time, level, event, ...fields });
}

/** For a person at a terminal. */
export function toPlainLine({ level, event, fields }: LogRecord): string {
  const details = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? JSON.stringify(value) : value}`,
  );
  return [level.padEnd(5), event, ...details].join(' ');
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silentLog };
