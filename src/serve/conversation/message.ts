/**
 * What a client sent, read from untrusted text. Everything that can be answered gets an answer: a request whose parameters have
 * the wrong shape is turned into the error to send, never dropped.
 */

import type { Answer } from '../../base/call/question.ts';
import { chunkedFrom } from '../../base/json/chunked-text.ts';
import {
  findMember,
  findObject,
  isObject,
  type Json,
  type JsonObject,
  withMembers,
  withoutMembers,
} from '../../base/json/json.ts';
import { findExcess } from '../../base/json/json-bounds.ts';
import { noteLongStrings } from '../../base/json/long-strings.ts';
import { findOuterId } from '../../base/rpc/leading-id.ts';
import { isHopKey, methodFacts } from '../../base/rpc/mcp.ts';
import { isRpcId, type RpcError, type RpcId, rpcCode, rpcError } from '../../base/rpc/rpc.ts';

export interface Request {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
}

export interface Notification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** What a client says to a question of ours. */
export interface Response {
  readonly kind: 'response';
  /** Null when it names none that can be one of ours. */
  readonly id: RpcId | null;
  readonly outcome: Answer;
}

export interface Invalid {
  readonly kind: 'invalid';
  readonly id: RpcId | null;
  readonly error: RpcError;
  /** There is too much in it; it was not read. */
  readonly tooMuch?: true;
}

export type Message = Request | Notification | Response | Invalid;

/** Messages in one batch: its answers go into one message, too. */
export const maxInBatch = 100;
/** Values in one message of a client, unless the configuration says otherwise. */
export const defaultMaxValues = 50_000;

/** No message of a client needs more, and a value that is nested some times as deep cannot be written. */
export const maxDepth = 1_000;

/** A line is one message, or (in one old revision) an array of them. */
export function parseLine(
  line: string,
  maxValues = defaultMaxValues,
): { readonly batch: boolean; readonly messages: readonly Message[] } {
  const excess = findExcess(line, { values: maxValues, depth: maxDepth });
  if (excess !== undefined) {
    const what =
      excess === 'depth'
        ? `is nested more than ${maxDepth} deep`
        : `holds more than ${maxValues} values and names of members ("requestValues" in "limits")`;
    return { batch: false, messages: [tooMuch(findOuterId(line, line), `This message ${what}. Send less at once.`)] };
  }
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch {
    return { batch: false, messages: [invalid(null, rpcCode.parse, 'This is not JSON.')] };
  }
  if (line.length > chunkedFrom) noteLongStrings(line, value);
  if (!Array.isArray(value)) return { batch: false, messages: [parseMessage(value)] };
  if (value.length === 0)
    return { batch: false, messages: [invalid(null, rpcCode.invalidRequest, 'The batch is empty.')] };
  if (value.length > maxInBatch)
    return {
      batch: false,
      messages: [
        tooMuch(null, `A batch of ${value.length} messages is too large. Send at most ${maxInBatch} at once.`),
      ],
    };
  return { batch: true, messages: value.map(parseMessage) };
}

/** The refusal of a message that is not read because of its size. */
export function tooMuch(id: RpcId | null, message: string): Invalid {
  return { kind: 'invalid', id, error: rpcError(rpcCode.invalidRequest, message, { code: 'WB1316' }), tooMuch: true };
}

/** Most requests have none. */
const noMeta: JsonObject = Object.freeze({});

export function parseMessage(value: Json): Message {
  if (!isObject(value)) return invalid(null, rpcCode.invalidRequest, 'A message is a JSON object.');
  const id = findMember(value, 'id');
  const method = findMember(value, 'method');
  const usableId = isRpcId(id) ? id : null;
  if (method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')))
    return { kind: 'response', id: usableId, outcome: toAnswer(value) };
  if (typeof method !== 'string') return invalid(usableId, rpcCode.invalidRequest, '"method" must be a string.');
  if (id === undefined) {
    const params = findMember(value, 'params');
    return { kind: 'notification', method, params: isObject(params) ? params : {} };
  }
  if (usableId === null) return invalid(null, rpcCode.invalidRequest, '"id" must be a string or an integer.');

  const params = findMember(value, 'params') ?? {};
  if (!isObject(params)) return invalid(usableId, rpcCode.invalidParams, '"params" must be an object.');
  const meta = findMember(params, '_meta');
  if (meta !== undefined && !isObject(meta))
    return invalid(usableId, rpcCode.invalidParams, '"params._meta" must be an object.');
  return { kind: 'request', id: usableId, method, params, meta: meta ?? noMeta };
}

/** The server that waits for an answer gets one, however wrong the client's is. */
function toAnswer(response: JsonObject): Answer {
  const error = findObject(response, 'error');
  const result = findObject(response, 'result');
  if (error === undefined && !Object.hasOwn(response, 'error') && result !== undefined) return { result };
  const code = error && findMember(error, 'code');
  const message = error && findMember(error, 'message');
  if (Number.isSafeInteger(code) && typeof message === 'string')
    return { error: { ...error, code: code as number, message } };
  return { error: rpcError(rpcCode.internal, 'The answer of the client is neither a result nor an error.') };
}

function invalid(id: RpcId | null, code: number, message: string): Message {
  return { kind: 'invalid', id, error: rpcError(code, message) };
}

/** Why a call cannot even be looked up: a name of another type must not be read as the text it would make. */
export function findCallFault({ method, params }: Request): RpcError | undefined {
  const { named } = methodFacts(method);
  if (named === undefined || typeof findMember(params, named.key) === 'string') return undefined;
  return rpcError(rpcCode.invalidParams, `"params.${named.key}" must be a string: ${named.what}.`);
}

/** What goes on with a call: its params without the metadata of the client's own hop, the token and what the protocol reserves. */
export function withoutHop({ params, meta }: Request): JsonObject {
  if (meta === noMeta) return params;
  const hop = Object.keys(meta).filter(isHopKey);
  if (hop.length === 0) return params;
  const rest = withoutMembers(meta, hop);
  return withMembers(params, { _meta: Object.keys(rest).length === 0 ? undefined : rest });
}
