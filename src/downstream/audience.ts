/** Who is there to use a server, and what the server is told of them. */
import type { Client } from '../base/call.ts';
import { allRelayable } from '../base/capabilities.ts';
import { type JsonObject, withoutMembers } from '../base/json.ts';
import type { ServerDefinition } from '../config/config.ts';

export interface Audience {
  /** There is one client and will be no other, so whatever a server asks or says is for that one. */
  readonly sole: boolean;
  /** That client, when it stays connected from call to call. */
  readonly host: Client | undefined;
}

/**
 * What the server is told that its client can do. Many servers show only what the client can use, so it is told everything,
 * unless one client is known to be all there is. Roots are facts of one client, which a server shared by many must not have.
 */
export function toDeclared({ sharing }: Pick<ServerDefinition, 'sharing'>, { sole, host }: Audience): JsonObject {
  if (host?.session !== undefined) return host.session.capabilities;
  return sole || sharing === 'perSession' || sharing === 'perCall'
    ? allRelayable
    : withoutMembers(allRelayable, ['roots']);
}
