/** One call on the wire, from its request to its end: answered, cancelled, out of time or lost. */
import type { Call, Outcome } from '../base/call.ts';
import { toWorkbenchError, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { OpenMap } from '../base/open-map.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { ServerDefinition } from '../config/config.ts';
import { OpenCall } from './open-call.ts';
import type { Peer, Pending } from './peer.ts';
import type { Timed, TimeLimit, TimeLimits } from './time-limit.ts';

/** What all calls of a connection have in common. */
export interface Wire {
  readonly peer: Peer;
  readonly definition: ServerDefinition;
  readonly limits: TimeLimits;
  /** Holds each call for as long as it is under way. */
  readonly inFlight: OpenMap<number, OpenCall>;
  /** Nobody waits for it any more, but the server may go on. */
  onGivenUp(call: Call): void;
}

export interface SendOptions {
  /** Of the request, from the peer. */
  readonly id: number;
  readonly params: JsonObject;
  onProgress(params: JsonObject): void;
}

export const cancelled: Outcome = { error: rpcError(rpcCode.internal, 'The call was cancelled.') };

/** For a call that is still wanted. Rejects with a WorkbenchError when there is no answer to be had. */
export function sendCall(call: Call, wire: Wire, options: SendOptions): Promise<Outcome> {
  return new SentCall(call, wire, options).outcome;
}

/** One object with methods rather than a closure for each way to end: there is one for every call. */
class SentCall implements Pending, Timed {
  readonly outcome: Promise<Outcome>;
  readonly #call: Call;
  readonly #wire: Wire;
  readonly #options: SendOptions;
  readonly #limit: TimeLimit;
  readonly #open: OpenCall;
  #resolve!: (outcome: Outcome) => void;
  #reject!: (error: unknown) => void;
  readonly #onAbort = () => {
    this.#giveUp('cancelled by the client');
    this.#resolve(cancelled);
  };

  constructor(call: Call, wire: Wire, options: SendOptions) {
    const { peer, limits, inFlight } = wire;
    const { id, params } = options;
    this.#call = call;
    this.#wire = wire;
    this.#options = options;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // First of all, because it throws when the params cannot be written.
    peer.open(id, call.method, params, this);
    this.#limit = limits.begin(this);
    this.#open = new OpenCall(call, this.#limit);
    inFlight.set(id, this.#open);
    call.signal.addEventListener('abort', this.#onAbort);
  }

  resolve(outcome: Outcome): void {
    this.#finish();
    this.#resolve(outcome);
  }

  reject(error: Error): void {
    this.#finish();
    this.#reject(toWorkbenchError(error));
  }

  onTimeOver(): void {
    this.#giveUp('time limit');
    this.#reject(tooSlow(this.#wire.definition));
  }

  onProgress(params: JsonObject): void {
    this.#limit.sign();
    this.#options.onProgress(params);
  }

  #giveUp(reason: string): void {
    this.#wire.peer.cancel(this.#options.id, reason);
    this.#wire.onGivenUp(this.#call);
    this.#finish();
  }

  #finish(): void {
    this.#call.signal.removeEventListener('abort', this.#onAbort);
    this.#wire.inFlight.take(this.#options.id);
    this.#open.end();
  }
}

export function tooSlow({ name, timeoutMs }: ServerDefinition): WorkbenchError {
  return new WorkbenchError(
    'WB1011',
    `Server '${name}' gave no answer within ${timeoutMs / 1000} s; the call was cancelled.`,
  );
}
