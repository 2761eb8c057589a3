/** Who is there to use servers, and what a server that they share is told of them. */
import type { Client } from '../base/call.ts';
import { allRelayable } from '../base/capabilities.ts';
import type { JsonObject } from '../base/json.ts';

export interface Audience {
  /** There is one client and will be no other, so whatever a server asks or says is for that one. */
  readonly sole: boolean;
  /** The sessions that live, in the order they came. */
  readonly connected: readonly Client[];
  /** What that client can do, where it is known before it calls. */
  readonly declared?: JsonObject | undefined;
}

/**
 * What the server is told that its client can do. Many servers show only what the client can use, so it is told everything,
 * unless one client is known to be all there is.
 */
export function toDeclared({ sole, declared = allRelayable }: Audience): JsonObject {
  return sole ? declared : allRelayable;
}
