/** Our link to one server, over all its connections: the shared one, and those for one client or one call. */

import { within } from '../../base/async/clock.ts';
import { createEmitter } from '../../base/async/emitter.ts';
import { createSemaphore, type Semaphore } from '../../base/async/semaphore.ts';
import type { CacheHint } from '../../base/call/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel, ServerCall } from '../../base/call/call.ts';
import type { OnUpdated, Watch } from '../../base/call/watch.ts';
import { Busy } from '../../base/errors/busy.ts';
import type { Kind } from '../../catalog/kind.ts';
import { emptyListing, type Listing, sameListing } from '../../catalog/listing.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { createProgress, type Progress } from '../call/progress.ts';
import type { Connection } from '../connection/connection.ts';
import type { ServerContext } from '../connection/server-context.ts';
import { type ClientWatches, createClientWatches } from './client-watches.ts';
import { connectLane } from './connect-dedicated.ts';
import { type ConnectionKeeperOptions, ConnectionManager } from './connection-manager.ts';
import { createDedicatedConnections, type DedicatedConnections } from './dedicated-connections.ts';
import type { LinkStatus } from './link-status.ts';
import type { Lane } from './plan-lane.ts';
import { isMadeAgain } from './replay.ts';
import { createSharing, type SharingPolicy } from './sharing.ts';
import { awaitStart } from './start-notice.ts';
import { createSubscriptions } from './subscriptions.ts';

export type LinkOptions = Pick<ConnectionKeeperOptions, 'audience' | 'memory'>;

/** A session at a server that is reached by URL does not cost a process. */
const maxSessions = 4_096;

export class Link {
  readonly definition: ServerDefinition;
  readonly #statusChanged = createEmitter<void>();
  readonly #listingChanged = createEmitter<Listing>();
  readonly #ownListingChanged = createEmitter<Client>();
  readonly #context: ServerContext;
  readonly #shared: ConnectionManager;
  readonly #lanes: DedicatedConnections;
  readonly #sharing: SharingPolicy;
  readonly #watches: ClientWatches;
  readonly #subscriptions = createSubscriptions();
  /** One for each call that is not answered yet, on any connection. */
  readonly #slots: Semaphore;
  #logLevel: LogLevel | undefined;

  constructor(context: ServerContext, { audience, memory }: LinkOptions) {
    const { definition, clock, limits, quirks } = context;
    this.#context = context;
    this.definition = definition;
    this.#slots = createSemaphore(limits.callsPerServer);
    this.#sharing = createSharing({
      definition,
      verdicts: quirks,
      audience,
      told: () => this.#shared.told,
      onNote: (code, message) => this.#shared.note(code, message),
    });
    this.#shared = new ConnectionManager(context, {
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
    this.#lanes = createDedicatedConnections({
      server: definition.name,
      clock,
      sleepMs: definition.idleMs,
      ...(kind === 'http' ? { most: maxSessions } : {}),
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

  /** Whether its lists were read in this run. */
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

  /** Starts the server to hear what it offers, and lets it sleep again when no client has used it. */
  hear(): Promise<void> {
    return this.#shared.hear();
  }

  /** Which clients there are is known now, or has changed. */
  reconsider(): void {
    this.#shared.reconsider();
  }

  /** Waits until the server is ready or has failed, but never past `limitMs` from the beginning of its start. */
  settled(limitMs: number): Promise<void> {
    return this.#shared.settled(limitMs);
  }

  /**
   * Makes a call on the connection that its client uses, starting the server when needed. `toServerCall` makes what the server is
   * sent, once the server has been heard. Rejects with Busy when too many calls are under way.
   */
  async call(call: Call, toServerCall: () => ServerCall = () => call): Promise<CallOutcome> {
    const { definition, limits, clock } = this.#context;
    const shared = this.#shared;
    if (!this.#slots.tryAcquire())
      throw new Busy(`server '${definition.name}' has ${limits.callsPerServer} calls that it has not answered yet.`);
    shared.use.enter();
    try {
      const progress = createProgress(call, clock);
      // What is known from an earlier run may not be true any more.
      if (!this.heard) await this.#startFor(call, progress);
      let asked = false;
      const own = toServerCall();
      const watched: Call = {
        ...own,
        ask(question, signal) {
          asked = true;
          return own.ask(question, signal);
        },
      };
      for (let isFirst = true; ; isFirst = false) {
        const connection = shared.live ?? (await this.#startFor(call, progress));
        const lane = this.#laneOf(connection, own);
        try {
          return await (lane === 'main'
            ? connection.call(watched, progress)
            : this.#callApart(lane, watched, progress));
        } catch (error) {
          const { listing } = this;
          if (!isFirst || shared.closed || !isMadeAgain(error, { call: own, asked, listing })) throw error;
        }
      }
    } finally {
      shared.use.leave();
      this.#slots.release();
    }
  }

  /** Watches a resource, on the connection that the calls of this client go to as well. */
  async watch(client: Client, uri: string, listener: OnUpdated): Promise<Watch> {
    const { edge } = await this.#shared.start();
    const isOwn = this.#sharing.laneOf(edge, client) === 'own';
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
    if (live !== undefined && this.#sharing.laneOf(live.edge, client) === 'main') live.rootsChanged();
  }

  /** A client wants log messages outside of calls from now on, down to this level. */
  setLogLevel(level: LogLevel, client: Client): void {
    this.#logLevel = level;
    this.#shared.live?.edge.ensureLogLevel(level);
    this.#lanes.setLogLevel(client, level);
  }

  /** Lets the calls that are under way end, but not past `limitMs`, and closes. */
  async drain(limitMs: number): Promise<void> {
    await within(this.#context.clock, limitMs, this.#slots.idle());
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.close(), this.#lanes.close()]);
  }

  /** Asks a new connection for what the one before was asked for. */
  #resume(connection: Connection): void {
    this.#subscriptions.renew(connection);
    if (this.#logLevel !== undefined) connection.edge.ensureLogLevel(this.#logLevel);
  }

  #startFor(call: Call, progress: Progress): Promise<Connection> {
    const { definition, clock } = this.#context;
    return awaitStart(this.#shared.start(), call, { server: definition.name, clock, progress });
  }

  /** What a call goes on with that the shared connection gave is understood there only. */
  #laneOf(shared: Connection, { client, resume }: Call): Lane {
    const state = resume?.round?.requestState;
    return state !== undefined && shared.gave(state) ? 'main' : this.#sharing.laneOf(shared.edge, client);
  }

  #callApart(lane: Exclude<Lane, 'main'>, call: Call, progress: Progress): Promise<CallOutcome> {
    if (lane === 'own') this.#watches.move(call.client);
    this.#sharing.tellMove(call);
    return this.#lanes.call(lane, call, progress);
  }
}
