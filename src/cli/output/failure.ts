/** A failure as a person or a script reads it that started a command. */
import { toMessage } from '../../base/errors/errors.ts';
import { ConfigError, errorTable, exitCode, toPrintable, WorkbenchError } from '../../index.ts';
import type { Io } from '../run/io.ts';
import { createPaint, type Paint, wantsColour } from './colour.ts';
import { toJsonText, toPrintableLines } from './output.ts';
import { toProblemJson } from './problem-json.ts';

/** Turns any failure into one of ours; any other error is a fault of the program. */
export function toShownError(error: unknown): WorkbenchError {
  if (error instanceof WorkbenchError) return error;
  return new WorkbenchError('WB1999', `Unexpected failure: ${toMessage(error)}`, { cause: error });
}

/** The same failure with secrets replaced by their names: it may contain text of a server. */
export function hideSecrets(error: unknown, hide: (text: string) => string): unknown {
  // The problems of a configuration are shown without values, and say more than their message.
  if (error instanceof ConfigError || !(error instanceof Error)) return error;
  const { code, message, fix, cause } = toShownError(error);
  const hidden = new WorkbenchError(code, hide(message), { fix: hide(fix), cause: hideStack(cause, hide) });
  return hidden;
}

function hideStack(cause: unknown, hide: (text: string) => string): unknown {
  if (!(cause instanceof Error)) return undefined;
  const hidden = new Error(hide(cause.message));
  hidden.stack = hide(cause.stack ?? '');
  return hidden;
}

/** A value with all its texts redacted. */
export function hideIn<T>(value: T, hide: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? hide(each) : each,
  ) as T;
}

export function toExitCode(error: WorkbenchError): number {
  if (error instanceof ConfigError) return exitCode.usage;
  const { exit } = errorTable[error.code];
  return exit === exitCode.ok ? exitCode.unexpected : exit;
}

/** For a person on stderr, even with `--quiet`. */
export function showFailure(
  { stderr, tty, env }: Pick<Io, 'stderr' | 'tty' | 'env'>,
  error: WorkbenchError,
  { json, debug, plain }: { readonly json: boolean; readonly debug: boolean; readonly plain: boolean },
): void {
  const paint = createPaint(wantsColour({ isTTY: tty.stderr, env, refused: plain }));
  stderr.write(`${json ? toFailureJson(error) : toFailureText(error, { paint, debug })}\n`);
}

/** For a person: what happened, what to do, the code to look up. */
function toFailureText(error: WorkbenchError, { paint, debug }: { paint: Paint; debug: boolean }): string {
  const stack = debug ? toStack(error) : '';
  // A configuration error has its own places, codes and fixes.
  if (error instanceof ConfigError) return `${toPrintableLines(error.message)}${stack}`;
  const [first = '', ...rest] = toPrintableLines(error.message).split('\n');
  return [
    `${paint.red('✗')} ${first}`,
    ...rest.map((line) => `  ${line}`.trimEnd()),
    `  Fix  ${toPrintable(error.fix)}`,
    `  ${paint.dim(error.code)}${stack}`,
  ].join('\n');
}

/** For a log that a client reads: everything in one line. */
export function toFailureLine(error: WorkbenchError, { debug }: { debug: boolean }): string {
  return `${error.code} ${toPrintable(error.message)} ${toPrintable(error.fix)}${debug ? toStack(error) : ''}`;
}

/** For a script: one line. */
export function toFailureJson(error: WorkbenchError): string {
  const problems = error instanceof ConfigError ? { problems: error.problems.map(toProblemJson) } : {};
  return toJsonText(
    { error: { code: error.code, exit: toExitCode(error), message: error.message, fix: error.fix, ...problems } },
    0,
  );
}

/** The origin of a failure that is not ours. */
function toStack({ cause }: WorkbenchError): string {
  return cause instanceof Error ? `\n${toPrintableLines(cause.stack ?? '')}` : '';
}
