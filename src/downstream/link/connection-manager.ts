/**
 * Keeps the connection to one server that clients share: makes it when it is needed and again when it was lost, ends it when no
 * client uses it, and says how it is. There is at most one at a time; a late event of an earlier one is ignored.
 */

import { CancelToken } from '../../base/async/cancel-token.ts';
import { within } from '../../base/async/clock.ts';
import { type ErrorCode, toWorkbenchError, WorkbenchError } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Listing } from '../../catalog/listing.ts';
import type { Attempt, Connected } from '../connection/attempt.ts';
import { type Audience, toDeclared } from '../connection/audience.ts';
import { connect } from '../connection/connect.ts';
import type { Connection } from '../connection/connection.ts';
import type { ServerContext } from '../connection/server-context.ts';
import { aboutOf, type ListingMemory } from '../listing/known.ts';
import { createListingTracker, type ListingTracker } from '../listing/listing-tracker.ts';
import { toUnreadTools } from '../process/failure.ts';
import type { Company } from '../questions/company.ts';
import { pause } from '../rpc/pause.ts';
import type { ConnectionState } from './connection-state.ts';
import { createIdle, type Idle } from './idle.ts';
import { type LinkStatus, toDownError, toFailedState, toFirstStatus } from './link-status.ts';
import { createStatusTracker, type StatusTracker } from './status-tracker.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

export interface ConnectionKeeperOptions {
  audience(): Audience;
  readonly company: Pick<Company, 'connected' | 'onNeed'>;
  readonly memory: ListingMemory;
  onStatus(): void;
  onListingChanged(listing: Listing): void;
  onReady(connection: Connection): void;
  onUpdated(uri: string): void;
}

/** Some servers list more a moment after their start, and say so. */
const lingerMs = 2_000;

export class ConnectionManager {
  readonly listing: ListingTracker;
  readonly #context: ServerContext;
  readonly #options: ConnectionKeeperOptions;
  readonly #status: StatusTracker;
  readonly #supervisor: Supervisor;
  readonly #idle: Idle;
  /** Ends the pauses of a start when all is over. */
  readonly #pauses = new CancelToken();
  #state: ConnectionState = { is: 'idle' };
  /** The last one, also when it has failed; none while the server sleeps. */
  #attempt: Attempt | undefined;
  /** What the listing that is known, or read on the connection, depends on. */
  #basis: string;

