/**
 * Everything that can go wrong, as a closed table: one code, what it means, what to do, how a command exits.
 * The reference page is generated from this table and a test holds both together.
 */

import type { ErrorEntry } from './error-entry.ts';
import { configErrors } from './errors-config.ts';
import { networkErrors } from './errors-network.ts';
import { serverErrors } from './errors-server.ts';
import { useErrors } from './errors-use.ts';
import { fillCommands } from './own-command.ts';

export { type ErrorEntry, exitCode } from './error-entry.ts';

export const errorTable = {
  ...serverErrors,
  ...configErrors,
  ...networkErrors,
  ...useErrors,
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** A failure of ours, with its code. `message` is for the one who must act and never holds a secret. */
export class WorkbenchError extends Error {
  readonly code: ErrorCode;
  /** What to do in this very case, when the table's general advice can be bettered. */
  readonly fix: string;

  /** `server` is the one that the advice of the table is about. */
  constructor(code: ErrorCode, message: string, options: { fix?: string; server?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkbenchError';
    this.code = code;
    this.fix = options.fix ?? toGeneralFix(code, options.server);
  }
}

/** What the table advises, with its commands as they can be pasted. */
function toGeneralFix(code: ErrorCode, server?: string): string {
  return fillCommands(errorTable[code].fix, server);
}

/** The advice of a failure of this server: whoever failed did not always know for which. */
export function toFixFor(server: string, { code, fix }: WorkbenchError): string {
  return fix === toGeneralFix(code) ? toGeneralFix(code, server) : fix;
}

/** What to say of a failure of any kind, in one line. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Any failure as one of ours. */
export function toWorkbenchError(error: unknown): WorkbenchError {
  return error instanceof WorkbenchError ? error : new WorkbenchError('WB1999', toMessage(error));
}
