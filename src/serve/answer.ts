/** From a request to the text of its answer, whatever the transport: exactly one, or none when the request was cancelled or stays open. */

import { quote } from '../base/brief.ts';
import { Busy } from '../base/busy.ts';
import type { Outcome } from '../base/call.ts';
import { toMessage } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Text } from '../base/long-text.ts';
import { toPrintable } from '../base/printable.ts';
import { errorText, type RpcId, resultLine, rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';
import type { Request } from './message.ts';
import type { OpenRequests } from './requests.ts';

export interface AnswerOptions {
  readonly requests: OpenRequests;
  readonly log: Log;
  /** The request was refused because too much is under way; the answer says so. */
  onBusy?(): void;
  handle(request: Request, signal: StopSignal): Promise<Outcome | undefined> | Outcome | undefined;
}

export async function answerRequest(request: Request, options: AnswerOptions): Promise<Text | undefined> {
  const { requests, log } = options;
  const { id } = request;
  if (requests.full) return refuse(id, new Busy('too many requests of this client are not answered yet.'), options);
  const signal = requests.begin(id);
  if (signal === undefined)
    return errorText(
      id,
      rpcError(
        rpcCode.invalidRequest,
        `The id ${toPrintable(JSON.stringify(id), 150)} is in use by a request that is not answered yet.`,
      ),
    );
  let staysOpen = false;
  try {
    const outcome = await options.handle(request, signal);
    staysOpen = outcome === undefined;
    // A request that stays open ends by cancellation, and a cancelled request is not answered.
    if (outcome === undefined || signal.aborted) return undefined;
    return 'error' in outcome ? errorText(id, outcome.error) : resultLine(id, outcome.result);
  } catch (error) {
    if (error instanceof Busy) return signal.aborted ? undefined : refuse(id, error, options);
    log.error('request failed unexpectedly', { method: request.method, message: toMessage(error) });
    return signal.aborted
      ? undefined
      : errorText(id, rpcError(rpcCode.internal, `The Workbench failed to handle ${quote(request.method)}.`));
  } finally {
    if (staysOpen) requests.keep(id);
    else requests.end(id);
  }
}

function refuse(id: RpcId, busy: Busy, { onBusy }: AnswerOptions): string {
  onBusy?.();
  return errorText(id, busy.toRpcError());
}
