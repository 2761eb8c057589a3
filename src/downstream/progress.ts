/**
 * Passes progress on only when it grows, over all rounds of a call. When a server tells more than a client can read, the newest is
 * kept and told later, at the latest before the answer.
 */
import type { Bucket } from '../base/bucket.ts';
import type { Call } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { findMember, type JsonObject, withoutMembers } from '../base/json.ts';
import type { FloodGate } from './flood-gate.ts';

export interface Progress {
  /** Takes progress as the server tells it. */
  tell(params: JsonObject): void;
  /** A text without a number: the progress grows by the smallest step. */
  say(message: string): void;
  /** Tells what is kept, unless the call was given up. */
  flush(): void;
}

export interface ProgressOptions {
  readonly clock: Clock;
  readonly gate: FloodGate;
}

/** For a call whose client did not ask for progress. */
export const unwantedProgress: Progress = { tell() {}, say() {}, flush() {} };

const step = 1e-3;
const method = 'notifications/progress';

export function createProgress(call: Call, { clock, gate }: ProgressOptions): Progress {
  let told = Number.NEGATIVE_INFINITY;
  let bucket: Bucket | undefined;
  let kept: JsonObject | undefined;
  let stopTimer = () => {};

  const pass = (params: JsonObject) => call.notify(method, withoutMembers(params, ['progressToken']));
  const drop = () => {
    stopTimer();
    const params = kept;
    kept = undefined;
    return params;
  };
  const keep = (params: JsonObject, { waitMs }: Bucket) => {
    if (kept !== undefined) gate.leaveOut(method);
    else
      stopTimer = clock.after(waitMs, () => {
        bucket?.take();
        flush();
      });
    kept = params;
  };
  const flush = () => {
    const params = drop();
    if (params !== undefined && !call.signal.aborted) pass(params);
  };

  return {
    tell(params) {
      const progress = findMember(params, 'progress');
      if (typeof progress !== 'number' || progress <= told) return;
      told = progress;
      bucket ??= gate.createBucket();
      if (kept !== undefined || !bucket.take()) keep(params, bucket);
      else pass(params);
    },
    say(message) {
      flush();
      told = Math.max(0, told) + step;
      call.notify(method, { progress: told, message });
    },
    flush,
  };
}
