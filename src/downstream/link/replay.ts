/** A call whose connection was lost is made once more, but only when making it twice cannot do harm. */
import type { ServerCall } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember, findObject, findString } from '../../base/json/json.ts';
import { methodFacts } from '../../base/rpc/mcp.ts';
import type { Listing } from '../../catalog/listing.ts';

export interface LostCall {
  readonly call: ServerCall;
  /** Its client was asked something, and would be asked again. */
  readonly asked: boolean;
  readonly listing: Listing | undefined;
}

/** `error` is how the call ended after it was sent. */
export function isMadeAgain(error: unknown, { call, asked, listing }: LostCall): boolean {
  return isLost(error) && !asked && !call.signal.aborted && isRepeatable(call, listing);
}

function isLost(error: unknown): boolean {
  return error instanceof WorkbenchError && error.code === 'WB1010';
}

/** By its nature, or by what a person or the server says of the tool. */
export function isRepeatable(
  { method, params, hints: set }: Pick<ServerCall, 'method' | 'params' | 'hints'>,
  listing: Listing | undefined,
): boolean {
  if (methodFacts(method).readOnly === true) return true;
  if (method !== 'tools/call') return false;
  const name = findString(params, 'name');
  const tool = listing?.tools.find((item) => item.name === name);
  const hints = set ?? (tool && findObject(tool.definition, 'annotations'));
  return hints !== undefined && ['readOnlyHint', 'idempotentHint'].some((hint) => findMember(hints, hint) === true);
}
