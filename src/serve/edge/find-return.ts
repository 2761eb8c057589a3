/** How a client that is a Workbench is kept from leading back to this one. See decision 30. */

import { findIds, reachesKey, trailKey, workbenchName } from '../../base/call/trail.ts';
import { findString, type JsonObject } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { Front } from '../../front/front.ts';
import type { Request } from '../conversation/message.ts';

/** Why a client must not be served. Checked before anything is started for it. */
export function findReturn(front: Front, { method, meta }: Request): RpcError | undefined {
  if (method !== 'initialize' && method !== 'server/discover') return undefined;
  const trail = findIds(meta, trailKey);
  const why = trail.length === 0 ? undefined : front.findLoop(trail);
  return why === undefined ? undefined : rpcError(rpcCode.internal, why, { code: 'WB1023' });
}

/** For the metadata of its first answer: the Workbenches that a Workbench reaches through this one. Other clients are not told. */
export function toReaches(front: Front, clientInfo: JsonObject): JsonObject {
  return findString(clientInfo, 'name') === workbenchName ? { _meta: { [reachesKey]: [...front.reaches()] } } : {};
}