  constructor(context: ServerContext, options: ConnectionKeeperOptions) {
    const { definition, clock, log, redactor, random = Math.random } = context;
    const eager = definition.start === 'eager';
    this.#context = context;
    this.#options = options;
    this.#basis = options.memory.basis({ anew: false });
    const known = options.memory.find(this.#basis);
    this.#status = createStatusTracker({
      server: definition.name,
      status: toFirstStatus(definition, known),
      log,
      redactor,
      onChanged: options.onStatus,
    });
    this.listing = createListingTracker({
      clock,
      known,
      isCurrent: (attempt) => this.#attempt === attempt && !this.closed,
      onListingChanged: (listing) => {
        options.onListingChanged(listing);
        this.#keep();
      },
      onProblem: this.#status.note,
      onTools: (unread) =>
        this.#status.lacks(unread === undefined ? undefined : toUnreadTools(definition.name, unread)),
      onSolved: this.#status.forget,
    });
    this.#supervisor = createSupervisor({ clock, random, eager, restart: () => void this.start().catch(() => {}) });
    this.#idle = createIdle({ clock, idleMs: eager ? undefined : definition.idleMs, onIdle: () => this.#sleep() });
  }

  get status(): LinkStatus {
    return this.#status.status;
  }

  get closed(): boolean {
    return this.#state.is === 'closed';
  }

  /** The connection, while it stands. */
  get live(): Connection | undefined {
    if (this.#state.is !== 'live') return undefined;
    const { carrier, connection } = this.#state.connected;
    // A process that has exited is still listened to for a moment; a call made meanwhile needs a new one.
    return carrier.running ? connection : undefined;
  }

  /** The last lines its process has written on stderr, oldest first. */
  stderrTail(): string[] {
    return this.#attempt?.stderrTail() ?? [];
  }

  /** What the server was told that its client can do. */
  get told(): JsonObject {
    return this.#attempt?.declared ?? {};
  }

  /** Lists may have changed although the server did not say so on this connection. */
  relist(): void {
    if (this.live !== undefined && this.#attempt !== undefined) this.listing.refreshSoon(this.#attempt);
  }

  note(code: ErrorCode, message: string): void {
    this.#status.note(code, message);
  }

  /** Keeps the server from falling asleep while it is used. */
  get use(): Pick<Idle, 'enter' | 'leave' | 'hold'> {
    return this.#idle;
  }

  /**
   * Resolves when the server is ready, rejects with a WorkbenchError when it cannot be. Many callers share one start; while a
   * server is down only the caller that tries it waits, all others are told at once.
   */
  async start(): Promise<Connection> {
    const { live } = this;
    if (live !== undefined) return live;
    this.#leave();
    const { name, disabled } = this.#context.definition;
    if (disabled) throw new WorkbenchError('WB1016', `Server '${name}' is disabled in the configuration.`);
    const { waitMs } = this.#supervisor;
    if (waitMs !== 0) throw toDownError(name, { waitMs, cause: this.#status.lastFailure?.message });
    const connected = this.#state.is === 'starting' ? this.#state.connected : this.#begin();
    return (await connected).connection;
  }

  /** The Workbench has learnt who its clients are: what is known of a server that was not started yet may not be what they are shown. */
  reconsider(): void {
    if (this.status.state !== 'known' && this.status.state !== 'configured') return;
    const { memory, onListingChanged } = this.#options;
    const basis = memory.basis({ anew: false });
    if (basis === this.#basis) return;
    this.#basis = basis;
    const known = memory.find(basis);
    this.#status.begin(toFirstStatus(this.#context.definition, known));
    onListingChanged(this.listing.begin(known));
  }

  /** Starts the server to hear what it offers, and lets it sleep again when no client has come to use it. */
  async hear(): Promise<void> {
    const { definition, clock } = this.#context;
    const isUsed = this.#idle.watchUse();
    await this.start();
    await pause(clock, lingerMs, this.#pauses);
    if (definition.start !== 'eager' && !isUsed()) this.#sleep();
  }

  /** Waits until the server is ready or has failed, but never past `limitMs` from the beginning of its start. */
  async settled(limitMs: number): Promise<void> {
    if (this.#state.is !== 'starting') return;
    const { clock } = this.#context;
    const remaining = this.#state.since + limitMs - clock.now();
    if (remaining > 0) await within(clock, remaining, this.#state.connected).catch(() => {});
  }

  async close(): Promise<void> {
    const ended = 'ended' in this.#state ? this.#state.ended : undefined;
    this.#state = { is: 'closed' };
    this.#pauses.abort();
    this.#supervisor.close();
    this.#idle.end();
    this.listing.close();
    await Promise.all([this.#attempt?.stop(), ended]);
  }

  /** From `idle` or `asleep` to `starting`, and on to `live` or back to `idle`. */
  async #begin(): Promise<Connected> {
    this.#refuseWhenClosed();
    const since = this.#context.clock.now();
    const ended = this.#state.is === 'asleep' ? this.#state.ended : undefined;
    const starting: ConnectionState = { is: 'starting', since, ended, connected: this.#launch(since, ended) };
    this.#state = starting;
    try {
      return await starting.connected;
    } finally {
      if (this.#state === starting) this.#state = { is: 'idle' };
    }
  }

  async #launch(since: number, ended: Promise<void> | undefined): Promise<Connected> {
    const { clock, log, definition } = this.#context;
    const { holdBackMs } = this.#supervisor;
    this.#supervisor.began(ended === undefined ? 'start' : 'wake');
    if (holdBackMs > 0) await pause(clock, holdBackMs, this.#pauses);
    await ended;
    this.#refuseWhenClosed();
    this.#status.starting();
    const attempt = this.#connect();
    this.#attempt = attempt;
    try {
      const connected = await attempt.connected;
      const { edge } = connected.connection;
      // Before the first read, so that no change can fall between the two.
      edge.watchLists();
      await this.listing.read(attempt);
      this.#refuseWhenClosed();
      if (!connected.carrier.running)
        throw new WorkbenchError('WB1010', `Server '${definition.name}' was lost while its tools were read.`);
      this.#state = { is: 'live', connected };
      this.#supervisor.ready();
      this.#idle.begin();
      this.#options.onReady(connected.connection);
      const startMs = clock.now() - since;
      this.#status.ready(edge, startMs);
      this.#keep();
      const { era, protocolVersion } = edge;
      log.info('server ready', { era, protocolVersion, tools: this.listing.listing?.tools.length, startMs });
      return connected;
    } catch (error) {
      await attempt.stop();
      const cause = toWorkbenchError(error);
      this.#supervisor.failed(cause.code);
      throw this.#failed(attempt, cause);
    }
  }

  /** Only what could be read whole, so that the next run shows no more than that. */
  #keep(): void {
    const { listing, promised: hints } = this.listing;
    if (this.#state.is !== 'live' || listing === undefined || hints === undefined) return;
    const about = aboutOf(this.#state.connected.connection.edge);
    this.#options.memory.keep({ listing, hints, about, heardAt: this.#context.clock.now() }, this.#basis);
  }

  #connect(): Attempt {
    const { onUpdated, company, memory, audience } = this.#options;
    this.#basis = memory.basis({ anew: true });
    const attempt: Attempt = connect(this.#context, {
      declared: toDeclared(audience()),
      company: { connected: company.connected, onNeed: company.onNeed, hold: this.#idle.hold },
      events: {
        onListAnnounced: (kinds) => this.listing.refreshSoon(attempt, kinds),
        onUpdated,
        onLost: (failure) => this.#lost(attempt, failure),
        onNoise: this.#status.noise,
        onLeftOut: (message) => {
          if (this.#attempt === attempt) this.#status.renote('WB1022', message);
        },
      },
    });
    return attempt;
  }

  #sleep(): void {
    if (this.#state.is !== 'live' || this.#attempt === undefined) return;
    this.#state = { is: 'asleep', ended: this.#attempt.stop() };
    this.#attempt = undefined;
    this.#idle.end();
    this.#supervisor.slept();
    this.#status.sleeping();
    this.#context.log.info('server sleeps', { idleMs: this.#context.definition.idleMs });
  }

  #lost(attempt: Attempt, failure: WorkbenchError): void {
    if (this.#attempt !== attempt || this.closed) return;
    // What is left of its process group must not outlive it.
    void attempt.stop();
    this.#leave();
    // A start that is under way tells its failure itself.
    if (this.#state.is !== 'starting') this.#failed(attempt, failure);
  }

  /** From `live` to `idle`: what was ready is not there any more. */
  #leave(): void {
    if (this.#state.is !== 'live') return;
    this.#state = { is: 'idle' };
    this.#idle.end();
    this.#supervisor.lost();
  }

  #failed(attempt: Attempt, cause: WorkbenchError): WorkbenchError {
    const { isDown, retryAt } = this.#supervisor;
    const state = toFailedState(cause, { isDown });
    const failure = this.#status.failed(cause, { state, stderr: attempt.stderrTail(), ...defined({ retryAt }) });
    if (!this.closed) this.#context.log.warn(failure.message, { code: failure.code, state });
    return failure;
  }

  #refuseWhenClosed(): void {
    if (this.closed) throw new WorkbenchError('WB1010', 'The Workbench is shutting down.');
  }
}
