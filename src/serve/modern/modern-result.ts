/** How calls end in the stateless era: complete, with questions, or with an error that this revision knows. */
import type { Outcome } from '../../base/call/call.ts';
import { findMissing, isQuestionMethod } from '../../base/call/question.ts';
import { findMember, findObject, findString, isObject, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { findUrls, opensUrls, toUrlQuestion, toUrlText, type UrlToOpen, withOpenable } from '../edge/url-required.ts';
import { toModernTask } from '../tasks/modern-task.ts';
import { escapeState } from './request-state.ts';
import type { AttemptResult } from './resumable-call.ts';

/** What a request allows its answer to be. */
export interface AnswerRules {
  /** The capabilities that the client declares with the request that is answered. */
  readonly capabilities: JsonObject;
  /** Its method may be answered with questions. */
  readonly takesQuestions: boolean;
  /** The user has just refused to open an address. */
  readonly declined: boolean;
}

export interface ModernResults {
  complete(result: RawJson, members?: JsonObject): Outcome;
  toOutcome(turn: AttemptResult, rules: AnswerRules): Outcome;
  /** The client shows the addresses and makes its call again with what the user said. */
  askToOpen(urls: readonly UrlToOpen[]): Outcome;
}

/** `stamp` says on every result who answers. */
export function createModernResults(stamp: JsonObject): ModernResults {
  const mark = (result: RawJson, members: JsonObject): Outcome => {
    const meta = result.find('_meta')?.with(stamp) ?? stamp;
    return { result: result.with({ ...members, _meta: meta }) };
  };
  const complete = (result: RawJson, members: JsonObject = {}) => mark(result, { resultType: 'complete', ...members });
  const withQuestions = (questions: RawJson) => mark(questions, { resultType: 'input_required' });
  const askToOpen = (urls: readonly UrlToOpen[]): Outcome => {
    const requests = urls.map((each) => [each.id, { ...toUrlQuestion(each) }]);
    return withQuestions(RawJson.of({ inputRequests: Object.fromEntries(requests) as JsonObject }));
  };

  const fromError = (given: RpcError, rules: AnswerRules): Outcome => {
    const error = withOpenable(given);
    const urls = findUrls(error);
    if (urls.length === 0) return { error: toModernError(error) };
    if (!rules.takesQuestions) return { error: toUrlText(error) };
    if (rules.declined) return { error: rpcError(rpcCode.internal, `The user declined. ${toUrlText(error).message}`) };
    if (opensUrls(rules.capabilities)) return askToOpen(urls);
    const requiredCapabilities = { elicitation: { url: {} } };
    return { error: rpcError(rpcCode.missingCapability, toUrlText(error).message, { requiredCapabilities }) };
  };

  const fromServer = (questions: RawJson, rules: AnswerRules): Outcome => {
    const fault = findQuestionsFault(questions.value, rules);
    if (fault !== undefined) return { error: rpcError(rpcCode.internal, `The server is at fault: ${fault}`) };
    const state = findString(questions.value, 'requestState');
    const carried = state === undefined ? undefined : escapeState(state);
    return withQuestions(carried === state ? questions : questions.with({ requestState: carried }));
  };

  return {
    complete,
    askToOpen,
    toOutcome(turn, rules) {
      if ('asked' in turn) return withQuestions(RawJson.of(turn.asked));
      if ('task' in turn) return mark(RawJson.of(toModernTask(turn.task)), { resultType: 'task' });
      if ('inputRequired' in turn) return fromServer(turn.inputRequired, rules);
      return 'error' in turn ? fromError(turn.error, rules) : complete(turn.result);
    },
  };
}

/** Why the questions of a server cannot be passed on to the client of this request. */
function findQuestionsFault(questions: JsonObject, { capabilities, takesQuestions }: AnswerRules): string | undefined {
  if (!takesQuestions) return 'it asks where the protocol has no questions.';
  const requests = findMember(questions, 'inputRequests');
  const state = findMember(questions, 'requestState');
  if (requests === undefined && state === undefined) return 'it wants input and does not say which.';
  if (state !== undefined && typeof state !== 'string') return 'its "requestState" is not a string.';
  if (requests !== undefined && !isObject(requests)) return 'its "inputRequests" is not an object.';
  for (const request of Object.values(requests ?? {})) {
    const method = isObject(request) ? findMember(request, 'method') : undefined;
    if (!isObject(request) || !isQuestionMethod(method)) return 'it asks something that the protocol does not know.';
    if (findMissing(capabilities, { method, params: findObject(request, 'params') ?? {} }) !== undefined)
      return `it asks '${method}' in a way that this client did not declare to take.`;
  }
  return undefined;
}

/** Codes that this revision forbids or has given another meaning. */
function toModernError(error: RpcError): RpcError {
  if (error.code === rpcCode.missingCapability) return error;
  // An unknown tool is a wrong parameter here.
  if (error.code === rpcCode.methodNotFound || error.code === rpcCode.resourceNotFound)
    return { ...error, code: rpcCode.invalidParams };
  const reserved = error.code <= -32000 && error.code >= -32099;
  return reserved ? rpcError(rpcCode.internal, error.message, { original: error }) : error;
}
