/** The status of a server, as clients, commands and programs see it. */
import { type ErrorCode, WorkbenchError } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { About, Known } from '../listing/known.ts';

/**
 * `configured`: never heard. `known`: its offer is known from an earlier run, it was not started yet. `sleeping`: ended because no
 * client used it; the next call starts it. `failing`: not running, and tried again by itself or by the next call. `down`: failed too
 * often and left alone for a while. `needs-sign-in`: waits for a person.
 */
export type LinkState =
  | 'configured'
  | 'known'
  | 'starting'
  | 'ready'
  | 'sleeping'
  | 'failing'
  | 'down'
  | 'needs-sign-in'
  | 'disabled';

export interface LinkFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fix: string;
  readonly stderr: readonly string[];
}

export interface LinkStatus extends About {
  readonly state: LinkState;
  /** When an earlier run heard what it offers; undefined once this run has. */
  readonly listedAt?: number;
  /** Time from the start of the process to a complete list. */
  readonly startMs?: number;
  readonly failure?: LinkFailure;
  /** Time of the next try: a `failing` server is tried then, a `down` server not before. */
  readonly retryAt?: number;
  readonly notes: readonly { readonly code: ErrorCode; readonly message: string }[];
}

/** The status of a server that was not started yet. */
export function toFirstStatus({ disabled }: { disabled: boolean }, known: Known | undefined): LinkStatus {
  if (disabled) return { state: 'disabled', notes: [] };
  if (known === undefined) return { state: 'configured', notes: [] };
  return { state: 'known', notes: [], listedAt: known.heardAt, ...known.about };
}

/** The state of a server after a failure. */
export function toFailedState({ code }: Pick<WorkbenchError, 'code'>, { isDown }: { isDown: boolean }): LinkState {
  if (code === 'WB1201') return 'needs-sign-in';
  return isDown ? 'down' : 'failing';
}

/** For a server that is left alone because it failed too often. `waitMs` undefined: it is being tried. `cause` is the last failure, secrets already hidden. */
export function toDownError(
  server: string,
  { waitMs, cause }: { waitMs: number | undefined; cause: string | undefined },
): WorkbenchError {
  const when =
    waitMs === undefined
      ? 'It is being tried again right now.'
      : `It is tried again in ${Math.ceil(waitMs / 1_000)} s at the earliest.`;
  const why = cause === undefined ? '' : ` Last failure: ${toPrintable(cause, 120)}`;
  return new WorkbenchError(
    'WB1018',
    `Server '${toPrintable(server, 60)}' is down after repeated failures. ${when}${why}`,
    { server },
  );
}
