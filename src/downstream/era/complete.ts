/** Completion is a help that many servers do not give: one without it has nothing to propose, which is not a failure. */
import type { CallOutcome } from '../../base/call/call.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { rpcCode } from '../../base/rpc/rpc.ts';

export const completeMethod = 'completion/complete';

/** What a server without completion has to propose. */
export function noCompletion(): CallOutcome {
  return { result: RawJson.of({ completion: { values: [] } }) };
}

/** The same for a server that says so only when it is asked. */
export async function orNoCompletion(asked: Promise<CallOutcome>): Promise<CallOutcome> {
  const outcome = await asked;
  return 'error' in outcome && outcome.error.code === rpcCode.methodNotFound ? noCompletion() : outcome;
}
