/** What carries messages to a server and back: the pipes of a process, or HTTP. */

import type { Text } from '../../base/json/chunked-text.ts';
import type { JsonObject } from '../../base/json/json.ts';

/** A message on its way out, with what a transport may need to know of it beside its text. */
export interface Outgoing {
  readonly line: Text;
  /** Undefined for an answer of ours. */
  readonly method?: string;
  /** Set for a request of ours. */
  readonly id?: number;
  readonly params?: JsonObject;
}

export interface Transport {
  /** True until the server has gone. */
  readonly running: boolean;
  /** What the server said beside the protocol, most recent last; empty where there is no such channel. */
  stderrTail(): string[];
  /** Ends the connection and everything it needed. Further calls change nothing. */
  stop(): Promise<void>;
}
