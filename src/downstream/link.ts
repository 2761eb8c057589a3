/** Our link to one server, over all its connections: the shared one, and those for one client or one call. */
import { Busy } from '../base/busy.ts';
import type { CacheHint } from '../base/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel } from '../base/call.ts';
import { within } from '../base/clock.ts';
import type { Eventual } from '../base/eventual.ts';
import { createSignal } from '../base/signal.ts';
import { createSlots, type Slots } from '../base/slots.ts';
import type { OnUpdated, Watch } from '../base/watch.ts';
import type { Kind } from '../catalog/kind.ts';
import { emptyListing, type Listing, sameListing } from '../catalog/listing.ts';
import type { ServerDefinition } from '../config/config.ts';
import { type ClientWatches, createClientWatches } from './client-watches.ts';
import { connectLane } from './connect-lane.ts';
import type { Connection } from './connection.ts';
import { ConnectionKeeper, type ConnectionKeeperOptions } from './keep-connection.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { LinkStatus } from './link-status.ts';
import { callWithReplay, isRepeatable, type ReplayOptions, type Way } from './replay.ts';
import type { ServerContext } from './server-context.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { createStartNotice, type StartNotice, type StartNoticeOptions } from './start-notice.ts';
import { createSubscriptions } from './subscriptions.ts';

export type LinkOptions = Pick<ConnectionKeeperOptions, 'audience' | 'memory'>;

/** A session at a server that is reached by URL does not cost a process. */
const mostSessions = 4_096;

