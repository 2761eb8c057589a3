/** A call whose connection was lost is made once more, but only when making it twice cannot do harm. */
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { findMember, findObject, findString } from '../base/json.ts';
import type { Listing } from '../catalog/listing.ts';

export interface ReplayOptions {
  /** Connects when needed, and gives the way to make the call there. */
  reach(): Promise<(call: Call) => Promise<CallOutcome>>;
  isRepeatable(): boolean;
}

export async function callWithReplay(call: Call, { reach, isRepeatable }: ReplayOptions): Promise<CallOutcome> {
  const send = await reach();
  let asked = false;
  const ask: Call['ask'] = (question, signal) => {
    asked = true;
    return call.ask(question, signal);
  };
  try {
    return await send({ ...call, ask });
  } catch (error) {
    // Whoever was asked something would be asked again.
    if (!isLost(error) || asked || call.signal.aborted || !isRepeatable()) throw error;
  }
  const sendAgain = await reach();
  return sendAgain(call);
}

function isLost(error: unknown): boolean {
  return error instanceof WorkbenchError && error.code === 'WB1010';
}

const readOnlyMethods: ReadonlySet<string> = new Set(['prompts/get', 'resources/read', 'completion/complete']);

/** By its nature, or by what the server says of the tool. */
export function isRepeatable(
  { method, params }: Pick<Call, 'method' | 'params'>,
  listing: Listing | undefined,
): boolean {
  if (readOnlyMethods.has(method)) return true;
  if (method !== 'tools/call') return false;
  const name = findString(params, 'name');
  const tool = listing?.tools.find((item) => item.name === name);
  const hints = tool && findObject(tool.definition, 'annotations');
  return hints !== undefined && ['readOnlyHint', 'idempotentHint'].some((hint) => findMember(hints, hint) === true);
}
