/**
 * Keeps the connection to one server that all share who may: makes it when it is needed and again when it was lost, ends it when
 * nobody uses it, and says how it is. At most one at a time; a late event of an earlier one is ignored.
 */
import { within } from '../base/clock.ts';
import { type ErrorCode, toWorkbenchError, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Stop } from '../base/stop.ts';
import type { Listing } from '../catalog/listing.ts';
import type { Audience } from './audience.ts';
import type { Company } from './company.ts';
import type { Attempt, Connected, ConnectOptions } from './connect.ts';
import { connectShared, type SharedAttempt } from './connect-shared.ts';
import type { Connection } from './connection.ts';
import { toDownError } from './down.ts';
import { createIdle, type Idle } from './idle.ts';
import { createListingKeeper, type ListingKeeper } from './keep-listing.ts';
import { createStatusKeeper, type StatusKeeper } from './keep-status.ts';
import { aboutOf, type Known } from './known.ts';
import { type LinkStatus, toFailedState, toFirstStatus } from './link-status.ts';
import { pause } from './pause.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

export interface ConnectionKeeperOptions extends Omit<ConnectOptions, 'events' | 'declared' | 'company'> {
  audience(): Audience;
  readonly company: Pick<Company, 'connected' | 'onNeed'>;
  /** From an earlier run. */
  readonly known?: Known | undefined;
  /** Is given what to know in the next run. */
  keep?(known: Known): void;
  /** In [0, 1); spreads restarts in time. */
  readonly random?: (() => number) | undefined;
  onStatus(): void;
  onListing(listing: Listing): void;
  onReady(connection: Connection): void;
  onUpdated(uri: string): void;
}

export class ConnectionKeeper {
  readonly #options: ConnectionKeeperOptions;
  readonly #status: StatusKeeper;
  readonly #listing: ListingKeeper;
  readonly #supervisor: Supervisor;
  readonly #idle: Idle;
  readonly #closed = new Stop();
  #attempt: SharedAttempt | undefined;
  #starting: Promise<Connected> | undefined;
  #startedAt = 0;
  #live: Connected | undefined;
  /** The end of the process that was put to sleep: no two of one server at a time. */
  #fallingAsleep: Promise<void> | undefined;

