/** What a client sees, whatever era and transport it comes by: the list of tools, calls to them, and news that the list changed. */
import type { Call, Client, LogLevel, Outcome } from '../base/call.ts';
import type { JsonObject } from '../base/json.ts';
import type { Payload } from '../base/payload.ts';

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
  /** One page of the list, or undefined when the cursor is not one of ours or its list is gone. */
  listTools(cursor: string | undefined): Promise<Payload | undefined>;
  callTool(call: Call): Promise<Outcome>;
  /** The input schema of the tool that is shown under this name now, for whoever must check a call before it is made. */
  findInputSchema(name: string): JsonObject | undefined;
  /** Told when the list differs from what this client was given last. */
  onToolsChanged(listener: () => void): () => void;
  close(): void;
}
