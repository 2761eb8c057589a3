/** What a client sees, whatever era and transport it comes by: lists, what can be asked of their entries, and news that a list changed. */
import type { Call, Client, LogLevel, Outcome } from '../base/call.ts';
import type { JsonObject } from '../base/json.ts';
import type { Payload } from '../base/payload.ts';
import type { Capability, Kind } from '../catalog/kind.ts';

export { type Capability, capabilities, changeMethod, findListedKind, type Kind, kindRules } from '../catalog/kind.ts';

export interface Front {
  connect(client: Client, options: ConnectOptions): FrontSession;
  /** Log messages of servers that belong to no call are wanted from here on, down to this level. */
  setLogLevel(level: LogLevel): void;
  onServerLog(listener: (params: JsonObject) => void): () => void;
}

export interface ConnectOptions {
  /** The client must see the same list whatever it does, so opening a toolbox may not add tools to it. */
  readonly constantLists: boolean;
}

export interface FrontSession {
  /** Text for the model: what there is and how to use it. Fits in 2,048 bytes. */
  readonly instructions: string;
  /** One page of a list, or undefined when the cursor is not one of ours or its list is gone. */
  list(kind: Kind, cursor: string | undefined): Promise<Payload | undefined>;
  callTool(call: Call): Promise<Outcome>;
  getPrompt(call: Call): Promise<Outcome>;
  readResource(call: Call): Promise<Outcome>;
  complete(call: Call): Promise<Outcome>;
  /** The input schema of the tool that is shown under this name now, for whoever must check a call before it is made. */
  findInputSchema(name: string): JsonObject | undefined;
  /** Told when a list of this capability differs from what this client was given last. */
  onListChanged(capability: Capability, listener: () => void): () => void;
  close(): void;
}
