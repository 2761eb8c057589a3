/** Progress that only grows: over all rounds of a call, what is not more than was told before is not told. */
import type { Call } from '../base/call.ts';
import { findMember, type JsonObject, withoutMembers } from '../base/json.ts';

export interface Progress {
  /** As the server tells it. */
  tell(params: JsonObject): void;
  /** Words without a number: it grows by as little as it can. */
  say(message: string): void;
}

const step = 1e-3;

export function createProgress(call: Call): Progress {
  let told = Number.NEGATIVE_INFINITY;
  return {
    tell(params) {
      const progress = findMember(params, 'progress');
      if (typeof progress !== 'number' || progress <= told) return;
      told = progress;
      call.notify('notifications/progress', withoutMembers(params, ['progressToken']));
    },
    say(message) {
      told = Math.max(0, told) + step;
      call.notify('notifications/progress', { progress: told, message });
    },
  };
}
