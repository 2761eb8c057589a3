/**
 * The progress of one call, which only grows: over its server's start, all rounds and a repetition, what is not more than was told
 * before is not told. Where a server tells more than a client can read, the newest is kept and told when its time has come, at the
 * latest before the answer.
 */

import type { Clock } from '../../base/async/clock.ts';
import type { TokenBucket } from '../../base/async/token-bucket.ts';
import type { Call } from '../../base/call/call.ts';
import { findMember, type JsonObject, withoutMembers } from '../../base/json/json.ts';
import type { FloodGate } from './flood-gate.ts';

export interface Progress {
  /** Measures what the server tells from here on. */
  through(gate: FloodGate): void;
  /** Takes progress as the server tells it. */
  tell(params: JsonObject): void;
  /** Words without a number: the progress grows by as little as this. */
  say(message: string, step?: number): void;
  /** Tells what is kept, unless the call was given up. */
  flush(): void;
}

/** For a call whose client does not want to hear of progress. */
export const unwantedProgress: Progress = { through() {}, tell() {}, say() {}, flush() {} };

const method = 'notifications/progress';

export function createProgress(call: Call, clock: Clock): Progress {
  if (!call.wantsProgress) return unwantedProgress;
  let told = Number.NEGATIVE_INFINITY;
  let gate: FloodGate | undefined;
  let bucket: TokenBucket | undefined;
  let kept: JsonObject | undefined;
  let stopTimer = () => {};

  const pass = (params: JsonObject) => call.notify(method, withoutMembers(params, ['progressToken']));
  const drop = () => {
    stopTimer();
    const params = kept;
    kept = undefined;
    return params;
  };
  const keep = (params: JsonObject, { waitMs }: TokenBucket) => {
    if (kept !== undefined) gate?.leaveOut(method);
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
    through(next) {
      gate = next;
      bucket ??= next.createBucket();
    },
    tell(params) {
      const progress = findMember(params, 'progress');
      if (typeof progress !== 'number' || progress <= told) return;
      told = progress;
      if (bucket !== undefined && (kept !== undefined || !bucket.take())) keep(params, bucket);
      else pass(params);
    },
    say(message, step = 1e-3) {
      flush();
      told = Math.max(0, told) + step;
      call.notify(method, { progress: told, message });
    },
    flush,
  };
}
