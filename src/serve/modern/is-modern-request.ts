/** Tells a request of the stateless era from others, without the code of that era, which only its clients need. */
import { metaKeys } from '../../base/rpc/mcp.ts';
import type { Request } from '../conversation/message.ts';

/** Whether a request is of this era: it names its version itself, or is a method that only exists here. */
export function isModernRequest({ method, meta }: Request): boolean {
  return Object.hasOwn(meta, metaKeys.version) || method === 'server/discover';
}
