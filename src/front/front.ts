/** What a client sees, in any era and on any transport: lists, what can be asked of their entries, and news that a list changed. */

import type { Clock } from '../base/async/clock.ts';
import type { CacheHint } from '../base/call/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel } from '../base/call/call.ts';
import type { OnUpdated, Watch } from '../base/call/watch.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { RawJson } from '../base/json/raw-json.ts';
import type { Capability, Kind } from '../catalog/kind.ts';
import type { WorkbenchView } from '../workbench/view/workbench-view.ts';
import type { SeenLinks } from './uris/seen-links.ts';

export { type Capability, capabilities, changeMethod, findListedKind, type Kind, kindRules } from '../catalog/kind.ts';
export { isResultUri } from '../results/result-uri.ts';

export interface Front {
  /** A client is about to connect: servers that start now can be told what it can do. */
  clientConnected(client: Client): void;
  connect(client: Client, options: FrontConnectOptions): FrontSession;
  /** The view of a client whose list must stay constant, where a server offers it something else than to others; must be closed. */
  findOwn(client: Client): FrontSession | undefined;
  /** A client wants log messages of servers that do not belong to a call, down to this level. */
  setLogLevel(level: LogLevel, client: Client): void;
  /** A client comes through these Workbenches. Returns why it must not be served: this Workbench is among them. */
  findLoop(trail: readonly string[]): string | undefined;
  /** Ids of the Workbenches that a client reaches here: this one, and those behind it. */
  reaches(): readonly string[];
  /** Told what the operator of the Workbench has to know. */
  onWarning(listener: (text: string) => void): () => void;
  /**
   * The same front for clients that are known by this id, from a flag, an address or a credential: it decides how tools are
   * shown, never which. Returns the same object for the same client; unknown ids are one client.
   */
  forClient(id: string): Front;
}

export interface FrontConnectOptions {
  /** The client must see the same list all the time, so opening a toolbox may not add tools to it. */
  readonly constantLists: boolean;
}

/** The objects that every part of a session works on. */
export interface SessionContext {
  /** The workbench as this client sees it. */
  readonly bench: WorkbenchView;
  readonly clock: Clock;
  readonly links: SeenLinks;
  /** Names of the toolboxes that this client has opened. */
  readonly opened: Set<string>;
}

export interface Subscriber {
  readonly client: Client;
  readonly listener: OnUpdated;
}

export interface FrontSession {
  /** Text for the model: what there is and how to use it. Fits in 2,048 bytes. */
  readonly instructions: string;
  /** One page of a list, or undefined when the cursor is not one of ours or its list is gone. */
  list(kind: Kind, cursor: string | undefined): Promise<RawJson | undefined>;
  /** How long the result of `list` may be cached, as of now. */
  hint(kind: Kind): CacheHint;
  callTool(call: Call): Promise<CallOutcome>;
  getPrompt(call: Call): Promise<CallOutcome>;
  readResource(call: Call): Promise<CallOutcome>;
  complete(call: Call): Promise<CallOutcome>;
  /** Watches a resource; `listener` is called with the URI that the client knows. */
  subscribe(uri: string, subscriber: Subscriber): Promise<Watch>;
  /** The input schema of the tool that is shown under this name now, for checks before a call is made. */
  findInputSchema(name: string): JsonObject | undefined;
  /** Called when a list of this capability differs from the one that this client was given last. */
  onClientListChanged(capability: Capability, listener: () => void): () => void;
  close(): void;
}

/** A session of one mode. */
export interface ModeSession extends FrontSession {
  /** The view of the workbench has changed: whether it differs for this client is checked soon. */
  listingChanged(): void;
}
