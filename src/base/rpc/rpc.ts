/** JSON-RPC 2.0 as both edges speak it: ids, error codes, and the text of each kind of message. */

import { ChunkedText, chunkedFrom, type Text } from '../json/chunked-text.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { objectText } from '../json/long-strings.ts';
import { RawJson } from '../json/raw-json.ts';

export type RpcId = string | number;

/** An error as it is on the wire. Members beyond these three are kept. */
export interface RpcError extends JsonObject {
  code: number;
  message: string;
}

export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Our own code, in the range without a fixed meaning: the server behind a call failed, or too much is under way. */
  serverFailed: -32000,
  /** Handshake era only; the stateless era calls it a wrong parameter. Between the edges this code is used. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  /** Handshake era only: the user has to open an address first. */
  urlRequired: -32042,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export function rpcError(code: number, message: string, data?: Json): RpcError {
  return data === undefined ? { code, message } : { code, message, data };
}

/**
 * Ids are strings or integers. Anything else cannot be answered under its own id, including a number that lost precision when it
 * was parsed.
 */
export function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** A request that may be long. */
export function requestLine(id: RpcId, method: string, params: JsonObject): Text {
  return objectText(params, `{"jsonrpc":"2.0","id":${idText(id)},"method":${JSON.stringify(method)},"params":`, '}');
}

export function requestText(id: RpcId, method: string, params: JsonObject): string {
  return String(requestLine(id, method, params));
}

export function notificationText(method: string, params: JsonObject | RawJson): string {
  const text = params instanceof RawJson ? params.text : JSON.stringify(params);
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${text}}`;
}

/** A result that may be long. */
export function resultLine(id: RpcId, { text }: RawJson): Text {
  const head = `{"jsonrpc":"2.0","id":${idText(id)},"result":`;
  return text.length > chunkedFrom ? new ChunkedText([head, text, '}']) : `${head}${text}}`;
}

export function resultText(id: RpcId, result: RawJson): string {
  return String(resultLine(id, result));
}

export function errorText(id: RpcId | null, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`;
}

function idText(id: RpcId): string {
  return typeof id === 'number' ? `${id}` : JSON.stringify(id);
}
