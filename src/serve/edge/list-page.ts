/** One page of a list, as both eras ask for it: by a cursor that we made, or from the beginning. */
import { findMember, type JsonObject } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { FrontSession, Kind } from '../../front/front.ts';

export async function readListPage(
  session: FrontSession,
  kind: Kind,
  params: JsonObject,
): Promise<{ readonly page: RawJson } | { readonly error: RpcError }> {
  const cursor = findMember(params, 'cursor');
  if (cursor !== undefined && typeof cursor !== 'string') {
    return { error: rpcError(rpcCode.invalidParams, '"cursor" must be a string.') };
  }
  const page = await session.list(kind, cursor);
  if (page !== undefined) return { page };
  return {
    error: rpcError(rpcCode.invalidParams, 'This cursor is not valid any more. List again without a cursor.'),
  };
}
