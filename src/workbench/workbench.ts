/**
 * The workbench: the one place that holds state. Everybody reads its current snapshot; a change builds a new snapshot, swaps it,
 * and is announced only when it differs.
 */
import { Busy } from '../base/busy.ts';
import type { CacheHint } from '../base/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel } from '../base/call.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { WorkbenchError } from '../base/errors.ts';
import { type JsonObject, withMembers } from '../base/json.ts';
import { type Log, silentLog } from '../base/log.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import { createSignal } from '../base/signal.ts';
import type { Watch } from '../base/watch.ts';
import { emptyCatalog, withListing } from '../catalog/catalog.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Config } from '../config/config.ts';
import type { StartLocal } from '../downstream/connect-stdio.ts';
import type { Identity } from '../downstream/edge.ts';
import { Link } from '../downstream/link.ts';
import { createLazyCredentials } from '../downstream/oauth/lazy-credentials.ts';
import { createPendingSignIns } from '../downstream/oauth/pending-sign-ins.ts';
import type { ProcessListener } from '../downstream/running/keep-record.ts';
import { createVerdicts } from '../downstream/verdicts.ts';
import type { Address, Toolbox } from '../toolbox/toolbox.ts';
import type { Bench, Place, Watcher } from './bench.ts';
import { createGuests } from './guests.ts';
import { planTask } from './plan-task.ts';
import { getEntry, getPlacement, getToolbox } from './resolve.ts';
import { isAvailable, type ServerStatus, toServerStatus } from './server-status.ts';
import { createSignInCalls, helpsSignIn, type SignInCalls } from './sign-in-calls.ts';
import { buildSnapshot, type Snapshot } from './snapshot.ts';
import { type ToolRequest, toCall } from './tool-request.ts';
import { buildToolboxViews, findCollisions, type ToolboxView } from './toolbox-view.ts';

export interface WorkbenchOptions {
  readonly config: Config;
  readonly identity: Identity;
  readonly log?: Log;
  readonly clock?: Clock;
  /** Shared with the log, so that what one learns the other hides. */
  readonly redactor?: Redactor;
  /** Starts local servers instead of the operating system; for tests that drive them by hand. */
  readonly startLocal?: StartLocal;
  /** In [0, 1); spreads restarts of servers in time. */
  readonly random?: () => number;
  /** Folder for what is remembered between runs; nothing is remembered without it. */
  readonly stateDir?: string;
  /** Is told which processes there are. */
  readonly processes?: ProcessListener;
}

