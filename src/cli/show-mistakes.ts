/** What is wrong with a configuration that is used all the same, as a person reads it on stderr. */
import type { WorkbenchError } from '../index.ts';
import { showFailure } from './failure.ts';
import type { Context } from './session.ts';

export function showMistakes({ io, args }: Context, error: WorkbenchError): void {
  showFailure(io, error, { json: false, debug: args.has('debug'), plain: args.has('no-color') });
}
