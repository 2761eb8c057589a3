/** Completion is a help that many servers do not give: one without it has nothing to propose, which is no failure. */

import type { CallOutcome } from '../base/call.ts';
import type { Later } from '../base/eventual.ts';
import { Payload } from '../base/payload.ts';
import { rpcCode } from '../base/rpc.ts';
import type { ServerEdge } from './edge.ts';

export const completeMethod = 'completion/complete';

/** `send` makes the call. */
export async function completeOrNothing(edge: ServerEdge, send: () => Later<CallOutcome>): Promise<CallOutcome> {
  if (!edge.completes) return nothing();
  const outcome = await send();
  return 'error' in outcome && outcome.error.code === rpcCode.methodNotFound ? nothing() : outcome;
}

function nothing(): CallOutcome {
  return { result: Payload.of({ completion: { values: [] } }) };
}
