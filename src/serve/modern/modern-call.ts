/** Calls of the stateless era: a new one, or the next round of one that has asked something. */

import {
  type Call,
  type CallOutcome,
  type Client,
  isLogLevel,
  type LogLevel,
  type Outcome,
} from '../../base/call/call.ts';
import { relayable } from '../../base/call/capabilities.ts';
import { UrlNeeded } from '../../base/errors/url-needed.ts';
import { findMember, findObject, findString, isObject, type JsonObject, withoutMembers } from '../../base/json/json.ts';
import { metaKeys, methodFacts } from '../../base/rpc/mcp.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import { findCallFault, type Request } from '../conversation/message.ts';
import type { ClientRequestContext } from '../edge/edge.ts';
import { isInputResponses, wrongInputResponses } from '../edge/input-requests.ts';
import { toCall, toNotify } from '../edge/to-call.ts';
import { opensUrls } from '../edge/url-required.ts';
import { withoutTask } from '../tasks/legacy-tasks.ts';
import { declaresTasks } from '../tasks/modern-tasks.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { type CallParts, runTaskable } from '../tasks/taskable-call.ts';
import type { ModernResults } from './modern-result.ts';
import type { ParkedCalls, ResumeFault } from './parked-calls.ts';
import { isOurState, unescapeState } from './request-state.ts';
import type { AttemptResult, CallAttempt, ResumableCall } from './resumable-call.ts';

export interface ModernCallOptions {
  readonly calls: ParkedCalls;
  readonly tasks: TaskStore;
  readonly results: ModernResults;
  readonly localUser: boolean;
}

/** In this era each request says which client makes it. */
export interface ModernExchange extends ClientRequestContext {
  readonly client: Client;
}

export type PassCall = (
  request: Request,
  exchange: ModernExchange,
  run: (call: Call) => Promise<CallOutcome>,
) => Promise<Outcome>;

export function createPassCall({ calls, tasks, results, localUser }: ModernCallOptions): PassCall {
  return async (request, exchange, run) => {
    const fault = findCallFault(request) ?? findAnswersFault(request);
    if (fault !== undefined) return { error: fault };
    const { method, params, meta } = request;
    const { client } = exchange;
    const capabilities = client.capabilities ?? relayable(findObject(meta, metaKeys.capabilities) ?? {});
    const takesQuestions = methodFacts(method).mayAsk === true;
    const round = takesQuestions ? findRound(params) : {};
    const consent = findConsent(round);
    const visit: CallAttempt = {
      capabilities,
      logLevel: findLogLevel(meta),
      signal: exchange.signal,
      notify: toNotify(request, exchange),
    };

    const begin = (open: ResumableCall): Promise<CallOutcome> => {
      const { requestState, ...answers } = round;
      const carried = requestState === undefined ? answers : { ...answers, requestState: unescapeState(requestState) };
      const make = (parts: CallParts) =>
        run(
          toCall(withoutTask(withoutAnswers(request)), {
            client,
            features: {
              capabilities,
              takesQuestions,
              // A user who has just said no is not asked again.
              opensUrls: localUser && takesQuestions && opensUrls(capabilities) && consent !== 'declined',
              logLevel: visit.logLevel,
            },
            resume: {
              round: Object.keys(carried).length === 0 ? undefined : carried,
              awaitsUrl: consent === 'given',
            },
            ...parts,
          }),
        );
      if (method === 'tools/call' && declaresTasks(request))
        return runTaskable(open, {
          tasks,
          principal: client.principal,
          capabilities,
          run: make,
        });
      const ask: Call['ask'] = takesQuestions ? open.ask : async () => ({ error: notHere(method) });
      return make({ signal: open.signal, notify: open.notify, ask });
    };
    const origin = { principal: client.principal, method, params };
    const { requestState: state, inputResponses: answers = {} } = round;
    const turn: Promise<AttemptResult> | ResumeFault =
      state !== undefined && isOurState(state)
        ? calls.resume(origin, visit, { state, answers })
        : calls.begin(origin, visit, begin);
    if (typeof turn === 'string') return { error: notOpen(turn, method) };
    try {
      return results.toOutcome(await turn, { capabilities, takesQuestions, declined: consent === 'declined' });
    } catch (error) {
      if (!(error instanceof UrlNeeded)) throw error;
      return results.askToOpen([error]);
    }
  };
}

type CarriedRound = { readonly inputResponses?: JsonObject; readonly requestState?: string };

function findRound(params: JsonObject): CarriedRound {
  const inputResponses = findObject(params, 'inputResponses');
  const requestState = findString(params, 'requestState');
  return {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** What the user said to opening an address. That is asked without a state: the call is simply made again. */
function findConsent({ inputResponses, requestState }: CarriedRound): 'given' | 'declined' | undefined {
  if (inputResponses === undefined || requestState !== undefined) return undefined;
  const accepted = Object.values(inputResponses).some((answer) => isObject(answer) && answer.action === 'accept');
  return accepted ? 'given' : 'declined';
}

/** Answers are objects, by the keys of their questions. */
function findAnswersFault({ params }: Request): RpcError | undefined {
  const answers = findMember(params, 'inputResponses');
  const state = findMember(params, 'requestState');
  if (state !== undefined && typeof state !== 'string')
    return rpcError(rpcCode.invalidParams, '"requestState" must be a string.');
  return answers === undefined || isInputResponses(answers) ? undefined : wrongInputResponses();
}

/** Answers travel beside the params. */
function withoutAnswers(request: Request): Request {
  const hasAnswers = Object.hasOwn(request.params, 'inputResponses') || Object.hasOwn(request.params, 'requestState');
  if (!hasAnswers) return request;
  return { ...request, params: withoutMembers(request.params, ['inputResponses', 'requestState']) };
}

/** `findMetaFault` has refused anything that is not a level. */
function findLogLevel(meta: JsonObject): LogLevel | undefined {
  const level = findMember(meta, metaKeys.logLevel);
  return isLogLevel(level) ? level : undefined;
}

function notHere(method: string): RpcError {
  return rpcError(rpcCode.invalidParams, `The client cannot be asked during ${quote(method)}.`);
}

const why: Readonly<Record<ResumeFault, string>> = {
  invalid: 'its state was changed on the way, or was given to another client',
  restarted: 'the Workbench was started again since it was asked',
  expired: 'it was not answered in time',
  used: 'it was answered already',
  over: 'the call that asked it is over',
  changed: 'it was asked during a call with other parameters',
};

function notOpen(reason: ResumeFault, method: string): RpcError {
  const again = method === 'tools/call' ? 'Call the tool again.' : 'Make the request again.';
  const message = `This question is no longer open: ${why[reason]}. ${again}`;
  return rpcError(rpcCode.invalidParams, message, { code: 'WB1806', reason });
}
