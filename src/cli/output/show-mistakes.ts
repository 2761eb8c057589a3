/** Shows the mistakes of a configuration that is used anyway: in full on stderr, in short elsewhere. */
import { type Config, type LeftOutItem, listLeftOut, type WorkbenchError } from '../../index.ts';
import type { Context } from '../run/session.ts';
import { showFailure } from './failure.ts';

export function showMistakes({ io, args }: Context, error: WorkbenchError): void {
  showFailure(io, error, { json: false, debug: args.has('debug'), plain: args.has('no-color') });
}

export function toMistakeLine({ what, code, message, fix }: LeftOutItem): string {
  return `${what}: ${message}. ${fix} [${code}]`;
}

/** One line for each, for `ps` and the like. */
export function toMistakeLines({ leftOut }: Config): string[] {
  return leftOut === undefined ? [] : listLeftOut(leftOut).map(toMistakeLine);
}
