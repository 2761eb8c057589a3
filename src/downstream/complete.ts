/** Completion is a help that many servers do not give: one without it has nothing to propose, which is not a failure. */
import type { CallOutcome } from '../base/call.ts';
import { Payload } from '../base/payload.ts';
import { rpcCode } from '../base/rpc.ts';

export const completeMethod = 'completion/complete';

/** What a server without completion has to propose. */
export function noCompletion(): CallOutcome {
  return { result: Payload.of({ completion: { values: [] } }) };
}

/** The same for a server that says so only when it is asked. */
export async function orNoCompletion(asked: Promise<CallOutcome>): Promise<CallOutcome> {
  const outcome = await asked;
  return 'error' in outcome && outcome.error.code === rpcCode.methodNotFound ? noCompletion() : outcome;
}
