/** The events that an observer of a workbench gets: which clients came and which calls they made, never the content of a call. */

import type { Call, CallOutcome, Client } from '../../base/call/call.ts';
import { Busy } from '../../base/errors/busy.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember } from '../../base/json/json.ts';

export interface CallRecord {
  readonly client: Client;
  readonly method: string;
  readonly toolbox: string;
  readonly server: string;
  /** The tool or prompt; undefined for other calls. */
  readonly name?: string | undefined;
  readonly ms: number;
  /** `ok`, `tool-error`, `input-required`, `cancelled`, `busy`, a code of ours, or `error` with the code of the protocol. */
  readonly outcome: string;
}

/** Called during each call, so it must not take time. */
export interface Observer {
  onCall(record: CallRecord): void;
  /** A client has come that stays connected; `client.session` says when it leaves. */
  onClient(client: Client): void;
}

export interface Observed {
  readonly toolbox: string;
  readonly server: string;
  readonly name?: string;
}

/** Tells the observer, if there is one, how a call ends; the outcome stays as it is. */
export function observeCall(
  observer: Observer | undefined,
  place: Observed,
  call: Call,
  outcome: Promise<CallOutcome>,
): Promise<CallOutcome> {
  return observer === undefined ? outcome : record(observer, place, call, outcome);
}

async function record(
  { onCall }: Observer,
  { toolbox, server, name }: Observed,
  { client, method, signal }: Call,
  outcome: Promise<CallOutcome>,
): Promise<CallOutcome> {
  const began = performance.now();
  let ended = '';
  try {
    const given = await outcome;
    ended = describeOutcome(given);
    return given;
  } catch (error) {
    ended = describeFailure(error);
    throw error;
  } finally {
    const ms = performance.now() - began;
    onCall({ client, method, toolbox, server, name, ms, outcome: signal.aborted ? 'cancelled' : ended });
  }
}

function describeOutcome(outcome: CallOutcome): string {
  if ('inputRequired' in outcome) return 'input-required';
  if ('error' in outcome) return `error ${outcome.error.code}`;
  return findMember(outcome.result.value, 'isError') === true ? 'tool-error' : 'ok';
}

function describeFailure(error: unknown): string {
  if (error instanceof WorkbenchError) return error.code;
  return error instanceof Busy ? 'busy' : 'failed';
}
