/**
 * The workbench: the one place that holds state. Everybody reads its current snapshot; a change builds a new snapshot, swaps it,
 * and is announced only when it differs.
 */
import type { CacheHint } from '../base/cache-hint.ts';
import { type Call, type CallOutcome, type Client, type LogLevel, withParts } from '../base/call.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { Eventual } from '../base/eventual.ts';
import type { JsonObject } from '../base/json.ts';
import { type Log, silentLog } from '../base/log.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import { createSignal } from '../base/signal.ts';
import type { Watch } from '../base/watch.ts';
import { withListing } from '../catalog/catalog.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Config, ServerDefinition } from '../config/config.ts';
import type { Address, Toolbox } from '../toolbox/toolbox.ts';
import { type Bench, deriveBench, type Place, type Watcher } from './bench.ts';
import { createGuests } from './guests.ts';
import { handTo } from './hand-to.ts';
import type { KnownGround } from './known-ground.ts';
import { createLinkMaker } from './link-maker.ts';
import { Links } from './links.ts';
import type { WorkbenchOptions } from './options.ts';
import { createOwnListings } from './own-listings.ts';
import { planReload } from './plan-reload.ts';
import { planTask } from './plan-task.ts';
import { logReload, type Reload, toReload, withFixedSettings } from './reload.ts';
import { getEntry, getPlacement, getToolbox } from './resolve.ts';
import { type ServerStatus, toServerStatus } from './server-status.ts';
import { createSignInCalls, type SignInCalls } from './sign-in-calls.ts';
import { buildSnapshot, type Snapshot } from './snapshot.ts';
import { getResult, type ToolRequest, toCall } from './tool-request.ts';
import { buildToolboxViews, findCollisions, type ToolboxView } from './toolbox-view.ts';
import { createWatches } from './watches.ts';

