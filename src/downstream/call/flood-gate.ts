/**
 * How much a server may say without being asked, on one connection: each kind of notification has its own measure, so that a
 * flood of one does not use up another. What is too much is left out and counted; the person who runs the Workbench is told the
 * count now and then.
 */

import type { Clock } from '../../base/async/clock.ts';
import { createTokenBucket, type TokenBucket } from '../../base/async/token-bucket.ts';

export interface FloodGateOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  /** Called at most once a minute; the message is for the person who runs the Workbench. */
  onLeftOut(message: string): void;
}

export interface FloodGate {
  /** A call begins, and brings an allowance of its own. */
  began(): void;
  /** Whether one more notification may pass; one that may not is counted. */
  admits(method: string): boolean;
  /** Whether one more would be left out; then it counts as left out. Asked before it is parsed, so that a flood costs little. */
  refuses(method: string): boolean;
  /** A limit for the progress of one call. */
  createBucket(): TokenBucket;
  leaveOut(method: string): void;
  /** The connection is over: a count that has not been told is told now. */
  close(): void;
}

/** So many at once are usual. */
const burst = 1_000;
/**
 * So many more with every call. By connection and not by call, because on a pipe nothing says to which call a message belongs;
 * it holds for both: what honest calls say has room however many there are, and a server without calls has only the rate.
 */
const perCall = 100;
/** Limits what silent calls leave for later. */
const most = 50_000;
/** How long a flood is counted before it is told. */
const firstNoteMs = 1_000;
const notePauseMs = 60_000;

/**
 * These always pass: a whole burst of them is read once, or each finds its subject once at most, and without the last of them a
 * client would keep what is no longer true.
 */
const alwaysPass =
  /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|progress|elicitation\/complete|subscriptions\/acknowledged)$/;

const kinds = ['progress', 'log messages', 'changes of resources', 'others'] as const;
type Kind = (typeof kinds)[number];

const kindNames: ReadonlyMap<string, Kind> = new Map([
  ['notifications/progress', 'progress'],
  ['notifications/message', 'log messages'],
  ['notifications/resources/updated', 'changes of resources'],
]);

export function createFloodGate({ clock, perSecond, onLeftOut }: FloodGateOptions): FloodGate {
  const buckets = new Map(kinds.map((kind) => [kind, createTokenBucket(clock, { burst, perSecond, most })]));
  const leftOut = new Map<Kind, number>();
  /** Calls whose allowance has not been added yet: most calls bring no notification. */
  let begun = 0;
  let cancelNote: (() => void) | undefined;
  let notedAt = Number.NEGATIVE_INFINITY;
  const note = () => {
    cancelNote = undefined;
    notedAt = clock.now();
    onLeftOut(tellLeftOut(leftOut, perSecond));
  };
  const count = (kind: Kind) => {
    leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
    cancelNote ??= clock.after(Math.max(firstNoteMs, notedAt + notePauseMs - clock.now()), note);
  };
  const toKind = (method: string) => kindNames.get(method) ?? 'others';
  /** `has` says whether the limit of a kind has room. */
  const passes = (method: string, has: (bucket: TokenBucket) => boolean): boolean => {
    if (alwaysPass.test(method)) return true;
    if (begun > 0) for (const bucket of buckets.values()) bucket.give(begun * perCall);
    begun = 0;
    const kind = toKind(method);
    if (has(buckets.get(kind) as TokenBucket)) return true;
    count(kind);
    return false;
  };

  return {
    began() {
      begun++;
    },
    admits: (method) => passes(method, (bucket) => bucket.take()),
    refuses: (method) => !passes(method, ({ waitMs }) => waitMs === 0),
    createBucket: () => createTokenBucket(clock, { burst, perSecond }),
    leaveOut: (method) => count(toKind(method)),
    close() {
      if (cancelNote === undefined) return;
      cancelNote();
      note();
    },
  };
}

function tellLeftOut(leftOut: ReadonlyMap<Kind, number>, perSecond: number): string {
  const total = [...leftOut.values()].reduce((sum, each) => sum + each, 0);
  const kinds = [...leftOut].map(([kind, each]) => `${kind} ${each}`).join(', ');
  return `sent more than ${perSecond} notifications of one kind a second; ${total} were left out so far (${kinds})`;
}
