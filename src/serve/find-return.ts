/** Why a client must not be served: it is this Workbench itself, or one that this leads to. Asked before anything is started for it. */
import { type RpcError, rpcCode, rpcError } from '../base/rpc.ts';
import { findIds, trailKey } from '../base/trail.ts';
import type { Front } from '../front/front.ts';
import type { Request } from './message.ts';

export function findReturn(front: Front, { method, meta }: Request): RpcError | undefined {
  if (method !== 'initialize' && method !== 'server/discover') return undefined;
  const trail = findIds(meta, trailKey);
  const why = trail.length === 0 ? undefined : front.meet(trail);
  return why === undefined ? undefined : rpcError(rpcCode.internal, why, { code: 'WB1023' });
}
