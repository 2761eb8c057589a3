/** The state of one server, as `list` and `check` show it: secrets hidden, stable keys, nothing undefined. */
import { defined } from '../../base/json/defined.ts';
import { type ErrorCode, errorTable, exitCode, type ServerStatus, toOwnCommand, toPrintable } from '../../index.ts';
import type { Paint } from './colour.ts';
import { hideIn } from './failure.ts';

/** With `hide`, text of the server itself (its messages, its stderr) cannot show a secret that it was given. */
export function toServerReport(status: ServerStatus, hide: (text: string) => string): ServerStatus {
  const { name, label, key, state, transport, shown, toolboxes, era, protocolVersion, info } = status;
  const { tools, toolsShown, startMs, failure } = status;
  return {
    name,
    ...defined({ label }),
    key,
    state,
    transport,
    shown,
    toolboxes,
    ...defined({ era, protocolVersion }),
    ...(info === undefined ? {} : { info: hideIn(info, hide) }),
    ...defined({ tools, toolsShown, startMs }),
    ...(failure === undefined ? {} : { failure: toFailureReport(failure, hide) }),
    notes: status.notes.map(({ code, message }) => ({ code, message: hide(message) })),
  };
}

/** As clients see it: `3 of 14` where filters leave some out. */
export function toToolCount({
  tools,
  toolsShown = tools,
}: Pick<ServerStatus, 'tools' | 'toolsShown'>): string | undefined {
  if (tools === undefined) return undefined;
  return toolsShown === tools ? String(tools) : `${toolsShown} of ${tools}`;
}

/** With its names in its toolboxes, where they differ. */
export function toNameText({ name, label }: Pick<ServerStatus, 'name' | 'label'>): string {
  return toPrintable(label === undefined ? name : `${name} (as ${label})`);
}

type Failure = NonNullable<ServerStatus['failure']>;

function toFailureReport({ code, message, fix, stderr }: Failure, hide: (text: string) => string): Failure {
  return { code, message: hide(message), fix: hide(fix), stderr: stderr.map(hide) };
}

/** A server that only waits for a person to sign in is not broken. */
const marks = {
  ready: '✓',
  sleeping: '✓',
  failing: '✗',
  down: '✗',
  'needs-sign-in': '!',
  disabled: '⊘',
  configured: '…',
  known: '…',
  starting: '…',
} as const satisfies Record<ServerStatus['state'], string>;

export function toMark(status: ServerStatus): string {
  if (isLeftOut(status)) return '!';
  return isConnected(status) && hasFailed(status) ? '✗' : marks[status.state];
}

/** The entry is this program itself: correct for the client that reads the same file, but not served here. */
function isLeftOut({ failure }: ServerStatus): boolean {
  return failure?.code === 'WB1023';
}

/** A server that was tried and could not be used, or is connected but does not list its tools. */
export function hasFailed(status: ServerStatus): boolean {
  const { state, failure } = status;
  if (isConnected(status)) return failure !== undefined;
  return state === 'failing' || state === 'down' || state === 'needs-sign-in';
}

function isConnected({ state }: ServerStatus): boolean {
  return state === 'ready' || state === 'sleeping';
}

export function paintMark(paint: Paint, mark: string): string {
  if (mark === '✓') return paint.green(mark);
  if (mark === '✗') return paint.red(mark);
  return mark === '!' ? paint.yellow(mark) : paint.dim(mark);
}

/** The state in words; for a failure, its name. */
export function toStateText(status: ServerStatus): string {
  const { state, failure } = status;
  if (hasFailed(status) && failure !== undefined) return errorTable[failure.code].title;
  return state === 'configured' ? 'not started' : state;
}

/** A server that was asked to start and is not available. */
export function isOutOfReach(status: ServerStatus): boolean {
  return hasFailed(status) || status.state === 'starting' || status.state === 'configured';
}

/** Exit code of the worst of several servers. Servers that are left out count only when there is nothing else. */
export function worstExit(statuses: readonly ServerStatus[]): number {
  const counted = statuses.every(isLeftOut) ? statuses : statuses.filter((status) => !isLeftOut(status));
  return Math.max(exitCode.ok, ...counted.filter(isOutOfReach).map(({ failure }) => failureExit(failure?.code)));
}

function failureExit(code: ErrorCode | undefined): number {
  const exit = code === undefined ? exitCode.ok : errorTable[code].exit;
  return exit === exitCode.ok ? exitCode.unreachable : exit;
}

/** The command that shows more about a server. */
export function toCheckCommand(name: string): string {
  return toOwnCommand(['check'], [name]);
}