export class Workbench implements Bench {
  readonly log: Log;
  readonly #changed = createSignal<void>();
  readonly #statusChanged = createSignal<ServerStatus>();
  readonly #ownListings = createOwnListings((client) => this.#links.listingsFor(client));
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #links: Links;
  readonly #signIns: SignInCalls;
  readonly #watches = createWatches((place) => this.#links.get(this.#keyAt(place)));
  readonly #guests = createGuests((client) => this.#links.rootsChanged(client));
  #snapshot: Snapshot;
  /** One reload at a time, in the order they were asked for. */
  #applied: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: WorkbenchOptions) {
    const { config, identity, stateDir, processes, startLocal, random } = options;
    const redactor = options.redactor ?? createRedactor();
    const clock = options.clock ?? systemClock;
    const log = options.log ?? silentLog;
    this.log = log;
    this.#redactor = redactor;
    this.#clock = clock;
    this.#signIns = createSignInCalls({ clock, stateDir, log, redactor });
    const audience = () => this.#guests.audience;
    const catalogs = { stateDir: config.keepCatalog ? stateDir : undefined, clock, fresh: options.fresh ?? false };
    const shared = { identity, clock, log, redactor, stateDir, catalogs, processes, startLocal, random, audience };
    this.#learnSecrets(config);
    this.#links = new Links({
      maker: createLinkMaker(shared),
      config,
      onListing: (key, listing) =>
        this.#advance(buildSnapshot(this.config, withListing(this.#snapshot.catalog, key, listing))),
      onStatus: (key) => {
        if (this.#statusChanged.awaited) this.#statusChanged.emit(this.statusOf(key));
      },
      onOwnListing: (_, client) => this.#ownListings.changed(client),
    });
    this.#snapshot = buildSnapshot(config, this.#links.catalog());
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get config(): Config {
    return this.#snapshot.config;
  }

  /**
   * Puts another configuration in force. Servers that are defined as before keep their processes, sessions and calls; one that
   * takes the place of another is started first; calls under way at what is gone may end, for a while. What a running service
   * cannot change (`http`, `auth`, `limits`, `keepCatalog`) stays as it is.
   */
  apply(config: Config): Promise<Reload> {
    const applied = this.#applied.then(() => this.#apply(config));
    this.#applied = applied.catch(() => {});
    return applied;
  }

  /** What is shown has changed. */
  onChanged(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  onStatus(listener: (status: ServerStatus) => void): () => void {
    return this.#statusChanged.on(listener);
  }

  /** Makes room for clients, before the first of them comes: for the one at a pipe, or for any number. */
  admit(clients: 'one' | 'many'): void {
    this.#guests.admit(clients);
    if (clients === 'many') this.#links.startEager();
  }

  meet(client: Client): void {
    this.#guests.meet(client);
    this.#links.startEager();
  }

  of(client: Client): Bench {
    const snapshot = () => this.#ownListings.snapshotOf(client, this.#snapshot);
    const onOwn = (listener: () => void) => this.#ownListings.onChanged(client, listener);
    return deriveBench(this, { snapshot, onChanged: onOwn, of: (other) => this.of(other) });
  }

  differsFor(client: Client): boolean {
    return this.#ownListings.snapshotOf(client, this.#snapshot) !== this.#snapshot;
  }

  /** The toolboxes as they are shown now. */
  toolboxes(): ToolboxView[] {
    return buildToolboxViews(this.#snapshot);
  }

  servers(): ServerStatus[] {
    return [...this.#links.keys()].map((key) => this.statusOf(key));
  }

  /** What to say about public names that more than one tool claims. */
  collisions(): string[] {
    return findCollisions(this.#snapshot);
  }

  /**
   * Starts the servers of a toolbox and waits until each is ready or has failed, or has used up its wait. Nobody waits for those
   * that are known from an earlier run: they are about to be used, so they are started too, but a moment later.
   */
  async open(name: string): Promise<Toolbox> {
    const { placements } = getToolbox(this.#snapshot, name);
    const keys = [...placements.values()].map(({ key }) => key);
    const missing = this.#links.missing(keys);
    const known = keys.filter((key) => this.#links.get(key).status.state === 'known');
    if (known.length > 0) this.#clock.after(0, () => this.startAll(known));
    await this.#settle(missing);
    return getToolbox(this.#snapshot, name);
  }

  /** Starts all servers, also those that are known from before, and waits for all of them. */
  async openAll(): Promise<void> {
    await this.#settle([...this.#links.keys()]);
  }

  /** Begins to start all servers and does not wait. */
  startAll(keys: Iterable<string> = this.#links.keys()): void {
    if (!this.#closed) this.#links.start(keys);
  }

  /** The same for those whose tools cannot be called as they are known. */
  startMissing(keys: Iterable<string> = this.#links.keys()): void {
    this.#links.start(this.#links.missing(keys));
  }

  /** Waits for the servers that are starting now and that nothing is known of, each up to its wait. */
  async listed(keys: Iterable<string> = this.#links.keys()): Promise<void> {
    await this.settled(this.#links.unlisted(keys));
  }

  /** Waits for the servers that are starting now, each up to its wait; starts none. */
  async settled(keys: Iterable<string> = this.#links.keys()): Promise<void> {
    await this.#links.settled(keys, this.config.startWaitMs);
  }

  /** How the server behind a placement is. */
  statusOf(key: string): ServerStatus {
    return toServerStatus(this.#getDefinition(key), this.#links.get(key), this.config);
  }

  hintOf(key: string, kind: Kind): CacheHint | undefined {
    return this.#links.find(key)?.hint(kind);
  }

  /** Sends a call to what stands at an address, starting its server when needed. Fails with a WorkbenchError when it cannot get there. */
  forward(address: Address, call: Call, kind: Kind = 'tools'): Eventual<CallOutcome> {
    return this.#deliver(address, call, () => {
      const snapshot = this.#ownListings.snapshotOf(call.client, this.#snapshot);
      const { item, address: own } = getEntry(getToolbox(snapshot, address.toolbox), kind, address);
      const named = withParts(call, { params: { ...call.params, name: own.name } });
      if (kind !== 'tools') return named;
      const planned = planTask(named, item.definition);
      // Whoever asked for a task need not wait for the server to agree: the task is ours.
      if (call.task !== undefined) call.onTask?.({});
      return planned;
    });
  }

  /** Sends a call as it is to a server of a toolbox, otherwise like `forward`. */
  send(place: Place, call: Call): Eventual<CallOutcome> {
    return this.#deliver(place, call, () => call);
  }

  /** `toOwn` makes what its server is sent, once that has been heard. */
  #deliver(place: Place, call: Call, toOwn: () => Call): Eventual<CallOutcome> {
    return Eventual.run(() =>
      call.awaitsUrl === true
        ? this.afterSignIn(this.#keyAt(place), call).then(() => this.#hand(place, call, toOwn))
        : this.#hand(place, call, toOwn),
    );
  }

  #hand(place: Place, call: Call, toOwn: () => Call): Eventual<CallOutcome> {
    const key = this.#keyAt(place);
    return handTo(this.#links.get(key), call, { toOwn, askSignIn: () => this.askSignIn(key, call) });
  }

  watch(place: Place, uri: string, watcher: Watcher): Promise<Watch> {
    return this.#watches.add(place, uri, watcher);
  }

  askSignIn(key: string, call: Call): Promise<void> {
    return this.#signIns.ask(this.#getDefinition(key), call);
  }

  afterSignIn(key: string, call: Call): Promise<void> {
    return this.#signIns.finished(key, call);
  }

  /** Calls a tool and returns its result as the server gave it. */
  async call(address: Address, request: ToolRequest): Promise<JsonObject> {
    return getResult(address, this.forward(address, toCall(request)));
  }

  /** What the next start would know of servers, when it is what is known now. */
  ground(): KnownGround | undefined {
    return this.#links.ground();
  }

  setLogLevel(level: LogLevel, client: Client): void {
    this.#links.setLogLevel(level, client);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#signIns.close();
    await this.#links.close();
    await this.#applied;
  }

  async #apply(wanted: Config): Promise<Reload> {
    const plan = planReload(this.config, wanted);
    const reload = toReload(plan);
    if (plan.same || this.#closed) return reload;
    const config = withFixedSettings(wanted, this.config);
    this.#learnSecrets(config);
    const next = this.#links.open(config, plan.start);
    await this.#links.prepare(next, config);
    if (this.#closed) return reload;
    this.#advance(buildSnapshot(config, this.#links.swap(config, next, plan)));
    this.#watches.move();
    logReload(this.log, reload);
    return reload;
  }

  #learnSecrets({ secrets }: Config): void {
    for (const { name, value } of secrets) this.#redactor.learn(name, value);
  }

  async #settle(keys: readonly string[]): Promise<void> {
    this.startAll(keys);
    await this.settled(keys);
  }

  #advance(next: Snapshot): void {
    this.#snapshot = next;
    this.#changed.emit();
  }

  #keyAt({ toolbox, server }: Place): string {
    return getPlacement(getToolbox(this.#snapshot, toolbox), server).key;
  }

  /** As the configuration has it now: a link may be older than the key of its server. */
  #getDefinition(key: string): ServerDefinition {
    return this.config.servers.get(key) ?? this.#links.get(key).definition;
  }
}
