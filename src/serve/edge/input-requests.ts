/** Questions to a client, and its answers, as messages of the stateless era carry them: by key. */

import type { Question } from '../../base/call/question.ts';
import { findMember, isObject, type Json, type JsonObject, withoutMembers } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';

export function toInputRequests(
  questions: Iterable<{ readonly key: string; readonly question: Question }>,
): JsonObject {
  return Object.fromEntries([...questions].map(({ key, question }) => [key, toInputRequest(question)]));
}

/** This era has no elicitation ids: the client opens the address, and that is all. */
function toInputRequest({ method, params }: Question): JsonObject {
  const isUrl = method === 'elicitation/create' && findMember(params, 'mode') === 'url';
  return { method, params: isUrl ? withoutMembers(params, ['elicitationId']) : params };
}

export function isInputResponses(answers: Json | undefined): answers is JsonObject {
  return isObject(answers) && Object.values(answers).every(isObject);
}

export function wrongInputResponses(): RpcError {
  return rpcError(rpcCode.invalidParams, '"inputResponses" must be an object of objects.');
}
