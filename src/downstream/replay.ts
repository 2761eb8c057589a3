/** A call whose connection was lost is made once more, but only when making it twice cannot do harm. */
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { Eventual, type Later } from '../base/eventual.ts';
import { findMember, findObject, findString } from '../base/json.ts';
import { methodFacts } from '../base/mcp.ts';
import type { Listing } from '../catalog/listing.ts';
import type { StartNotice } from './start-notice.ts';

/** The way to make a call on a connection. */
export interface Way {
  call(call: Call): Later<CallOutcome>;
}

export interface ReplayOptions {
  /** The way, at once where there is a connection. */
  reach(notice: StartNotice): Way | Promise<Way>;
  isRepeatable(call: Call): boolean;
  /** Keeps the server from falling asleep until `leave`. */
  enter(): void;
  leave(): void;
}

export function callWithReplay(notice: StartNotice, options: ReplayOptions): Eventual<CallOutcome> {
  const { call } = notice;
  let sent = false;
  let asked = false;
  const ask: Call['ask'] = (question, signal) => {
    asked = true;
    return call.ask(question, signal);
  };
  const send = (way: Way) => {
    sent = true;
    return way.call({ ...call, ask });
  };
  options.enter();
  return Eventual.run(() => {
    const way = options.reach(notice);
    return way instanceof Promise ? way.then(send) : send(way);
  }).map(
    (outcome) => {
      options.leave();
      return outcome;
    },
    (error) => {
      // Whoever was asked something would be asked again.
      if (sent && isLost(error) && !asked && !call.signal.aborted && options.isRepeatable(call))
        return sendAgain(notice, options).finally(options.leave);
      options.leave();
      throw error;
    },
  );
}

async function sendAgain(notice: StartNotice, options: ReplayOptions): Promise<CallOutcome> {
  // Not before all are told that the connection is lost.
  await Promise.resolve();
  const way = await options.reach(notice);
  return way.call(notice.call);
}

function isLost(error: unknown): boolean {
  return error instanceof WorkbenchError && error.code === 'WB1010';
}

/** By its nature, or by what the server says of the tool. */
export function isRepeatable(
  { method, params }: Pick<Call, 'method' | 'params'>,
  listing: Listing | undefined,
): boolean {
  if (methodFacts(method).readOnly === true) return true;
  if (method !== 'tools/call') return false;
  const name = findString(params, 'name');
  const tool = listing?.tools.find((item) => item.name === name);
  const hints = tool && findObject(tool.definition, 'annotations');
  return hints !== undefined && ['readOnlyHint', 'idempotentHint'].some((hint) => findMember(hints, hint) === true);
}
