/** For whoever keeps account of what happens at a workbench: who came, and which calls were made; nothing of what was said in them. */
import { Busy } from '../base/busy.ts';
import type { Call, CallOutcome, Client } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { Eventual } from '../base/eventual.ts';
import { findMember } from '../base/json.ts';

export interface CallRecord {
  readonly client: Client;
  readonly method: string;
  readonly toolbox: string;
  readonly server: string;
  /** Of the tool or prompt; what else is called has none. */
  readonly name?: string | undefined;
  readonly ms: number;
  /** `ok`, `tool-error`, `input-required`, `cancelled`, `busy`, a code of ours, or `error` with the code of the protocol. */
  readonly outcome: string;
}

/** Called on the way of each call: whoever listens must not take time. */
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

export function observeCall(
  { onCall }: Observer,
  { toolbox, server, name }: Observed,
  call: Call,
  send: () => Eventual<CallOutcome>,
): Eventual<CallOutcome> {
  const began = performance.now();
  const end = (outcome: string) =>
    onCall({
      client: call.client,
      method: call.method,
      toolbox,
      server,
      name,
      ms: performance.now() - began,
      outcome: call.signal.aborted ? 'cancelled' : outcome,
    });
  return send().map(
    (outcome) => {
      end(describeOutcome(outcome));
      return outcome;
    },
    (error) => {
      end(describeFailure(error));
      throw error;
    },
  );
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
