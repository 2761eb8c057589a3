/**
 * Which client was sent to which address: a server may tell later that what a person did there is complete, naming only an id.
 * Bounded in number and time, so that ids that are never named again cost nothing.
 */

import type { Clock } from '../../base/async/clock.ts';
import type { Client, ClientSession } from '../../base/call/call.ts';
import { findMember, findObject, isObject, type Json } from '../../base/json/json.ts';
import { type RpcError, rpcCode } from '../../base/rpc/rpc.ts';

export interface Elicitations {
  remember(id: Json | undefined, client: Client | undefined): void;
  /** The session that was sent there. Once for each id, because what is complete is over. */
  take(id: Json | undefined): ClientSession | undefined;
}

const most = 256;
const keepMs = 60 * 60 * 1_000;
const maxIdLength = 1_024;

export function createElicitations(clock: Clock): Elicitations {
  const known = new Map<string, { readonly session: ClientSession; readonly until: number }>();
  return {
    remember(id, client) {
      const session = client?.session;
      if (typeof id !== 'string' || id.length > maxIdLength || session === undefined) return;
      known.delete(id);
      known.set(id, { session, until: clock.now() + keepMs });
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size > most) known.delete(oldest);
    },
    take(id) {
      if (typeof id !== 'string') return undefined;
      const found = known.get(id);
      known.delete(id);
      return found !== undefined && clock.now() < found.until ? found.session : undefined;
    },
  };
}

/** The ids in a refusal that wants addresses opened first. */
export function listElicitations(error: RpcError): Json[] {
  if (error.code !== rpcCode.urlRequired) return [];
  const listed = findMember(findObject(error, 'data') ?? {}, 'elicitations');
  const entries = Array.isArray(listed) ? listed.slice(0, most) : [];
  return entries.filter(isObject).flatMap((entry) => findMember(entry, 'elicitationId') ?? []);
}
