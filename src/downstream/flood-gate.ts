/**
 * How much a server may say without being asked, on one connection: each kind of notification has its own measure, so that a
 * flood of one costs no other. What is too much is left out and counted; whoever looks after the server is told the count now
 * and then.
 */
import { type Bucket, createBucket } from '../base/bucket.ts';
import type { Clock } from '../base/clock.ts';

export interface FloodGateOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  /** At most once a minute; the message is for the person who runs the Workbench. */
  onLeftOut(message: string): void;
}

export interface FloodGate {
  /** Whether one more may pass; one that may not is counted. */
  admits(method: string): boolean;
  /** A measure for one call's progress alone. */
  createBucket(): Bucket;
  leaveOut(method: string): void;
}

/** So many at once are nothing unusual. */
const burst = 1_000;
/** A flood has a size only after a while. */
const firstNoteMs = 1_000;
const notePauseMs = 60_000;

/**
 * These pass always: they are read once for a whole burst, or find what they belong to once at most, and losing the last of them
 * would leave a client with what is no longer true.
 */
const alwaysPass =
  /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|progress|elicitation\/complete|subscriptions\/acknowledged)$/;

const kindNames: ReadonlyMap<string, string> = new Map([
  ['notifications/progress', 'progress'],
  ['notifications/message', 'log messages'],
  ['notifications/resources/updated', 'changes of resources'],
]);
const others = 'others';

export function createFloodGate({ clock, perSecond, onLeftOut }: FloodGateOptions): FloodGate {
  const buckets = new Map<string, Bucket>();
  const leftOut = new Map<string, number>();
  let notePlanned = false;
  let notedAt = Number.NEGATIVE_INFINITY;
  const open = () => createBucket(clock, { burst, perSecond });
  const note = () => {
    notePlanned = false;
    notedAt = clock.now();
    onLeftOut(tellLeftOut(leftOut, perSecond));
  };
  const count = (kind: string) => {
    leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
    if (notePlanned) return;
    notePlanned = true;
    clock.after(Math.max(firstNoteMs, notedAt + notePauseMs - clock.now()), note);
  };
  const toKind = (method: string) => kindNames.get(method) ?? others;

  return {
    admits(method) {
      if (alwaysPass.test(method)) return true;
      const kind = toKind(method);
      let bucket = buckets.get(kind);
      if (bucket === undefined) {
        bucket = open();
        buckets.set(kind, bucket);
      }
      if (bucket.take()) return true;
      count(kind);
      return false;
    },
    createBucket: open,
    leaveOut: (method) => count(toKind(method)),
  };
}

function tellLeftOut(leftOut: ReadonlyMap<string, number>, perSecond: number): string {
  const total = [...leftOut.values()].reduce((sum, each) => sum + each, 0);
  const kinds = [...leftOut].map(([kind, each]) => `${kind} ${each}`).join(', ');
  return `sent more than ${perSecond} notifications of one kind a second; ${total} were left out so far (${kinds})`;
}
