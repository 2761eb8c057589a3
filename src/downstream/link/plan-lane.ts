/**
 * Which clients may share one running server. What a server with a session asks or says does not name the call it belongs to, and
 * the server is told once what its client can do. Over a network a session for each client costs nothing; a process does, so a
 * local server is one process until it has to be more.
 */
import type { Client } from '../../base/call/call.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { ServerDefinition } from '../../config/model/config.ts';

/** `main`: one for all clients. `own`: one for this client. `call`: one for this call. */
export type Lane = 'main' | 'own' | 'call';

export interface LaneFacts {
  readonly definition: Pick<ServerDefinition, 'sharing' | 'transport'>;
  /** The server was told once who its client is: see `ServerEdge`. */
  readonly isSession: boolean;
  /** What the shared one was told that its client can do. */
  readonly told: JsonObject;
  /** The server has shown that each client needs one of its own. */
  readonly apart: boolean;
  /** The client that keeps the shared one all the same, so that not all clients lose what they had there. */
  readonly tenant: Client | undefined;
  /** There is only one client at all. */
  readonly sole: boolean;
}

export function planLane(ground: LaneFacts, client: Client): Lane {
  const { isSession, definition, sole, apart, tenant } = ground;
  const { sharing, transport } = definition;
  // Here every request stands alone anyway.
  if (!isSession && transport.kind === 'http') return 'main';
  if (sharing === 'perCall') return 'call';
  if (sharing === 'shared') return 'main';
  if (isSession && isMisled(ground, client)) return 'own';
  // The only client there is, for as long as it is there.
  if (sole) return 'main';
  if (sharing === 'perSession' || (isSession && transport.kind === 'http')) return 'own';
  return apart && client !== tenant ? 'own' : 'main';
}

const kinds = ['elicitation', 'sampling', 'roots'];

/** The server was not told of a kind of question that this client can be asked: it would never ask. */
function isMisled({ told }: LaneFacts, { session, capabilities }: Client): boolean {
  const able = session?.capabilities ?? capabilities ?? {};
  return kinds.some((kind) => Object.hasOwn(able, kind) && !Object.hasOwn(told, kind));
}
