/** One call on the wire, from its request to its end: answered, cancelled, out of time or lost. */
import type { Call, Outcome } from '../base/call.ts';
import { toWorkbenchError, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { OpenMap } from '../base/open-map.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { ServerDefinition } from '../config/config.ts';
import { OpenCall } from './open-call.ts';
import type { Peer, Pending } from './peer.ts';
import type { TimeLimit, TimeLimits } from './time-limit.ts';

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
  toParams(id: number): JsonObject;
  onProgress(params: JsonObject): void;
}

export const cancelled: Outcome = { error: rpcError(rpcCode.internal, 'The call was cancelled.') };

/** For a call that is still wanted. Rejects with a WorkbenchError when there is no answer to be had. */
export function sendCall(call: Call, wire: Wire, options: SendOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    new SentCall(call, wire, options, { resolve, reject });
  });
}

interface End {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** One object with methods rather than a closure for each way to end: there is one for every call. */
class SentCall implements Pending {
  readonly #call: Call;
  readonly #wire: Wire;
  readonly #options: SendOptions;
  readonly #end: End;
  readonly #id: number;
  readonly #limit: TimeLimit;
  readonly #open: OpenCall;
  readonly #onAbort = () => {
    this.#giveUp('cancelled by the client');
    this.#end.resolve(cancelled);
  };

  constructor(call: Call, wire: Wire, options: SendOptions, end: End) {
    const { peer, definition, limits, inFlight } = wire;
    this.#call = call;
    this.#wire = wire;
    this.#options = options;
    this.#end = end;
    this.#id = peer.open(call.method, options.toParams, this);
    this.#limit = limits.begin(() => {
      this.#giveUp('time limit');
      end.reject(tooSlow(definition));
    });
    this.#open = new OpenCall(call, this.#limit);
    inFlight.set(this.#id, this.#open);
    call.signal.addEventListener('abort', this.#onAbort);
  }

  resolve(outcome: Outcome): void {
    this.#finish();
    this.#end.resolve(outcome);
  }

  reject(error: Error): void {
    this.#finish();
    this.#end.reject(toWorkbenchError(error));
  }

  onProgress(params: JsonObject): void {
    this.#limit.sign();
    this.#options.onProgress(params);
  }

  #giveUp(reason: string): void {
    this.#wire.peer.cancel(this.#id, reason);
    this.#wire.onGivenUp(this.#call);
    this.#finish();
  }

  #finish(): void {
    this.#call.signal.removeEventListener('abort', this.#onAbort);
    this.#wire.inFlight.take(this.#id);
    this.#open.end();
  }
}

export function tooSlow({ name, timeoutMs }: ServerDefinition): WorkbenchError {
  return new WorkbenchError(
    'WB1011',
    `Server '${name}' gave no answer within ${timeoutMs / 1000} s; the call was cancelled.`,
  );
}
