/** The client of a request of the stateless era: what the request itself says, and the principal behind it. */
import type { Client } from '../../base/call/call.ts';
import { relayable } from '../../base/call/capabilities.ts';
import { findObject, findString } from '../../base/json/json.ts';
import { metaKeys } from '../../base/rpc/mcp.ts';
import type { Request } from '../conversation/message.ts';

/** Names are kept and compared, so they are bounded. */
const longest = 200;

export function toModernClient({ meta }: Request, principal: string): Client {
  const info = findObject(meta, metaKeys.clientInfo) ?? {};
  return {
    name: (findString(info, 'name') ?? 'modern client').slice(0, longest),
    version: findString(info, 'version')?.slice(0, longest),
    principal,
    capabilities: relayable(findObject(meta, metaKeys.capabilities) ?? {}),
  };
}
