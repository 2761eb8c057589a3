/** A call whose connection was lost is made once more, but only when making it twice cannot do harm. */
import { type Call, type CallOutcome, withParts } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { findMember, findObject, findString } from '../base/json.ts';
import type { Listing } from '../catalog/listing.ts';
import type { StartNotice } from './start-notice.ts';

/** The way to make a call on a connection. */
export type Way = (call: Call) => Promise<CallOutcome>;

export interface ReplayOptions {
  /** The way, at once where there is a connection. */
  reach(notice: StartNotice): Way | Promise<Way>;
  isRepeatable(call: Call): boolean;
  /** Keeps the server from falling asleep until the returned function is called. */
  hold(): () => void;
}

export async function callWithReplay(notice: StartNotice, options: ReplayOptions): Promise<CallOutcome> {
  const { call } = notice;
  let asked = false;
  const ask: Call['ask'] = (question, signal) => {
    asked = true;
    return call.ask(question, signal);
  };
  const release = options.hold();
  try {
    const way = options.reach(notice);
    const send = way instanceof Promise ? await way : way;
    try {
      return await send(withParts(call, { ask }));
    } catch (error) {
      // Whoever was asked something would be asked again.
      if (!isLost(error) || asked || call.signal.aborted || !options.isRepeatable(call)) throw error;
    }
    const sendAgain = await options.reach(notice);
    return await sendAgain(call);
  } finally {
    release();
  }
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
