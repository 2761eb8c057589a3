/** From a request to the text of its answer, whatever the transport: exactly one, or none when the request was cancelled or stays open. */

import { quote } from '../base/brief.ts';
import { Busy } from '../base/busy.ts';
import type { Outcome } from '../base/call.ts';
import { toMessage } from '../base/errors.ts';
import { Eventual, type Later } from '../base/eventual.ts';
import type { Log } from '../base/log.ts';
import type { Text } from '../base/long-text.ts';
import { toPrintable } from '../base/printable.ts';
import { errorText, type RpcError, type RpcId, resultLine, rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';
import type { Request } from './message.ts';
import type { OpenRequests } from './requests.ts';

export interface AnswerOptions {
  readonly requests: OpenRequests;
  readonly log: Log;
  /** The request was refused because too much is under way; the answer says so. */
  onBusy?(): void;
  handle(request: Request, signal: StopSignal): Later<Outcome | undefined> | Outcome | undefined;
}

export function answerRequest(request: Request, options: AnswerOptions): Eventual<Text | undefined> {
  const { requests } = options;
  const { id } = request;
  if (requests.full)
    return Eventual.of(refuse(id, new Busy('too many requests of this client are not answered yet.'), options));
  const signal = requests.begin(id);
  if (signal === undefined) return Eventual.of(errorText(id, inUse(id)));
  const fail = (error: unknown) => {
    if (!(error instanceof Busy))
      options.log.error('request failed unexpectedly', { method: request.method, message: toMessage(error) });
    if (signal.aborted) return undefined;
    return error instanceof Busy ? refuse(id, error, options) : errorText(id, failed(request));
  };
  return Eventual.run(() => options.handle(request, signal)).map(
    (outcome) => {
      if (outcome === undefined) requests.keep(id);
      else requests.end(id);
      // A request that stays open ends by cancellation, and a cancelled request is not answered.
      if (outcome === undefined || signal.aborted) return undefined;
      try {
        return 'error' in outcome ? errorText(id, outcome.error) : resultLine(id, outcome.result);
      } catch (error) {
        // What is nested too deep cannot be written.
        return fail(error);
      }
    },
    (error) => {
      requests.end(id);
      return fail(error);
    },
  );
}

function inUse(id: RpcId): RpcError {
  const shown = toPrintable(JSON.stringify(id), 150);
  return rpcError(rpcCode.invalidRequest, `The id ${shown} is in use by a request that is not answered yet.`);
}

function failed({ method }: Request): RpcError {
  return rpcError(rpcCode.internal, `The Workbench failed to handle ${quote(method)}.`);
}

function refuse(id: RpcId, busy: Busy, { onBusy }: AnswerOptions): string {
  onBusy?.();
  return errorText(id, busy.toRpcError());
}
