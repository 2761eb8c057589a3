/** One call on the wire, from its request to its end: answered, cancelled, out of time or lost. */

import type { InFlightMap } from '../../base/async/in-flight-map.ts';
import type { Call, CallOutcome, Outcome } from '../../base/call/call.ts';
import { toWorkbenchError, WorkbenchError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import type { Pending, RpcPeer } from '../rpc/rpc-peer.ts';
import { InFlightCall } from './in-flight-call.ts';
import type { Timed, TimeLimits } from './time-limit.ts';

/** What all calls of a connection have in common. */
export interface CallContext {
  readonly peer: RpcPeer;
  readonly definition: ServerDefinition;
  readonly limits: TimeLimits;
  /** Holds each call for as long as it is under way. */
  readonly inFlight: InFlightMap<number, InFlightCall>;
  /** The call was given up, but the server may go on with it. */
  onGivenUp(call: Call): void;
  /** The call is over, however it ended. */
  onOver(call: Call): void;
}

export interface SendOptions {
  /** The id of the request, from the peer. */
  readonly id: number;
  readonly params: JsonObject;
  onProgress(params: JsonObject): void;
  /** What the answer of the server means for the call; told in the moment in which the answer is read. */
  toOutcome(answer: Outcome): CallOutcome | Promise<CallOutcome>;
}

export const cancelled: Outcome = { error: rpcError(rpcCode.internal, 'The call was cancelled.') };

/** One object with methods rather than a closure for each way to end: there is one for every call. */
export class SentCall implements Pending, Timed {
  readonly #call: Call;
  readonly #wire: CallContext;
  readonly #options: SendOptions;
  readonly #outcome: Promise<CallOutcome>;
  #settle!: (outcome: CallOutcome | Promise<CallOutcome>) => void;
  #fail!: (error: unknown) => void;
  #open: InFlightCall | undefined;

  constructor(call: Call, wire: CallContext, options: SendOptions) {
    this.#call = call;
    this.#wire = wire;
    this.#options = options;
    this.#outcome = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
  }

  /** Sends the call, which is still wanted. Rejects with a WorkbenchError when there is no answer. */
  send(): Promise<CallOutcome> {
    const { peer, limits, inFlight } = this.#wire;
    const { id, params } = this.#options;
    try {
      peer.open(id, this.#call.method, params, this);
      this.#open = new InFlightCall(this.#call, limits.begin(this));
      inFlight.set(id, this.#open);
      this.#call.signal.addEventListener('abort', this);
    } catch (error) {
      // The params cannot be written; nothing was begun.
      this.#fail(error);
    }
    return this.#outcome;
  }

  resolve(answer: Outcome): void {
    this.#finish();
    try {
      this.#settle(this.#options.toOutcome(answer));
    } catch (error) {
      this.#fail(error);
    }
  }

  reject(error: Error): void {
    this.#finish();
    this.#fail(toWorkbenchError(error));
  }

  /** The call is not wanted any more. */
  handleEvent(): void {
    this.#giveUp('cancelled by the client');
    this.#settle(cancelled);
  }

  onTimeOver(): void {
    this.#giveUp('time limit');
    this.#fail(tooSlow(this.#wire.definition));
  }

  onProgress(params: JsonObject): void {
    this.#open?.limit.sign();
    this.#options.onProgress(params);
  }

  #giveUp(reason: string): void {
    this.#wire.peer.cancel(this.#options.id, reason);
    this.#wire.onGivenUp(this.#call);
    this.#finish();
  }

  #finish(): void {
    this.#call.signal.removeEventListener('abort', this);
    this.#wire.inFlight.delete(this.#options.id);
    this.#open?.end();
    this.#wire.onOver(this.#call);
  }
}

export function tooSlow({ name, timeoutMs }: ServerDefinition): WorkbenchError {
  return new WorkbenchError(
    'WB1011',
    `Server '${name}' gave no answer within ${timeoutMs / 1000} s; the call was cancelled.`,
  );
}
