/** Keeps the status of one server, and tells when it changes. All text of a server is made printable, and its secrets are hidden. */
import type { ErrorCode } from '../../base/errors/errors.ts';
import { toFixFor, WorkbenchError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/text/log.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { Redactor } from '../../base/text/redact.ts';
import type { ServerEdge } from '../era/edge.ts';
import { aboutOf } from '../listing/known.ts';
import { toTelling } from '../process/last-words.ts';
import type { LinkFailure, LinkStatus } from './link-status.ts';

export interface StatusTrackerOptions {
  /** Its name in the configuration. */
  readonly server: string;
  /** The first status. */
  readonly status: LinkStatus;
  readonly log: Log;
  readonly redactor: Redactor;
  onChanged(): void;
}

export interface StatusTracker {
  readonly status: LinkStatus;
  /** The last failure, also while the server is tried again. */
  readonly lastFailure: WorkbenchError | undefined;
  /** Sets the status of a server that was not started yet. */
  begin(status: LinkStatus): void;
  starting(): void;
  ready(edge: ServerEdge, startMs: number): void;
  sleeping(): void;
  /** Gives the failure as it may be shown. */
  failed(
    cause: WorkbenchError,
    how: Pick<LinkStatus, 'state' | 'retryAt'> & { stderr: readonly string[] },
  ): WorkbenchError;
  /** The server is connected and does not give what it is there for; undefined when it does. */
  lacks(cause: WorkbenchError | undefined): void;
  note(code: ErrorCode, message: string): void;
  /** Replaces the last note with this code. */
  renote(code: ErrorCode, message: string): void;
  /** Removes a note that is no longer true. */
  forget(message: string): void;
  /** The server wrote a line that is not a message. */
  noise(line: string): void;
}

const noiseShown = 3;
const stderrShown = 10;

export function createStatusTracker(options: StatusTrackerOptions): StatusTracker {
  const { log, redactor, onChanged } = options;
  let { status } = options;
  let lastFailure: WorkbenchError | undefined;
  let lack: LinkFailure | undefined;
  let noise = 0;
  const update = (next: LinkStatus) => {
    status = next;
    onChanged();
  };
  const note = (code: ErrorCode, message: string) => {
    if (status.notes.some((known) => known.message === message)) return;
    log.warn(message, { code });
    update({ ...status, notes: [...status.notes, { code, message }] });
  };
  const toShown = (cause: WorkbenchError): WorkbenchError => {
    // Commands and folders may be named by variables, and the value of a variable may be a secret.
    const fix = redactor.hide(toFixFor(options.server, cause));
    return new WorkbenchError(cause.code, redactor.hide(cause.message), { fix });
  };
  return {
    get status() {
      return status;
    },
    get lastFailure() {
      return lastFailure;
    },
    begin: update,
    starting() {
      noise = 0;
      // What is known from an earlier run still stands.
      update({ ...(status.listedAt === undefined ? {} : status), state: 'starting', notes: [] });
    },
    ready(edge, startMs) {
      update({ state: 'ready', notes: status.notes, ...aboutOf(edge), startMs, ...(lack && { failure: lack }) });
    },
    sleeping: () => update({ ...status, state: 'sleeping' }),
    failed(cause, { state, retryAt, stderr }) {
      const { hide } = redactor;
      lastFailure = toShown(cause);
      const { code, message, fix } = lastFailure;
      const shown = toTelling(stderr)
        .slice(-stderrShown)
        .map((line) => toPrintable(hide(line), 300));
      const failure = { code, message, fix, stderr: shown };
      const { listedAt, notes } = status;
      update({
        state,
        notes,
        failure,
        ...(retryAt === undefined ? {} : { retryAt }),
        ...(listedAt === undefined ? {} : { listedAt }),
      });
      return lastFailure;
    },
    lacks(cause) {
      const shown = cause && toShown(cause);
      if (shown?.message === lack?.message) return;
      lack = shown && { code: shown.code, message: shown.message, fix: shown.fix, stderr: [] };
      if (shown !== undefined) log.warn(shown.message, { code: shown.code });
      // While the server is starting, `ready` tells it.
      if (status.state !== 'ready') return;
      const { failure: _before, ...rest } = status;
      update({ ...rest, ...(lack && { failure: lack }) });
    },
    note,
    renote(code, message) {
      log.warn(message, { code });
      update({ ...status, notes: [...status.notes.filter((known) => known.code !== code), { code, message }] });
    },
    forget(message) {
      const notes = status.notes.filter((known) => known.message !== message);
      if (notes.length < status.notes.length) update({ ...status, notes });
    },
    noise(line) {
      noise++;
      if (noise > noiseShown) return;
      note('WB1006', `printed text on stdout that is not a message: ${toPrintable(redactor.hide(line), 120)}`);
    },
  };
}
