/**
 * All errors as a closed table: one code each, what it means, what to do, and how a command exits. The reference page is
 * generated from this table, and a test keeps both the same.
 */

import { fillCommands } from '../text/own-command.ts';
import type { ErrorEntry } from './error-entry.ts';
import { configErrors } from './errors-config.ts';
import { networkErrors } from './errors-network.ts';
import { serverErrors } from './errors-server.ts';
import { useErrors } from './errors-use.ts';

export { type ErrorEntry, exitCode } from './error-entry.ts';

export const errorTable = {
  ...serverErrors,
  ...configErrors,
  ...networkErrors,
  ...useErrors,
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** A failure of ours, with its code. `message` is for the person or model that must act, and never holds a secret. */
export class WorkbenchError extends Error {
  readonly code: ErrorCode;
  /** The fix for this case, where it can be more precise than the general one of the table. */
  readonly fix: string;

  /** `server` is the name that replaces `<server>` in the fix of the table. */
  constructor(code: ErrorCode, message: string, options: { fix?: string; server?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkbenchError';
    this.code = code;
    this.fix = options.fix ?? toGeneralFix(code, options.server);
  }
}

/** The fix of the table, with its commands in a form that can be pasted. */
function toGeneralFix(code: ErrorCode, server?: string): string {
  return fillCommands(errorTable[code].fix, server);
}

/** The fix of a failure of this server: the code that failed did not always know for which server. */
export function toFixFor(server: string, { code, fix }: WorkbenchError): string {
  return fix === toGeneralFix(code) ? toGeneralFix(code, server) : fix;
}

/** A failure of any kind, in one line. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Turns any failure into one of ours. */
export function toWorkbenchError(error: unknown): WorkbenchError {
  return error instanceof WorkbenchError ? error : new WorkbenchError('WB1999', toMessage(error));
}
