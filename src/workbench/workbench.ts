/**
 * The workbench: the one place that holds state. All other code reads its current snapshot; a change builds a new snapshot, swaps
 * it, and is announced only when it differs.
 */
import { systemClock } from '../base/async/clock.ts';
import { createEmitter } from '../base/async/emitter.ts';
import type { CacheHint } from '../base/call/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel } from '../base/call/call.ts';
import type { Watch } from '../base/call/watch.ts';
import type { JsonObject } from '../base/json/json.ts';
import { type Log, silentLog } from '../base/text/log.ts';
import { createRedactor, learnSecrets, type Redactor } from '../base/text/redact.ts';
import { withListing } from '../catalog/catalog.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Config, ServerDefinition } from '../config/model/config.ts';
import { type Chain, createOwnChain } from '../downstream/connection/chain.ts';
import { createLateResults } from '../results/late-results.ts';
import type { ResultStore } from '../results/result-store.ts';
import type { Address, Toolbox } from '../toolbox/toolbox.ts';
import { createClientAudience } from './calls/audience.ts';
import { type Observer, observeCall } from './calls/observer.ts';
import { toServerCall } from './calls/own-call.ts';
import { getPlacement, getToolbox } from './calls/resolve.ts';
import { getRoute, type RoutedPlace } from './calls/route.ts';
import { createSignInCalls, helpsSignIn, type SignInCalls } from './calls/sign-in-calls.ts';
import { getResult, type ToolRequest, toToolCall } from './calls/tool-request.ts';
import { createLinkMaker } from './links/link-maker.ts';
import { Links } from './links/links.ts';
import { createOwnListings } from './links/own-listings.ts';
import { createWatches } from './links/watches.ts';
import { planReload } from './reload/plan-reload.ts';
import { planRelocation } from './reload/regroup.ts';
import { logReload, type Reload, toReload, withFixedSettings } from './reload/reload.ts';
import { createFilterView, type FilterView } from './reports/filter-view.ts';
import { findLeftOutStatus, type ServerStatus, toServerStatus } from './reports/server-status.ts';
import { createShapeView } from './reports/shape-view.ts';
import { buildToolboxViews, findCollisions, type ToolboxView } from './reports/toolbox-view.ts';
import { type BenchSearch, createBenchSearch } from './search/bench-search.ts';
import { findUsableState } from './usable-state.ts';
import type { WorkbenchOptions } from './view/options.ts';
import { buildSnapshot, type Snapshot } from './view/snapshot.ts';
import { createSurfaceChoices } from './view/surface-choices.ts';
import type { ServerPlace, Watcher, WorkbenchView } from './view/workbench-view.ts';

