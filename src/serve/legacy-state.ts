/** What the groups of methods of one handshake-era client work on. */
import type { LogLevel } from '../base/call.ts';
import type { JsonObject } from '../base/json.ts';
import type { Front, FrontSession } from '../front/front.ts';
import type { LegacyClient } from './legacy-client.ts';

export interface LegacyState {
  readonly front: Front;
  readonly session: FrontSession;
  readonly connected: LegacyClient;
  /** What the client declared, as far as its revision knows it. */
  readonly capabilities: JsonObject;
  /** The client can show an address to its user. */
  readonly showsUrls: boolean;
  /** That user sits at this machine as well. */
  readonly opensUrls: boolean;
  /** The revision agreed on has tasks. */
  readonly hasTasks: boolean;
  /** Undefined until the client says from which level on it wants log messages. */
  logLevel: LogLevel | undefined;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
}
