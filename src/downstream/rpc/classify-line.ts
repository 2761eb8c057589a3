/** What one line of a server is, told from its text alone. Pure. */
import type { Outcome } from '../../base/call/call.ts';
import { chunkedFrom } from '../../base/json/chunked-text.ts';
import { findMember, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { findExcess } from '../../base/json/json-bounds.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { findOuterId } from '../../base/rpc/leading-id.ts';
import { isRpcId, type RpcId, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { splitAnswer } from './answer.ts';

/** One JSON-RPC message, or text that is none. */
export type ServerMessage =
  /** `id` is undefined when it cannot be one of ours. */
  | { readonly is: 'answer'; readonly id: number | undefined; readonly outcome: Outcome }
  | { readonly is: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly is: 'request'; readonly id: RpcId; readonly method: string; readonly params: Json | undefined }
  /** A request with an id that cannot be answered. */
  | { readonly is: 'unanswerable' }
  | { readonly is: 'noise'; readonly text: string };

export type ServerLine =
  | ServerMessage
  | { readonly is: 'batch'; readonly parts: readonly Json[] }
  /** A notification that is left out, not parsed. */
  | { readonly is: 'refused' }
  /** A message with too many values, not parsed. */
  | { readonly is: 'excess' }
  /** Noise that began as the answer to a request of ours: the rest of that answer will not come. */
  | { readonly is: 'broken answer'; readonly id: number | undefined };

export interface LineRules {
  /** What the server is called at the beginning of a sentence. */
  readonly who: string;
  /** A message with more values is not parsed. */
  readonly maxValues: number;
  /** Whether a notification is left out. */
  refuses(method: string): boolean;
}

/** A line that is not a message seldom begins like one. */
const looksLikeMessage = /^\s*(?:\[\s*)?\{\s*["}]/;
/** A notification as servers write it; with its members in another order it is parsed first. */
const leadingMethod = /^\{(?:"jsonrpc":"2\.0",)?"method":"(notifications\/[\w/]{1,60})"/;
/** The request that a message answers of which only the beginning is known. A request of the server has ids of its own. */
const answeredId =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
/** An answer whose id, if it names one, stands at its end. */
const answersFirst = /^\s*\{\s*"(?:result|error)"/;

export function classifyLine(line: string, { who, maxValues, refuses }: LineRules): ServerLine {
  if (
    line.length >= chunkedFrom &&
    looksLikeMessage.test(line) &&
    findExcess(line, { values: maxValues }) !== undefined
  )
    return { is: 'excess' };
  const answer = splitAnswer(line);
  if (answer !== undefined) return { is: 'answer', id: answer.id, outcome: { result: answer.result } };
  const told = leadingMethod.exec(line)?.[1];
  if (told !== undefined && refuses(told)) return { is: 'refused' };
  // A parser that fails is slow.
  if (!looksLikeMessage.test(line)) return { is: 'noise', text: line };
  let message: Json;
  try {
    message = JSON.parse(line) as Json;
  } catch {
    const named = answeredId.exec(line)?.[1];
    return named === undefined ? { is: 'noise', text: line } : { is: 'broken answer', id: toOwnId(named) };
  }
  return Array.isArray(message) ? { is: 'batch', parts: message } : classifyMessage(message, line, who);
}

/** `text` is the message as it came. */
export function classifyMessage(message: Json, text: string, who: string): ServerMessage {
  if (!isObject(message)) return { is: 'noise', text };
  const id = findMember(message, 'id');
  const method = findMember(message, 'method');
  if (typeof method === 'string') {
    const params = findMember(message, 'params');
    if (id === undefined) return { is: 'notification', method, params: isObject(params) ? params : {} };
    return isRpcId(id) ? { is: 'request', id, method, params } : { is: 'unanswerable' };
  }
  if (typeof id !== 'string' && typeof id !== 'number') return { is: 'noise', text };
  return { is: 'answer', id: toOwnId(id), outcome: toOutcome(message, text, who) };
}

/** The id of the request that a lost message answers, by how the message began and ended; null when it does not say. */
export function findAnswered(head: string, tail: string): number | undefined | null {
  const named = answeredId.exec(head)?.[1] ?? (answersFirst.test(head) ? findOuterId('', tail) : null);
  return named === null ? null : toOwnId(named);
}

const integer = /^[1-9]\d{0,14}$/;

/** Some servers answer with the id as the other JSON type; ours are integers, so both spellings are one. */
export function toOwnId(id: Json | undefined): number | undefined {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && integer.test(id) ? Number(id) : undefined;
}

/** An answer that is neither a result nor an error still ends its request, at once rather than at the time limit. */
function toOutcome(message: JsonObject, text: string, who: string): Outcome {
  const error = findMember(message, 'error');
  if (isObject(error)) {
    const code = findMember(error, 'code');
    const said = findMember(error, 'message');
    return {
      error: {
        ...error,
        code: Number.isInteger(code) ? (code as number) : rpcCode.internal,
        message: typeof said === 'string' ? said : `${who} reported an error without a message.`,
      },
    };
  }
  const result = RawJson.ofText(text, message).find('result');
  if (result !== undefined) return { result };
  return {
    error: rpcError(rpcCode.internal, `${who} sent an answer that has neither a result object nor an error.`),
  };
}