export class Workbench implements WorkbenchView {
  readonly log: Log;
  readonly chain: Chain;
  readonly filters: FilterView;
  readonly shapes = createShapeView(() => this.#snapshot, this);
  readonly results: ResultStore;
  readonly choices = createSurfaceChoices();
  readonly search: BenchSearch;
  readonly introductions = () => this.#links.introductions(this.config);
  readonly #changed = createEmitter<void>();
  readonly #statusChanged = createEmitter<ServerStatus>();
  readonly #warned = createEmitter<string>();
  /** The view has changed. */
  readonly onChanged = this.#changed.on;
  readonly onStatus = this.#statusChanged.on;
  readonly onWarning = this.#warned.on;
  /** Tells connected clients, as far as their protocol allows it. */
  readonly warn = this.#warned.emit;
  readonly #ownListings = createOwnListings((client) => this.#links.listingsFor(client));
  readonly #redactor: Redactor;
  readonly #links: Links;
  readonly #signIns: SignInCalls;
  readonly #watches = createWatches((place) => this.#links.get(this.#keyAt(place)));
  readonly #observer: Observer | undefined;
  readonly #guests = createClientAudience((client) => this.#links.rootsChanged(client));
  #snapshot: Snapshot;
  /** One reload at a time, in the order of the requests. */
  #applied: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: WorkbenchOptions) {
    const { config, identity, processes, startLocal, random, clock = systemClock, log = silentLog } = options;
    const redactor = options.redactor ?? createRedactor();
    this.log = log;
    this.#observer = options.observer;
    const stateDir = findUsableState(options.stateDir, log);
    this.chain = createOwnChain(config.path);
    this.filters = createFilterView(() => this.#snapshot, log);
    this.#redactor = redactor;
    this.#signIns = createSignInCalls({ clock, stateDir, log, redactor });
    this.results = createLateResults({ clock, log, stateDir });
    const catalogs = { stateDir: config.keepCatalog ? stateDir : undefined, clock, fresh: options.fresh ?? false };
    this.search = createBenchSearch(this, { stateDir: catalogs.stateDir, clock, log });
    const shared = { identity, clock, log, redactor, stateDir, catalogs, processes, startLocal, random };
    learnSecrets(config, this.#redactor);
    this.#links = new Links({
      maker: createLinkMaker({ ...shared, chain: this.chain, audience: () => this.#guests.audience }),
      config,
      onListingChanged: (key, listing) => {
        this.#advance(buildSnapshot(this.config, withListing(this.#snapshot.catalog, key, listing)));
        for (const view of [this.filters, this.shapes]) view.heard(key);
      },
      onStatus: (key) => this.#statusChanged.hasListeners && this.#statusChanged.emit(this.statusOf(key)),
      onOwnListingChanged: (_, client) => this.#ownListings.changed(client),
    });
    this.#snapshot = buildSnapshot(config, () => this.#links.catalog());
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get config(): Config {
    return this.#snapshot.config;
  }

  /**
   * Puts another configuration in force. Servers with an unchanged definition keep their processes, sessions and calls; a server
   * that replaces another is started first; calls on removed servers have a while to end. Settings that a running service cannot
   * change (`http`, `auth`, `limits`, `keepCatalog`) stay as they are.
   */
  apply(config: Config): Promise<Reload> {
    const applied = this.#applied.then(() => this.#apply(config));
    this.#applied = applied.catch(() => {});
    return applied;
  }

  /** Prepares for clients, before the first of them comes: for the one on a pipe, or for any number. */
  admit(clients: 'one' | 'many'): void {
    this.#guests.expectClients(clients);
    this.#links.reconsider();
    if (clients === 'many') this.#links.startEager();
  }

  clientConnected(client: Client): void {
    if (this.#guests.clientConnected(client)) this.#links.reconsider();
    if (client.session !== undefined) this.#observer?.onClient(client);
    this.#links.startEager();
  }

  of(client: Client): WorkbenchView {
    return this.#ownListings.benchOf(client, this);
  }

  differsFor(client: Client): boolean {
    return this.#ownListings.snapshotOf(client, this.#snapshot) !== this.#snapshot;
  }

  /** The toolboxes as they are shown now. */
  toolboxes(): ToolboxView[] {
    return buildToolboxViews(this.#snapshot);
  }

  servers(): ServerStatus[] {
    return [...this.#links.keys(), ...(this.config.leftOut?.servers.keys() ?? [])].map((key) => this.statusOf(key));
  }

  /** Messages about public names that more than one tool claims. */
  collisions(): string[] {
    return findCollisions(this.#snapshot);
  }

  /**
   * Starts the servers of a toolbox and waits until each is ready or has failed, or has used up its wait. Known lists are
   * returned as they are; those servers are about to be used, so they are started too, and one that cannot be started has a
   * moment to fail.
   */
  async open(name: string): Promise<Toolbox> {
    const { placements } = getToolbox(this.#snapshot, name);
    const keys = [...placements.values()].map(({ key }) => key);
    const missing = this.#links.missing(keys);
    const known = keys.filter((key) => this.#links.find(key)?.status.state === 'known');
    this.startAll([...known, ...missing]);
    await this.settled(missing);
    const toolbox = getToolbox(this.#snapshot, name);
    await this.#links.firstSigns(known);
    return toolbox;
  }

  startAll(keys: Iterable<string> = this.#links.keys()): void {
    if (!this.#closed) this.#links.start(keys);
  }

  async hear(keys: Iterable<string>): Promise<void> {
    if (!this.#closed) await this.#links.hear(keys);
  }

  startMissing(keys: Iterable<string> = this.#links.keys()): void {
    this.#links.startMissing(keys);
  }

  /** Waits for the servers that are starting now and that nothing is known of, each up to its wait. */
  async listed(keys: Iterable<string> = this.#links.keys()): Promise<void> {
    await this.settled(this.#links.unlisted(keys));
  }

  /** Waits for the servers that are starting now, each up to its wait or another one; starts none. */
  async settled(keys: Iterable<string> = this.#links.keys(), limitMs = this.config.startWaitMs): Promise<void> {
    await this.#links.settled(keys, limitMs);
  }

  statusOf(key: string): ServerStatus {
    const { config } = this;
    return findLeftOutStatus(key, config) ?? toServerStatus(this.#getDefinition(key), this.#links.get(key), config);
  }

  /** The last lines that the process of a server has written on stderr, secrets hidden. */
  stderrOf(key: string): string[] {
    return this.#links.find(key)?.stderrTail().map(this.#redactor.hide) ?? [];
  }

  hintOf(key: string, kind: Kind): CacheHint | undefined {
    return this.#links.find(key)?.hint(kind);
  }

  /** Sends a call to an address, and starts its server when needed. Fails with a WorkbenchError when the call cannot get there. */
  forward(address: Address, call: Call, kind: Kind = 'tools'): Promise<CallOutcome> {
    const toOwn = (key: string) => {
      const snapshot = this.#ownListings.snapshotOf(call.client, this.#snapshot);
      const findFailure = () => this.#links.get(key).status.failure;
      return toServerCall(call, snapshot, { address, kind, key, findFailure });
    };
    return observeCall(this.#observer, address, call, this.#callLink(address, call, toOwn));
  }

  /** Sends a call unchanged to a server of a toolbox, otherwise like `forward`. */
  send(place: ServerPlace, call: Call): Promise<CallOutcome> {
    return observeCall(this.#observer, place, call, this.#callLink(place, call));
  }

  watch(place: ServerPlace, uri: string, watcher: Watcher): Promise<Watch> {
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
    return getResult(address, this.forward(address, toToolCall(request)));
  }

  setLogLevel(level: LogLevel, client: Client): void {
    this.#links.setLogLevel(level, client);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#signIns.close();
    this.results.close();
    await Promise.all([this.#links.close(), this.search.close()]);
    await this.#applied;
  }

  async #apply(wanted: Config): Promise<Reload> {
    const plan = planReload(this.config, wanted);
    const reload = toReload(plan);
    if (plan.same || this.#closed) return reload;
    const before = this.config;
    const config = withFixedSettings(wanted, before);
    learnSecrets(config, this.#redactor);
    const next = this.#links.open(config, plan.start);
    await this.#links.prepare(next, config);
    if (this.#closed) return reload;
    this.#advance(buildSnapshot(config, this.#links.swap(config, next, plan)));
    this.#watches.move(planRelocation(before, config));
    logReload(this.log, reload);
    return reload;
  }

  async #callLink(place: RoutedPlace, call: Call, toOwn = (_key: string) => call): Promise<CallOutcome> {
    const { key } = getRoute(this.#ownListings.snapshotOf(call.client, this.#snapshot), place, call.params);
    if (call.resume?.awaitsUrl === true) await this.afterSignIn(key, call);
    try {
      return await this.#links.get(key).call(call, () => toOwn(key));
    } catch (error) {
      if (helpsSignIn(error)) await this.askSignIn(key, call);
      throw error;
    }
  }

  #advance(next: Snapshot): void {
    this.#snapshot = next;
    this.#changed.emit();
  }

  #keyAt({ toolbox, server }: ServerPlace): string {
    return getPlacement(getToolbox(this.#snapshot, toolbox), server).key;
  }

  /** The current configuration of the server: a link may be older than the key of its server. */
  #getDefinition(key: string): ServerDefinition {
    return this.config.servers.get(key) ?? this.#links.get(key).definition;
  }
}
