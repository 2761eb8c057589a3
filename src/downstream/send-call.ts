/** One call on the wire, from its request to its end: answered, cancelled, out of time or lost. */
import type { Call, CallOutcome, Outcome } from '../base/call.ts';
import { toWorkbenchError, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { OpenMap } from '../base/open-map.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { ServerDefinition } from '../config/config.ts';
import { OpenCall } from './open-call.ts';
import type { Peer, Pending } from './peer.ts';
import type { Timed, TimeLimits } from './time-limit.ts';

/** What all calls of a connection have in common. */
export interface Wire {
  readonly peer: Peer;
  readonly definition: ServerDefinition;
  readonly limits: TimeLimits;
  /** Holds each call for as long as it is under way. */
  readonly inFlight: OpenMap<number, OpenCall>;
  /** Nobody waits for it any more, but the server may go on. */
  onGivenUp(call: Call): void;
  /** It is over, however it ended. */
  onOver(call: Call): void;
}

export interface SendOptions {
  /** Of the request, from the peer. */
  readonly id: number;
  readonly params: JsonObject;
  onProgress(params: JsonObject): void;
  /** What the answer of the server means for the call; told in the moment in which the answer is read. */
  toOutcome(answer: Outcome): CallOutcome | Promise<CallOutcome>;
}

export const cancelled: Outcome = { error: rpcError(rpcCode.internal, 'The call was cancelled.') };

/** For a call that is still wanted. Fails with a WorkbenchError when there is no answer to be had. */
export function sendCall(call: Call, wire: Wire, options: SendOptions): Promise<CallOutcome> {
  return new Promise((resolve, reject) => {
    new SentCall(call, wire, options, { resolve, reject }).begin();
  });
}

interface Ends {
  resolve(outcome: CallOutcome | Promise<CallOutcome>): void;
  reject(error: unknown): void;
}

/** One object with methods rather than a closure for each way to end: there is one for every call. */
class SentCall implements Pending, Timed {
  readonly #call: Call;
  readonly #wire: Wire;
  readonly #options: SendOptions;
  readonly #ends: Ends;
  #open: OpenCall | undefined;

  constructor(call: Call, wire: Wire, options: SendOptions, ends: Ends) {
    this.#call = call;
    this.#wire = wire;
    this.#options = options;
    this.#ends = ends;
  }

  /** Throws when the params cannot be written; then nothing was begun. */
  begin(): void {
    const { peer, limits, inFlight } = this.#wire;
    const { id, params } = this.#options;
    peer.open(id, this.#call.method, params, this);
    this.#open = new OpenCall(this.#call, limits.begin(this));
    inFlight.set(id, this.#open);
    this.#call.signal.addEventListener('abort', this);
  }

  resolve(answer: Outcome): void {
    this.#finish();
    try {
      this.#ends.resolve(this.#options.toOutcome(answer));
    } catch (error) {
      this.#ends.reject(error);
    }
  }

  reject(error: Error): void {
    this.#finish();
    this.#ends.reject(toWorkbenchError(error));
  }

  /** The call is not wanted any more. */
  handleEvent(): void {
    this.#giveUp('cancelled by the client');
    this.#ends.resolve(cancelled);
  }

  onTimeOver(): void {
    this.#giveUp('time limit');
    this.#ends.reject(tooSlow(this.#wire.definition));
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
    this.#wire.inFlight.take(this.#options.id);
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
