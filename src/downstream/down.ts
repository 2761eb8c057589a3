/** What is said of a server that is left alone because it failed too often. */
import { WorkbenchError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';

/** `waitMs` undefined: it is being tried. `cause` is the last failure, secrets already hidden. */
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
