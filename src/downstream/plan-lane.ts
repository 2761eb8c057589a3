/**
 * Who may use one running server together. A server of the handshake era that asks its client something does not say which call
 * made it ask, so those who use such a server together could get each other's questions: then every client has its own.
 */
import type { Client } from '../base/call.ts';
import type { ServerDefinition } from '../config/config.ts';
import type { Era } from './edge.ts';

/** `main`: with all others. `session`: with nobody but this client. `exclusive`: alone, call after call. `call`: alone, once. */
export type Lane = 'main' | 'session' | 'exclusive' | 'call';

export interface LaneGround {
  readonly definition: Pick<ServerDefinition, 'sharing' | 'transport'>;
  readonly era: Era;
  /** The server has asked something although it could not be told whom. */
  readonly asks: boolean;
  /** There is only one client at all. */
  readonly sole: boolean;
}

export function planLane(ground: LaneGround, client: Client): Lane {
  const { era, definition } = ground;
  const { sharing, transport } = definition;
  // Here every request stands alone anyway.
  if (era === 'modern' && transport.kind === 'http') return 'main';
  if (sharing === 'perCall') return 'call';
  // The only client there is, for as long as it is there.
  if (client.session !== undefined && ground.sole) return 'main';
  const together = sharing === 'shared' || (sharing === undefined && (era === 'modern' || !ground.asks));
  if (together) return 'main';
  if (client.session !== undefined) return 'session';
  return ground.sole && !ground.asks ? 'main' : 'exclusive';
}
