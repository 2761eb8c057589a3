/** One call on the wire, from its request to its end: answered, cancelled, out of time or lost. */
import type { Call, Outcome } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { toWorkbenchError, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { ServerDefinition } from '../config/config.ts';
import { createOpenCall, type OpenCall } from './open-call.ts';
import type { Peer } from './peer.ts';
import { createTimeLimit, type TimeLimit } from './time-limit.ts';

export interface SendCallOptions {
  readonly peer: Peer;
  readonly clock: Clock;
  readonly definition: ServerDefinition;
  /** Holds the call for as long as it is under way. */
  readonly inFlight: Map<number, OpenCall>;
  toParams(id: number): JsonObject;
  onProgress(params: JsonObject): void;
  /** Nobody waits for it any more, but the server may go on. */
  onGivenUp(): void;
}

export const cancelled: Outcome = { error: rpcError(rpcCode.internal, 'The call was cancelled.') };

/** For a call that is still wanted. Rejects with a WorkbenchError when there is no answer to be had. */
export function sendCall(call: Call, options: SendCallOptions): Promise<Outcome> {
  const { peer, clock, definition, inFlight } = options;
  let limit: TimeLimit | undefined;
  const exchange = peer.request(call.method, options.toParams, (params) => {
    limit?.sign();
    options.onProgress(params);
  });

  return new Promise<Outcome>((resolve, reject) => {
    const onAbort = () => {
      exchange.cancel('cancelled by the client');
      options.onGivenUp();
      finish();
      resolve(cancelled);
    };
    limit = createTimeLimit(clock, definition.timeoutMs, () => {
      exchange.cancel('time limit');
      options.onGivenUp();
      finish();
      reject(tooSlow(definition));
    });
    const open = createOpenCall(call, limit);
    const finish = () => {
      call.signal.removeEventListener('abort', onAbort);
      inFlight.delete(exchange.id);
      open.end();
    };
    inFlight.set(exchange.id, open);
    call.signal.addEventListener('abort', onAbort);
    exchange.outcome.then(
      (outcome) => {
        finish();
        resolve(outcome);
      },
      (error: unknown) => {
        finish();
        reject(toWorkbenchError(error));
      },
    );
  });
}

export function tooSlow({ name, timeoutMs }: ServerDefinition): WorkbenchError {
  return new WorkbenchError(
    'WB1011',
    `Server '${name}' gave no answer within ${timeoutMs / 1000} s; the call was cancelled.`,
  );
}
