/** Which clients use the servers, and what a server that they share is told of them. */
import type { Client } from '../../base/call/call.ts';
import { allRelayable } from '../../base/call/capabilities.ts';
import type { JsonObject } from '../../base/json/json.ts';

export interface Audience {
  /** There is one client and there will be no other, so everything that a server asks or says is for that client. */
  readonly sole: boolean;
  /** The sessions that are open, in the order they came. */
  readonly connected: readonly Client[];
  /** What servers that start now are told that their client can do; undefined when nothing is known. */
  readonly declared?: JsonObject | undefined;
}

/** Many servers show only what their client can use, so where nothing is known of clients they are told everything. */
export function toDeclared({ declared = allRelayable }: Audience): JsonObject {
  return declared;
}