export class Link {
  readonly definition: ServerDefinition;
  readonly #statusChanged = createSignal<void>();
  readonly #listingChanged = createSignal<Listing>();
  readonly #ownListingChanged = createSignal<Client>();
  readonly #context: ServerContext;
  readonly #shared: ConnectionKeeper;
  readonly #lanes: Lanes;
  readonly #sharing: Sharing;
  readonly #watches: ClientWatches;
  readonly #subscriptions = createSubscriptions();
  readonly #replay: ReplayOptions = {
    reach: (notice) => this.#reach(notice),
    isRepeatable: (call) => !this.#shared.closed && isRepeatable(call, this.listing),
    enter: () => this.#shared.use.enter(),
    leave: () => this.#shared.use.leave(),
  };
  readonly #startOptions: StartNoticeOptions;
  /** One for each call that is not answered yet, on any connection. */
  readonly #slots: Slots;
  #logLevel: LogLevel | undefined;

  constructor(context: ServerContext, { audience, memory }: LinkOptions) {
    const { definition, clock, limits, quirks } = context;
    this.#context = context;
    this.definition = definition;
    this.#startOptions = { server: definition.name, clock };
    this.#slots = createSlots(limits.callsPerServer);
    this.#sharing = createSharing({
      definition,
      verdicts: quirks,
      audience,
      told: () => this.#shared.told,
      onNote: (code, message) => this.#shared.note(code, message),
    });
    this.#shared = new ConnectionKeeper(context, {
      audience,
      memory,
      company: this.#sharing,
      onStatus: () => this.#statusChanged.emit(),
      onListingChanged: (listing) => this.#listingChanged.emit(listing),
      onReady: (connection) => this.#resume(connection),
      onUpdated: this.#subscriptions.updated,
    });
    const { kind } = definition.transport;
    // A change at a server on a network often concerns all clients.
    const onListAnnounced = () => kind === 'http' && this.#shared.relist();
    this.#lanes = createLanes({
      server: definition.name,
      clock,
      sleepMs: definition.idleMs,
      ...(kind === 'http' ? { most: mostSessions } : {}),
      connect: (client, events) => connectLane(context, client, { ...events, onListAnnounced }),
      onOwnListingChanged: (client) => this.#ownListingChanged.emit(client),
    });
    this.#watches = createClientWatches({
      add: (...watch) => this.#lanes.watch(...watch),
      addShared: (uri, listener) => this.#watchShared(uri, listener),
    });
  }

  get status(): LinkStatus {
    return this.#shared.status;
  }

  /** Undefined until the server has been heard once, now or in an earlier run. */
  get listing(): Listing | undefined {
    return this.#shared.listing.listing;
  }

  /** True when the server has been heard in this run. */
  get heard(): boolean {
    return this.#shared.listing.heard;
  }

  hint(kind: Kind): CacheHint | undefined {
    return this.#shared.listing.hint(kind);
  }

  onStatus(listener: () => void): () => void {
    return this.#statusChanged.on(listener);
  }

  onListingChanged(listener: (listing: Listing) => void): () => void {
    return this.#listingChanged.on(listener);
  }

  /** What the server lists for this client alone; undefined when that is not known, or is what the server lists for all. */
  listingFor(client: Client): Listing | undefined {
    const own = this.#lanes.listing(client);
    return own === undefined || sameListing(own, this.listing ?? emptyListing) ? undefined : own;
  }

  /** What the server lists for one client may have changed. */
  onOwnListingChanged(listener: (client: Client) => void): () => void {
    return this.#ownListingChanged.on(listener);
  }

  /** The last lines that the shared process has written on stderr, unchanged. */
  stderrTail(): string[] {
    return this.#shared.stderrTail();
  }

  /** Keeps the server from falling asleep until the returned function is called. */
  hold(): () => void {
    return this.#shared.use.hold();
  }

  /** Resolves when the server is ready, rejects with a WorkbenchError when it cannot be. Many callers share one start. */
  async start(): Promise<void> {
    await this.#shared.start();
  }

  /** Starts the server to hear what it offers, and lets it sleep again when no client has come to use it. */
  hear(): Promise<void> {
    return this.#shared.hear();
  }

  /** The Workbench has learnt who its clients are. */
  reconsider(): void {
    this.#shared.reconsider();
  }

  /** The same for a call, whose client is told of it when it takes long. */
  async startFor(call: Call): Promise<void> {
    await this.#noticeFor(call).during(this.#shared.start());
  }

  /** Waits until the server is ready or has failed, but never past `limitMs` from the beginning of its start. */
  settled(limitMs: number): Promise<void> {
    return this.#shared.settled(limitMs);
  }

  /** Takes the slot of one call, which is to be given back once. Throws Busy when all are taken. */
  takeSlot(): void {
    if (this.#slots.enter()) return;
    const { callsPerServer } = this.#context.limits;
    throw new Busy(`server '${this.definition.name}' has ${callsPerServer} calls that it has not answered yet.`);
  }

  giveSlot(): void {
    this.#slots.leave();
  }

  call(call: Call): Eventual<CallOutcome> {
    return callWithReplay(this.#noticeFor(call), this.#replay);
  }

  /** Watches a resource, on the connection that the calls of this client go to as well. */
  async watch(client: Client, uri: string, listener: OnUpdated): Promise<Watch> {
    const { edge } = await this.#shared.start();
    const isOwn = this.#sharing.laneOf(edge.era, client) === 'own';
    return this.#watches.add(client, uri, listener, isOwn ? 'own' : 'shared');
  }

  async #watchShared(uri: string, listener: OnUpdated): Promise<Watch> {
    const connection = await this.#shared.start();
    const release = this.hold();
    const watch = await this.#subscriptions.add(uri, listener, connection);
    if ('error' in watch) {
      release();
      return watch;
    }
    return {
      stop() {
        watch.stop();
        release();
      },
    };
  }

  /** The roots of a client have changed. For a client with a connection of its own, the server is told there. */
  rootsChanged(client: Client): void {
    const { live } = this.#shared;
    if (live !== undefined && this.#sharing.laneOf(live.edge.era, client) === 'main') live.rootsChanged();
  }

  /** A client wants log messages outside of calls from now on, down to this level. */
  setLogLevel(level: LogLevel, client: Client): void {
    this.#logLevel = level;
    this.#shared.live?.edge.ensureLogLevel(level);
    this.#lanes.setLogLevel(client, level);
  }

  /** Lets the calls that are under way end, but not past `limitMs`, and closes. */
  async drain(limitMs: number): Promise<void> {
    await within(this.#context.clock, limitMs, this.#slots.free());
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.close(), this.#lanes.close()]);
  }

  /** Repeats on a new connection what clients asked for on the one before. */
  #resume(connection: Connection): void {
    this.#subscriptions.renew(connection);
    if (this.#logLevel !== undefined) connection.edge.ensureLogLevel(this.#logLevel);
  }

  #noticeFor(call: Call): StartNotice {
    return createStartNotice(call, this.#startOptions);
  }

  #reach(notice: StartNotice): Way | Promise<Way> {
    const { live } = this.#shared;
    if (live !== undefined) return this.#wayOn(live, notice);
    return notice.during(this.#shared.start()).then((connection) => this.#wayOn(connection, notice));
  }

  #wayOn(connection: Connection, notice: StartNotice): Way {
    const { client, resume } = notice.call;
    const state = resume?.round?.requestState;
    const lane = this.#sharing.laneOf(connection.edge.era, client);
    if (lane === 'main' || (state !== undefined && connection.gave(state))) return connection;
    return {
      call: (call) => {
        if (lane === 'own') this.#watches.move(client);
        this.#sharing.tellMove(call);
        return this.#lanes.call(lane, call, notice.during);
      },
    };
  }
}
