/** Calls of a handshake-era client: tools, prompts, resources and completions. */
import type { Call, CallOutcome, Outcome } from '../../base/call/call.ts';
import { TaskRefused } from '../../base/call/task.ts';
import { UrlNeeded } from '../../base/errors/url-needed.ts';
import { notificationText, type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { findCallFault, type Request } from '../conversation/message.ts';
import { downgradeResult, withoutOwnLinks } from '../edge/downgrade.ts';
import type { ClientRequestContext } from '../edge/edge.ts';
import { toCall, toNotify } from '../edge/to-call.ts';
import { toUrlText, withOpenable } from '../edge/url-required.ts';
import { withoutTask } from '../tasks/legacy-tasks.ts';
import type { LegacyState } from './legacy-state.ts';

/** Makes the call of a request; the server may ask the client until it has answered. */
export async function passLegacyCall(
  state: LegacyState,
  request: Request,
  exchange: ClientRequestContext,
  make: (call: Call) => Promise<CallOutcome>,
): Promise<Outcome> {
  const fault = findCallFault(request);
  if (fault !== undefined) return { error: fault };
  const { connected, features } = state;
  const inquiry = connected.open(exchange.send, exchange.signal);
  const call = toCall(withoutTask(request), {
    client: connected.client,
    features,
    signal: exchange.signal,
    notify: toNotify(request, exchange),
    ask: inquiry.ask,
  });
  try {
    const outcome = toOutcome(state, await make(call));
    return request.method === 'tools/call' ? downgradeResult(outcome) : outcome;
  } catch (error) {
    return explainError(state, error);
  } finally {
    // A question that is open when its call ends is withdrawn.
    inquiry.end();
  }
}

/** Makes a call of a tool for a task, to its end. */
export async function runLegacyTask(state: LegacyState, call: Call): Promise<Outcome> {
  try {
    return toOutcome(state, await state.session.callTool(call));
  } catch (error) {
    return explainError(state, error);
  }
}

function toOutcome({ showsUrls, hasLinks }: LegacyState, outcome: CallOutcome): Outcome {
  if ('inputRequired' in outcome)
    return { error: rpcError(rpcCode.internal, 'The server asked in a way that this client does not take.') };
  if ('result' in outcome) return hasLinks ? outcome : withoutOwnLinks(outcome);
  if (outcome.error.code !== rpcCode.urlRequired) return outcome;
  const error = withOpenable(outcome.error);
  return { error: showsUrls || error.code !== rpcCode.urlRequired ? error : toUrlText(error) };
}

function explainError({ send }: LegacyState, error: unknown): Outcome {
  if (error instanceof TaskRefused) return { error: rpcError(rpcCode.methodNotFound, error.message) };
  if (!(error instanceof UrlNeeded)) throw error;
  const news = { elicitationId: error.id };
  void error.done.then(() => send(notificationText('notifications/elicitation/complete', news)));
  return { error: urlRequired(error) };
}

/** The client opens the address, hears that it is done, and makes its call again. */
function urlRequired({ id, url, message }: UrlNeeded): RpcError {
  const elicitation = { mode: 'url', elicitationId: id, url, message };
  return rpcError(rpcCode.urlRequired, message, { elicitations: [elicitation] });
}
