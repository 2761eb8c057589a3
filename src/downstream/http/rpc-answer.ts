/** Finds the JSON-RPC error in the body of an answer whose status is a failure. */
import { findMember, findObject, findString, isObject, type Json } from '../../base/json/json.ts';
import { type RpcError, rpcCode } from '../../base/rpc/rpc.ts';

export function findRpcError(text: string): RpcError | undefined {
  let message: Json;
  try {
    message = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  const error = isObject(message) ? findObject(message, 'error') : undefined;
  if (error === undefined) return undefined;
  const code = findMember(error, 'code');
  const words = findString(error, 'message');
  return Number.isInteger(code) && words !== undefined ? { ...error, code: code as number, message: words } : undefined;
}

/** Errors that only a server of the stateless era sends. */
export function isModernError({ code }: RpcError): boolean {
  return code === rpcCode.headerMismatch || code === rpcCode.missingCapability || code === rpcCode.unsupportedVersion;
}
