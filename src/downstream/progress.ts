/** Progress that only grows: over all rounds of a call, what is not more than was told before is not told. */
import type { Call } from '../base/call.ts';
import { findMember, type JsonObject, withoutMembers } from '../base/json.ts';

export function createProgress(call: Call): (params: JsonObject) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (params) => {
    const progress = findMember(params, 'progress');
    if (typeof progress !== 'number' || progress <= told) return;
    told = progress;
    call.notify('notifications/progress', withoutMembers(params, ['progressToken']));
  };
}
