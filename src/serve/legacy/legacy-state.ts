/** What the groups of methods of one handshake-era client work on. */
import type { ClientFeatures } from '../../base/call/call.ts';
import type { Front, FrontSession } from '../../front/front.ts';
import type { LegacyClient } from './legacy-client.ts';

export interface LegacyState {
  readonly front: Front;
  readonly session: FrontSession;
  readonly connected: LegacyClient;
  /** The client can show an address to its user. */
  readonly showsUrls: boolean;
  /** The revision agreed on has tasks. */
  readonly hasTasks: boolean;
  /** The revision agreed on has links to resources in results. */
  readonly hasLinks: boolean;
  /** Replaced when the client says from which level on it wants log messages. */
  features: ClientFeatures;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
}