export class Workbench implements Bench {
  readonly log: Log;
  readonly #changed = createSignal<void>();
  readonly #statusChanged = createSignal<ServerStatus>();
  readonly #serverLogged = createSignal<JsonObject>();
  readonly #links = new Map<string, Link>();
  readonly #signIns: SignInCalls;
  readonly #guests = createGuests(() => {
    for (const link of this.#links.values()) link.rootsChanged();
  });
  #snapshot: Snapshot;
  #eagerStarted = false;

  constructor(options: WorkbenchOptions) {
    const { config, identity } = options;
    const redactor = options.redactor ?? createRedactor();
    for (const { name, value } of config.secrets) redactor.learn(name, value);
    const clock = options.clock ?? systemClock;
    this.log = options.log ?? silentLog;
    const { stateDir } = options;
    const loadSignIns = async (dir: string) => {
      const { createSignIns } = await import('../downstream/oauth/sign-ins.ts');
      return createSignIns({ stateDir: dir, log: this.log, redactor });
    };
    this.#signIns = createSignInCalls(
      clock,
      stateDir === undefined ? undefined : createPendingSignIns(() => loadSignIns(stateDir)),
    );
    this.#snapshot = buildSnapshot(config, emptyCatalog);
    const verdicts = createVerdicts(options.stateDir);
    const shared = {
      identity,
      clock,
      limits: config.limits,
      log: this.log,
      redactor,
      verdicts,
      processes: options.processes,
      startLocal: options.startLocal,
      random: options.random,
      audience: () => this.#guests.audience,
    };
    for (const definition of config.servers.values()) {
      const credentials = createLazyCredentials({ definition, stateDir: options.stateDir, log: this.log, redactor });
      const link = new Link({ ...shared, definition, credentials });
      this.#links.set(definition.key, link);
      link.onListing((listing) =>
        this.#advance(buildSnapshot(config, withListing(this.#snapshot.catalog, definition.key, listing))),
      );
      link.onStatus(() => this.#statusChanged.emit(this.#status(link)));
      link.onLog((params) => this.#serverLogged.emit(params));
    }
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get config(): Config {
    return this.#snapshot.config;
  }

  /** What is shown has changed. */
  onChanged(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  onStatus(listener: (status: ServerStatus) => void): () => void {
    return this.#statusChanged.on(listener);
  }

  /** Log messages of servers that belong to no call. */
  onServerLog(listener: (params: JsonObject) => void): () => void {
    return this.#serverLogged.on(listener);
  }

  /** Makes room for clients, before the first of them comes: for the one at a pipe, or for any number. */
  admit(clients: 'one' | 'many'): void {
    this.#guests.admit(clients);
    if (clients === 'many') this.#startEager();
  }

  meet(client: Client): void {
    this.#guests.meet(client);
    this.#startEager();
  }

  /** The toolboxes as they are shown now. */
  toolboxes(): ToolboxView[] {
    return buildToolboxViews(this.#snapshot);
  }

  servers(): ServerStatus[] {
    return [...this.#links.values()].map((link) => this.#status(link));
  }

  /** What to say about public names that more than one tool claims. */
  collisions(): string[] {
    return findCollisions(this.#snapshot);
  }

  /** Starts the servers of a toolbox and waits until each is ready or has failed, or has used up its wait. */
  async open(name: string): Promise<Toolbox> {
    const { placements } = getToolbox(this.#snapshot, name);
    await this.#settle([...placements.values()].map(({ key }) => key));
    return getToolbox(this.#snapshot, name);
  }

  /** The same for all servers. */
  async openAll(): Promise<void> {
    await this.#settle([...this.#links.keys()]);
  }

  /** Begins to start all servers and does not wait. */
  startAll(keys: Iterable<string> = this.#links.keys()): void {
    for (const key of keys) startQuietly(this.#getLink(key));
  }

  /** Waits for the servers that are starting now, each up to its wait; starts none. */
  async settled(keys: Iterable<string> = this.#links.keys()): Promise<void> {
    await Promise.all([...keys].map((key) => this.#getLink(key).settled(this.config.startWaitMs)));
  }

  /** How the server behind a placement is. */
  statusOf(key: string): ServerStatus {
    return this.#status(this.#getLink(key));
  }

  hintOf(key: string, kind: Kind): CacheHint | undefined {
    return this.#getLink(key).hint(kind);
  }

  /** Sends a call to what stands at an address, starting its server when needed. Throws a WorkbenchError when it cannot get there. */
  async forward(address: Address, call: Call, kind: Kind = 'tools'): Promise<CallOutcome> {
    return this.#deliver(address, call, () => {
      const { item, address: own } = getEntry(getToolbox(this.#snapshot, address.toolbox), kind, address);
      const named = { ...call, params: withMembers(call.params, { name: own.name }) };
      if (kind !== 'tools') return named;
      const planned = planTask(named, item.definition);
      // Whoever asked for a task need not wait for the server to agree: the task is ours.
      if (call.task !== undefined) call.onTask?.({});
      return planned;
    });
  }

  /** Sends a call as it is to a server of a toolbox, otherwise like `forward`. */
  send(place: Place, call: Call): Promise<CallOutcome> {
    return this.#deliver(place, call, () => call);
  }

  /** `toOwn` makes what its server is sent, once that has been heard. */
  async #deliver(place: Place, call: Call, toOwn: () => Call): Promise<CallOutcome> {
    const { key } = getPlacement(getToolbox(this.#snapshot, place.toolbox), place.server);
    const link = this.#getLink(key);
    if (call.awaitsUrl === true) await this.afterSignIn(key, call);
    const release = link.takeSlot();
    try {
      if (link.listing === undefined) await link.startFor(call);
      return await link.call(toOwn());
    } catch (error) {
      if (helpsSignIn(error)) await this.askSignIn(key, call);
      throw error;
    } finally {
      release();
    }
  }

  watch(place: Place, uri: string, { client, listener }: Watcher): Promise<Watch> {
    const { key } = getPlacement(getToolbox(this.#snapshot, place.toolbox), place.server);
    return this.#getLink(key).watch(client, uri, listener);
  }

  askSignIn(key: string, call: Call): Promise<void> {
    return this.#signIns.ask(this.#getLink(key).definition, call);
  }

  afterSignIn(key: string, call: Call): Promise<void> {
    return this.#signIns.finished(key, call);
  }

  /** Calls a tool and returns its result as the server gave it. */
  async call(address: Address, request: ToolRequest): Promise<JsonObject> {
    const outcome = await this.forward(address, toCall(request)).catch((error: unknown) => {
      throw error instanceof Busy ? new WorkbenchError('WB1019', error.message, { cause: error }) : error;
    });
    if ('result' in outcome) return outcome.result.value;
    const { code, message } = 'error' in outcome ? outcome.error : unanswerable;
    throw new WorkbenchError(
      'WB1805',
      `Tool '${address.name}' of server '${address.server}' failed: ${message} (${code})`,
    );
  }

  setLogLevel(level: LogLevel): void {
    for (const link of this.#links.values()) link.setLogLevel(level);
  }

  async close(): Promise<void> {
    this.#signIns.close();
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  /** For one client, once it has said what it can do; for many, at once. */
  #startEager(): void {
    if (this.#eagerStarted) return;
    this.#eagerStarted = true;
    const eager = [...this.#links].filter(([, { definition }]) => definition.start === 'eager');
    this.startAll(eager.map(([key]) => key));
  }

  async #settle(keys: readonly string[]): Promise<void> {
    this.startAll(keys);
    await this.settled(keys);
  }

  #advance(next: Snapshot): void {
    this.#snapshot = next;
    this.#changed.emit();
  }

  #getLink(key: string): Link {
    const link = this.#links.get(key);
    if (link === undefined) throw new WorkbenchError('WB1999', `There is no server with the key '${key}'.`);
    return link;
  }

  #status(link: Link): ServerStatus {
    return toServerStatus(link, this.config);
  }
}

/** A program has nobody who could answer; a server that asks it all the same is not asked for more. */
const unanswerable = rpcError(rpcCode.internal, 'The tool asks for input, and nobody is there to give it.');

/** One whose tools can be called is left alone, also when it sleeps; a failed start is told by the status, to whoever asks for it. */
function startQuietly(link: Link): void {
  if (link.status.state !== 'disabled' && !isAvailable(link.status)) link.start().catch(() => {});
}
