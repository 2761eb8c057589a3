/** From a request to the text of its answer, whatever the transport: exactly one, or none when the request was cancelled or stays open. */

import { quote } from '../base/brief.ts';
import { Busy } from '../base/busy.ts';
import type { Outcome } from '../base/call.ts';
import { toMessage } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { toPrintable } from '../base/printable.ts';
import { errorText, resultText, rpcCode, rpcError } from '../base/rpc.ts';
import type { Request } from './message.ts';
import type { OpenRequests } from './requests.ts';

export interface AnswerOptions {
  readonly requests: OpenRequests;
  readonly log: Log;
  /** The request was refused because too much is under way; the answer says so. */
  onBusy?(): void;
  handle(request: Request, signal: AbortSignal): Promise<Outcome | undefined> | Outcome | undefined;
}

export async function answerRequest(
  request: Request,
  { requests, log, handle, onBusy }: AnswerOptions,
): Promise<string | undefined> {
  const { id } = request;
  const refuse = (busy: Busy) => {
    onBusy?.();
    return errorText(id, busy.toRpcError());
  };
  if (requests.full) return refuse(new Busy('too many requests of this client are not answered yet.'));
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
    const outcome = await handle(request, signal);
    staysOpen = outcome === undefined;
    // A request that stays open ends by cancellation, and a cancelled request is not answered.
    if (outcome === undefined || signal.aborted) return undefined;
    return 'error' in outcome ? errorText(id, outcome.error) : resultText(id, outcome.result);
  } catch (error) {
    if (error instanceof Busy) return signal.aborted ? undefined : refuse(error);
    log.error('request failed unexpectedly', { method: request.method, message: toMessage(error) });
    return signal.aborted
      ? undefined
      : errorText(id, rpcError(rpcCode.internal, `The Workbench failed to handle ${quote(request.method)}.`));
  } finally {
    if (staysOpen) requests.keep(id);
    else requests.end(id);
  }
}
