/**
 * A request of a server as a question that can be put to a client: one of the kinds there are, without what belongs to the
 * server's own hop and without what would mean something else behind a gateway.
 */

import { isQuestionMethod, type Question, type QuestionMethod } from '../../base/call/question.ts';
import { findMember, findObject, isObject, type Json, type JsonObject, withMembers } from '../../base/json/json.ts';
import { isHopKey } from '../../base/rpc/mcp.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { isOpenable } from '../../net/authorization-url.ts';

export function parseQuestion(
  method: Json | undefined,
  params: Json | undefined = {},
): { readonly question: Question } | { readonly error: RpcError } {
  const shown = typeof method === 'string' ? toPrintable(method, 100) : typeof method;
  if (!isQuestionMethod(method))
    return { error: rpcError(rpcCode.methodNotFound, `The Workbench does not offer '${shown}'.`) };
  if (!isObject(params))
    return { error: rpcError(rpcCode.invalidParams, `The params of '${shown}' must be an object.`) };
  const url = method === 'elicitation/create' ? findMember(params, 'url') : undefined;
  // Also where the question is not of mode "url": a client may go by the member alone.
  if (url !== undefined && (typeof url !== 'string' || !isOpenable(url)))
    return { error: rpcError(rpcCode.invalidParams, 'The "url" to open must be https, or http on this machine.') };
  return { question: { method, params: cleanParams(method, params) } };
}

/** The same object when there is nothing to clean. */
export function cleanParams(method: QuestionMethod, params: JsonObject): JsonObject {
  const removed: Record<string, JsonObject | undefined> = {};
  // We never said that an answer may come later.
  if (Object.hasOwn(params, 'task')) removed.task = undefined;
  // "This server" and "all servers" would be everything behind us.
  const context = findMember(params, 'includeContext') ?? 'none';
  if (method === 'sampling/createMessage' && context !== 'none') removed.includeContext = undefined;
  const meta = findObject(params, '_meta');
  const ofHop = Object.keys(meta ?? {}).filter(isHopKey);
  if (meta !== undefined && ofHop.length > 0) {
    const rest = withMembers(meta, Object.fromEntries(ofHop.map((key) => [key, undefined])));
    removed._meta = Object.keys(rest).length === 0 ? undefined : rest;
  }
  return Object.keys(removed).length === 0 ? params : withMembers(params, removed);
}