  constructor(options: ConnectionKeeperOptions) {
    const { definition, clock, log, redactor, known, random = Math.random } = options;
    const eager = definition.start === 'eager';
    this.#options = options;
    this.#status = createStatusKeeper({
      status: toFirstStatus(definition, known),
      log,
      redactor,
      onChanged: options.onStatus,
    });
    this.#listing = createListingKeeper({
      clock,
      known,
      isCurrent: (attempt) => this.#attempt === attempt && !this.closed,
      onChanged: (listing) => {
        options.onListing(listing);
        this.#keep();
      },
      onProblem: this.#status.note,
      onSolved: this.#status.forget,
    });
    this.#supervisor = createSupervisor({ clock, random, eager, restart: () => void this.start().catch(() => {}) });
    this.#idle = createIdle({ clock, idleMs: eager ? undefined : definition.idleMs, onIdle: () => this.#sleep() });
  }

  get status(): LinkStatus {
    return this.#status.status;
  }

  get listing(): ListingKeeper {
    return this.#listing;
  }

  get closed(): boolean {
    return this.#closed.aborted;
  }

  /** The connection, while it stands. */
  get live(): Connection | undefined {
    // A process that has exited is still listened to for a moment; what is asked meanwhile needs a new one.
    return this.#live?.carrier.running === true ? this.#live.connection : undefined;
  }

  /** What the server was told that its client can do. */
  get told(): JsonObject {
    return this.#attempt?.declared ?? {};
  }

  /** Lists may have changed although it was not said here. */
  relist(): void {
    if (this.live !== undefined && this.#attempt !== undefined) this.#listing.refreshSoon(this.#attempt);
  }

  note(code: ErrorCode, message: string): void {
    this.#status.note(code, message);
  }

  /** Keeps the server from falling asleep until the returned function is called. */
  hold(): () => void {
    return this.#idle.hold();
  }

  /** The same for whoever says so, once. */
  get use(): Pick<Idle, 'enter' | 'leave'> {
    return this.#idle;
  }

  /**
   * Resolves when the server is ready, rejects with a WorkbenchError when it cannot be. Many callers share one start; of a
   * server that is down only the one that tries it waits, all others are told at once.
   */
  async start(): Promise<Connection> {
    const { live } = this;
    if (live !== undefined) return live;
    this.#leave();
    const { name, disabled } = this.#options.definition;
    if (disabled) throw new WorkbenchError('WB1016', `Server '${name}' is disabled in the configuration.`);
    const { waitMs } = this.#supervisor;
    if (waitMs !== 0) throw toDownError(name, { waitMs, cause: this.#status.lastFailure?.message });
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    return (await this.#starting).connection;
  }

  /** Waits until the server is ready or has failed, but never past `limitMs` from the beginning of its start. */
  async settled(limitMs: number): Promise<void> {
    const remaining = this.#startedAt + limitMs - this.#options.clock.now();
    if (this.#starting === undefined || remaining <= 0) return;
    await within(this.#options.clock, remaining, this.#starting).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#live = undefined;
    this.#supervisor.close();
    this.#idle.end();
    this.#listing.close();
    await Promise.all([this.#attempt?.stop(), this.#fallingAsleep]);
  }

  async #begin(): Promise<Connected> {
    const { clock, log } = this.#options;
    this.#startedAt = clock.now();
    const { holdBackMs } = this.#supervisor;
    this.#supervisor.began(this.status.state === 'sleeping' ? 'wake' : 'start');
    if (holdBackMs > 0) await pause(clock, holdBackMs, this.#closed);
    await this.#fallingAsleep;
    this.#refuseWhenClosed();
    this.#status.starting();
    const attempt = this.#connect();
    this.#attempt = attempt;
    try {
      const connected = await attempt.connected;
      const { edge } = connected.connection;
      // Before the first read, so that no change can fall between the two.
      edge.watchLists();
      await this.#listing.read(attempt);
      this.#refuseWhenClosed();
      if (!connected.carrier.running)
        throw new WorkbenchError(
          'WB1010',
          `Server '${this.#options.definition.name}' was lost while its tools were read.`,
        );
      this.#live = connected;
      this.#supervisor.ready();
      this.#idle.begin();
      this.#options.onReady(connected.connection);
      const startMs = clock.now() - this.#startedAt;
      this.#status.ready(edge, startMs);
      this.#keep();
      const { era, protocolVersion } = edge;
      log.info('server ready', { era, protocolVersion, tools: this.#listing.listing?.tools.length, startMs });
      return connected;
    } catch (error) {
      await attempt.stop();
      const cause = toWorkbenchError(error);
      this.#supervisor.failed(cause.code);
      throw this.#failed(attempt, cause);
    }
  }

  /** Only what could be read whole: whoever reads it in the next run sees no more than that. */
  #keep(): void {
    const { listing, promised: hints } = this.#listing;
    if (this.#live === undefined || listing === undefined || hints === undefined) return;
    const about = aboutOf(this.#live.connection.edge);
    this.#options.keep?.({ listing, hints, about, heardAt: this.#options.clock.now() });
  }

  #connect(): SharedAttempt {
    const { onUpdated, company } = this.#options;
    const attempt: SharedAttempt = connectShared({
      ...this.#options,
      ...company,
      hold: () => this.hold(),
      events: {
        onListChanged: (changed) => this.#listing.refreshSoon(attempt, changed),
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
    if (this.#live === undefined || this.#attempt === undefined) return;
    const ended = this.#attempt.stop();
    this.#attempt = undefined;
    this.#live = undefined;
    this.#idle.end();
    this.#supervisor.slept();
    this.#fallingAsleep = ended;
    this.#status.sleeping();
    this.#options.log.info('server sleeps', { idleMs: this.#options.definition.idleMs });
  }

  #lost(attempt: Attempt, failure: WorkbenchError): void {
    if (this.#attempt !== attempt || this.closed) return;
    // What is left of its process group must not outlive it.
    void attempt.stop();
    const wasReady = this.#live !== undefined;
    this.#leave();
    if (wasReady || this.#starting === undefined) this.#failed(attempt, failure);
  }

  /** What was ready is not there any more. */
  #leave(): void {
    if (this.#live === undefined) return;
    this.#live = undefined;
    this.#idle.end();
    this.#supervisor.lost();
  }

  #failed(attempt: Attempt, cause: WorkbenchError): WorkbenchError {
    const { isDown, retryAt } = this.#supervisor;
    const state = toFailedState(cause, { isDown });
    const failure = this.#status.failed(cause, {
      state,
      stderr: attempt.stderrTail(),
      ...(retryAt === undefined ? {} : { retryAt }),
    });
    if (!this.closed) this.#options.log.warn(failure.message, { code: failure.code, state });
    return failure;
  }

  #refuseWhenClosed(): void {
    if (this.closed) throw new WorkbenchError('WB1010', 'The Workbench is shutting down.');
  }
}
